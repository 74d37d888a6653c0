//! What the rules of the grammar are called when they were expected.

use crate::syntax::parse::Rule;

/// Not worth a word: it is part of something that has one, or nobody would want to write it.
const HIDDEN: &str = "";
/// Whatever an expression may start with.
pub(crate) const VALUE: &str = "a value";
const NAME: &str = "a name";
const TEXT: &str = "a text in quotes";
const OPERATOR: &str = "an operator";
const LINE_END: &str = "the end of the line";

/// What would have fitted, in the user's words, each once.
pub(crate) fn words(rules: &[Rule]) -> Vec<&'static str> {
    let mut words: Vec<&str> = Vec::new();
    for &rule in rules {
        let word = phrase(rule);
        if word != HIDDEN && !words.contains(&word) {
            words.push(word);
        }
    }
    // Where any value fits, its kinds need no mention.
    if words.contains(&VALUE) {
        words.retain(|word| ![NAME, TEXT].contains(word));
    }
    // What most people want first, and the end of the line, which is always possible, last.
    words.sort_by_key(|word| match *word {
        "`=`" => 0,
        LINE_END => 3,
        OPERATOR | "`unset`" => 2,
        _ => 1,
    });
    words
}

/// "a name, `=` or `{`".
pub(crate) fn expected(words: &[&str]) -> String {
    match words.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

fn phrase(rule: Rule) -> &'static str {
    match rule {
        Rule::EOI => LINE_END,
        Rule::ident | Rule::path | Rule::target | Rule::enum_value | Rule::use_name | Rule::with_item => NAME,
        Rule::dotted => "a field of a mixin, `mixin.field`",
        Rule::kw_dlm | Rule::edition => "`dlm 1`",
        Rule::edition_number => "the number of an edition",
        Rule::kw_use | Rule::use_decl => "`use`",
        Rule::kw_as | Rule::as_name => "`as`",
        Rule::kw_enum | Rule::enum_decl => "`enum`",
        Rule::kw_spelled => "`spelled`",
        Rule::kw_extend => "`extend`",
        Rule::kw_schema | Rule::schema => "`schema`",
        Rule::kw_type | Rule::type_decl => "`type`",
        Rule::kw_let | Rule::let_decl => "`let`",
        Rule::kw_input | Rule::kw_secret | Rule::input_decl => "`input`",
        Rule::env_part => "`from env`",
        Rule::kw_env => "`env`",
        Rule::kw_sweep | Rule::sweep => "`sweep`",
        Rule::of_part => "`of`",
        Rule::kw_zip | Rule::zip_axis => "`zip`",
        Rule::kw_where | Rule::where_line => "`where`",
        Rule::kw_limit | Rule::limit_line => "`limit`",
        Rule::kw_name | Rule::name_line => "`name`",
        Rule::kw_test | Rule::test => "`test`",
        Rule::kw_expect | Rule::expect | Rule::expect_error => "`expect`",
        Rule::kw_error | Rule::code_name => "the name of a rule or a code",
        Rule::kw_derive | Rule::derive | Rule::derive_head => "`derive`",
        Rule::kw_computed | Rule::computed_clause => "`computed`",
        Rule::kw_yaml | Rule::yaml_clause => "`yaml`",
        Rule::kw_since => "`since`",
        Rule::use_instead => "`use`",
        Rule::axis => "an axis, `field in [a, b]`",
        Rule::zip_row => "a row, `(a, b)`",
        Rule::all => "`*`",
        Rule::kw_mixin | Rule::mixin => "`mixin`",
        Rule::kw_for | Rule::for_part => "`for`",
        Rule::kw_abstract => "`abstract`",
        Rule::kw_experiment | Rule::experiment => "`experiment`",
        Rule::kw_extends | Rule::extends_part => "`extends`",
        Rule::kw_with | Rule::with_part => "`with`",
        Rule::kw_over => "`over`",
        Rule::kw_unset | Rule::unset => "`unset`",
        Rule::kw_final => HIDDEN,
        Rule::kw_multiple | Rule::refine_multiple => "`multiple of`",
        Rule::kw_of => "`of`",
        Rule::kw_matches | Rule::refine_matches => "`matches`",
        Rule::kw_flag | Rule::flag_clause => "`flag`",
        Rule::kw_renamed | Rule::renamed_clause => "`renamed from`",
        Rule::kw_from => "`from`",
        Rule::kw_deprecated | Rule::deprecated_clause => "`deprecated`",
        Rule::kw_when | Rule::when_clause => "`when`",
        Rule::kw_else | Rule::else_clause => "`else`",
        Rule::kw_help | Rule::help_clause => "`help`",
        Rule::kw_fix | Rule::fix_clause => "`fix`",
        Rule::kw_upstream | Rule::upstream_clause => "`upstream`",
        Rule::kw_then => "`then`",
        Rule::kw_in | Rule::refine_range => "`in`",
        Rule::kw_set => "`set`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::equals | Rule::assign_op | Rule::default => "`=`",
        Rule::dot => HIDDEN,
        Rule::open_brace | Rule::body | Rule::use_names => "`{`",
        Rule::close_brace => "`}`",
        Rule::close_paren => "`)`",
        Rule::open_square => "`[`",
        Rule::close_square => "`]`",
        Rule::close_angle => "`>`",
        Rule::generic => "`list<…>`",
        Rule::type_expr | Rule::type_term => "a type",
        Rule::refinement => "a condition",
        Rule::flag_kind => "the kind of the flag",
        Rule::field => "a field",
        Rule::check | Rule::check_head => "a check",
        Rule::setting => "a setting",
        Rule::expr
        | Rule::if_expr
        | Rule::if_arm
        | Rule::chain
        | Rule::arith
        | Rule::number
        | Rule::list
        | Rule::paren
        | Rule::prefix
        | Rule::minus
        | Rule::kw_true
        | Rule::kw_false
        | Rule::kw_none
        | Rule::kw_super
        | Rule::kw_if
        | Rule::kw_not
        | Rule::mantissa => VALUE,
        Rule::range => "a range",
        Rule::string => TEXT,
        Rule::is_test | Rule::in_test | Rule::word_op | Rule::compare_op | Rule::arith_op | Rule::kw_is => OPERATOR,
        Rule::refine_compare | Rule::refine_op => "a bound",
        Rule::range_op => "`..`",
        Rule::WHITESPACE
        | Rule::nl
        | Rule::sep
        | Rule::letter
        | Rule::word
        | Rule::reserved
        | Rule::clause_word
        | Rule::block
        | Rule::rest
        | Rule::arguments
        | Rule::bad_line
        | Rule::follow_word
        | Rule::range_end
        | Rule::clause_line
        | Rule::bad_value
        | Rule::bad_clause_value
        | Rule::bad_head
        | Rule::close
        | Rule::only_edition
        | Rule::item
        | Rule::generic_head
        | Rule::generic_name
        | Rule::optional_mark
        | Rule::field_clause
        | Rule::check_level
        | Rule::check_clause
        | Rule::body_item
        | Rule::wrong_op
        | Rule::key
        | Rule::all_part
        | Rule::sweep_item
        | Rule::test_item
        | Rule::no_setting
        | Rule::only_sweep_item
        | Rule::only_test_item
        | Rule::only_sweep_head
        | Rule::only_test_head
        | Rule::value
        | Rule::value_end
        | Rule::clause_value
        | Rule::operator
        | Rule::atom
        | Rule::digits
        | Rule::suffix
        | Rule::unit
        | Rule::rate
        | Rule::only_expr
        | Rule::only_body_item
        | Rule::only_member
        | Rule::only_enum_value
        | Rule::only_setting
        | Rule::only_path
        | Rule::only_experiment_head
        | Rule::only_mixin_head
        | Rule::only_block_head => HIDDEN,
    }
}
