//! What each rule of the grammar is called in a message.

use crate::syntax::parse::Rule;

/// How many things a message offers before it becomes a list nobody reads.
const MAX_OFFERS: usize = 5;

/// "a name, `,` or `}`": what could have stood where the text went wrong, each thing once.
pub(super) fn expected(rules: &[Rule]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in rules.iter().filter_map(|&rule| name(rule)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // A value may begin in many ways; the word for all of them says it better.
    let value = ["a number", "text in quotes", "a list", "a function", "`(`", "`none`", "`true`", "`false`", "`super`"];
    if names.contains(&"a number") && names.contains(&"text in quotes") {
        names.retain(|name| !value.contains(name) && *name != "a field" && *name != "a value");
        names.retain(|name| *name != "a name");
        names.insert(0, "a value");
    }
    names.truncate(MAX_OFFERS);
    match names.as_slice() {
        [] => "something else".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Its name; none for rules that only hold others together, which never name themselves in a failure.
fn name(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::nl | Rule::sep | Rule::value_end => Some("the end of the line"),
        Rule::word | Rule::ident | Rule::use_name | Rule::generic_name => Some("a name"),
        Rule::path | Rule::dotted | Rule::only_path => Some("a field"),
        Rule::kw_dlm => Some("`dlm`"),
        Rule::kw_use | Rule::use_decl => Some("`use`"),
        Rule::kw_as | Rule::as_name => Some("`as`"),
        Rule::kw_enum => Some("`enum`"),
        Rule::kw_spelled => Some("`spelled`"),
        Rule::kw_extend => Some("`extend`"),
        Rule::kw_schema => Some("`schema`"),
        Rule::kw_mixin => Some("`mixin`"),
        Rule::kw_for | Rule::for_part => Some("`for`"),
        Rule::kw_abstract => Some("`abstract`"),
        Rule::kw_experiment => Some("`experiment`"),
        Rule::kw_extends | Rule::extends_part => Some("`extends`"),
        Rule::kw_with | Rule::with_part => Some("`with`"),
        Rule::kw_over => Some("`over`"),
        Rule::kw_unset | Rule::unset => Some("`unset`"),
        Rule::kw_final => Some("`final`"),
        Rule::kw_multiple => Some("`multiple`"),
        Rule::kw_of => Some("`of`"),
        Rule::kw_matches => Some("`matches`"),
        Rule::kw_flag => Some("`flag`"),
        Rule::kw_renamed => Some("`renamed`"),
        Rule::kw_from => Some("`from`"),
        Rule::kw_deprecated => Some("`deprecated`"),
        Rule::kw_when => Some("`when`"),
        Rule::kw_help => Some("`help`"),
        Rule::kw_fix => Some("`fix`"),
        Rule::kw_upstream => Some("`upstream`"),
        Rule::kw_true => Some("`true`"),
        Rule::kw_false => Some("`false`"),
        Rule::kw_none => Some("`none`"),
        Rule::kw_super => Some("`super`"),
        Rule::kw_if | Rule::if_arm => Some("`if`"),
        Rule::kw_then => Some("`then`"),
        Rule::kw_else => Some("`else`"),
        Rule::kw_not => Some("`not`"),
        Rule::kw_in | Rule::in_test => Some("`in`"),
        Rule::kw_is => Some("`is`"),
        Rule::kw_set => Some("`set`"),
        Rule::comma => Some("`,`"),
        Rule::colon => Some("`:`"),
        Rule::equals | Rule::assign_op => Some("`=`"),
        Rule::dot => Some("`.`"),
        Rule::open_brace => Some("`{`"),
        Rule::close_brace | Rule::close => Some("`}`"),
        Rule::close_paren => Some("`)`"),
        Rule::close_square => Some("`]`"),
        Rule::close_angle => Some("`>`"),
        Rule::clause_word
        | Rule::check_clause
        | Rule::when_clause
        | Rule::else_clause
        | Rule::help_clause
        | Rule::fix_clause
        | Rule::upstream_clause => Some("`when`, `else`, `help`, `fix` or `upstream`"),
        Rule::edition | Rule::only_edition => Some("`dlm 1`"),
        Rule::edition_number => Some("the number of an edition, `1`"),
        Rule::item => Some("a declaration"),
        Rule::use_names => Some("names in braces"),
        Rule::enum_decl => Some("an enum"),
        Rule::enum_value | Rule::only_enum_value => Some("a value of the enum"),
        Rule::schema => Some("a schema"),
        Rule::field => Some("a field, `name: type`"),
        Rule::default => Some("a default, `= value`"),
        Rule::type_expr | Rule::type_term | Rule::generic => Some("a type"),
        Rule::optional_mark => Some("`?`"),
        Rule::refinement
        | Rule::refine_compare
        | Rule::refine_range
        | Rule::refine_multiple
        | Rule::refine_matches
        | Rule::refine_op => Some("a condition, as in `> 0` or `in 0..=1`"),
        Rule::field_clause | Rule::flag_clause | Rule::renamed_clause | Rule::deprecated_clause => {
            Some("`flag`, `renamed from` or `deprecated`")
        }
        Rule::flag_kind => Some("a kind of flag: `value`, `many`, `store_true` or `store_false`"),
        Rule::check | Rule::check_head | Rule::check_level => Some("a check"),
        Rule::mixin | Rule::with_item => Some("a mixin"),
        Rule::experiment => Some("an experiment"),
        Rule::body => Some("a body in braces"),
        Rule::body_item | Rule::setting | Rule::only_body_item | Rule::only_setting => {
            Some("a setting, `field = value`")
        }
        Rule::value
        | Rule::clause_value
        | Rule::expr
        | Rule::if_expr
        | Rule::chain
        | Rule::prefix
        | Rule::arith
        | Rule::minus
        | Rule::atom
        | Rule::only_expr => Some("a value"),
        Rule::is_test => Some("`is set`"),
        Rule::operator | Rule::word_op | Rule::compare_op | Rule::arith_op => Some("an operator"),
        Rule::range | Rule::range_op => Some("a range, as in `0..=1`"),
        Rule::paren => Some("`(`"),
        Rule::list => Some("a list"),
        Rule::call | Rule::callee => Some("a function"),
        Rule::string => Some("text in quotes"),
        Rule::number | Rule::mantissa | Rule::digits => Some("a number"),
        Rule::suffix | Rule::unit => Some("a unit"),
        Rule::only_member => Some("a field or a check"),
        Rule::only_experiment_head => Some("the head of an experiment"),
        Rule::only_mixin_head => Some("the head of a mixin"),
        Rule::only_block_head => Some("the head of a declaration"),
        Rule::WHITESPACE
        | Rule::letter
        | Rule::reserved
        | Rule::block
        | Rule::rest
        | Rule::bad_line
        | Rule::clause_line
        | Rule::bad_value
        | Rule::bad_clause_value
        | Rule::bad_head
        | Rule::wrong_op
        | Rule::named_block
        | Rule::EOI => None,
    }
}
