//! Reading: what texts mean, and what is said about those that mean nothing.

use std::fmt::Write as _;

use dlm::base::Span;
use dlm::diag::Sink;
use dlm::syntax::ast::{self, AssignOp, BodyItem, ClauseKind, Item, Member, RefinementKind, TypeExpr, TypeExprKind};

use crate::tree::{
    FILE, body, brief, first_value, parse, parse_clean, show, show_range, show_template, under, without_spans,
};

const DESIGN: &str = include_str!("../data/syntax/design.dlm");
const SCHEMA: &str = include_str!("../data/syntax/schema.dlm");

fn value(text: &str) -> String {
    show(first_value(&parse_clean(&body(&format!("  x = {text}")))))
}

#[test]
fn operators_bind_as_the_grammar_says() {
    // Right column by hand, from the list of levels in grammar/dlm.pest.
    let table = [
        ("a or b and c", "(a or (b and c))"),
        ("not a and b", "((not a) and b)"),
        ("not a == b", "(not (a == b))"),
        ("not not a", "(not (not a))"),
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b / c", "((a / b) / c)"),
        ("a // b % c", "((a // b) % c)"),
        ("-a * b", "((-a) * b)"),
        ("a - -b", "(a - (-b))"),
        ("--a", "(-(-a))"),
        ("a + b < c * d", "((a + b) < (c * d))"),
        ("a < b and c >= d or e != f", "(((a < b) and (c >= d)) or (e != f))"),
        ("(a or b) and c", "((a or b) and c)"),
        ("(a < b) == (c < d)", "((a < b) == (c < d))"),
        ("a in [b, c] and d", "((a in [b, c]) and d)"),
        ("a + 1 in 0..=b * 2", "((a + 1) in 0..=(b * 2))"),
        ("a in 0..", "(a in 0..)"),
        ("a in ..=5", "(a in ..=5)"),
        ("a in ..", "(a in ..)"),
        ("a not in [b]", "(not (a in [b]))"),
        ("a is set or b is unset", "((a is set) or (b is unset))"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("if a then b else if c then d else e", "(if a then b else (if c then d else e))"),
        ("(if a then b else c) + d", "((if a then b else c) + d)"),
        ("max(a, b + c,) * 2", "(max(a, (b + c)) * 2)"),
        ("f()", "f()"),
        ("[a, [b], []]", "[a, [b], []]"),
        ("[1, 2,]", "[1, 2]"),
        ("super / 2", "(super / 2)"),
        ("data_root / \"train\"", "(data_root / \"train\")"),
        ("a.b.c", "a.b.c"),
        ("none == true", "(none == true)"),
        ("(\n  a\n  + b\n)", "(a + b)"),
        ("a +\n b", "(a + b)"),
        ("a and # why\n\n b", "(a and b)"),
        ("if a\n then b\n else c", "(if a then b else c)"),
        (r#""a \"b\" \\ \n\t ü {x}""#, r#""a \"b\" \\ \n\t ü {x}""#),
    ];
    for (text, tree) in table {
        assert_eq!(value(text), tree, "{text}");
    }
}

#[test]
fn numbers_have_suffixes_and_units() {
    let table = [
        ("50_289", "50289"),
        ("3e-4", "0.0003"),
        ("1.5e+10", "15000000000"),
        ("2Ki", "2'Ki"),
        ("10T tokens", "10'T tokens"),
        ("1%", "1'%"),
        ("10GB", "10'GB"),
        ("80 GiB", "80 GiB"),
        ("5 min", "5 min"),
        ("5   min", "5 min"),
        ("2e", "2'e"),
        ("1e5x", "100000'x"),
        ("1.50", "1.50"),
        ("x in 1.6B..=1.8B", "(x in 1.6'B..=1.8'B)"),
        ("x in 0..=1", "(x in 0..=1)"),
        ("x in 0..1", "(x in 0..1)"),
        ("x in 1 tokens..2 tokens", "(x in 1 tokens..2 tokens)"),
        ("-3", "(-3)"),
        ("7 % 2", "(7 % 2)"),
        ("7 %2", "(7 % 2)"),
        ("7% 2", "(7 % 2)"),
        ("7%2", "(7 % 2)"),
        ("7%x", "(7 % x)"),
        ("hidden_size % 2", "(hidden_size % 2)"),
        ("1% and x", "(1'% and x)"),
        ("1% + 2%", "(1'% + 2'%)"),
        ("5% - x", "(5'% - x)"),
        ("[1%, 2%]", "[1'%, 2'%]"),
        ("if x < 1% then 2% else 3%", "(if (x < 1'%) then 2'% else 3'%)"),
        ("3 and x", "(3 and x)"),
    ];
    for (text, tree) in table {
        assert_eq!(value(text), tree, "{text}");
    }
    let fractional = |text: &str| match &first_value(&parse_clean(&body(&format!("x = {text}")))).kind {
        ast::ExprKind::Number(number) => number.fractional,
        other => panic!("{other:?}"),
    };
    assert!(fractional("28.0") && fractional("1e3") && !fractional("28") && !fractional("2Ki") && !fractional("2E"));
}

#[test]
fn the_example_of_the_design_reads_as_it_looks() {
    let file = parse_clean(DESIGN);
    assert_eq!(file.edition.map(|(edition, span)| (edition, under(DESIGN, span))), Some((1, "dlm 1")));
    let [Item::Use(pretrain), Item::Use(_), Item::Use(recipes), Item::Experiment(first), Item::Experiment(second)] =
        file.items.as_slice()
    else {
        panic!("{:?}", file.items)
    };
    assert_eq!(show_use(pretrain), "std.megadlms: Pretrain");
    assert_eq!(show_use(recipes), "std.recipes: adamw_bf16, wsd");
    assert_eq!(first.doc.text, "MegaDLMs' 1.7B masked-diffusion pre-training run.");
    assert_eq!(first.parent.map(|parent| parent.name.as_str()), Some("Pretrain"));
    let mixins: Vec<_> = first.mixins.iter().map(|with| with.name.name.as_str()).collect();
    assert_eq!(mixins, ["dlm_1_7b_shape", "adamw_bf16", "wsd"]);
    let lines: Vec<String> = first.body.items.iter().map(show_item).collect();
    assert_eq!(
        lines,
        [
            "model.vocab_size = 50289",
            "diffusion { mode = difflm_noshift; mask_token = 50277; attention_mask = no_mask; varlen_prob = 1'% }",
            "train { budget = 10'T tokens; seq_length = 2'Ki; global_batch_size = 256; micro_batch_size = 4 }",
            "data { path = (data_root / \"train\"); weight = 1.0 }",
            "check fits_80gb: (plan.memory.per_gpu < 80 GiB) else must fit an 80 GB card",
        ]
    );
    assert!(under(DESIGN, first.span).starts_with("experiment dlm_1_7b extends"));
    assert!(under(DESIGN, first.span).ends_with("card\"\n}"));
    assert_eq!(under(DESIGN, first.doc.span.unwrap()), "## MegaDLMs' 1.7B masked-diffusion pre-training run.");
    assert_eq!(second.body.items.len(), 3);
    assert_eq!(under(DESIGN, file.comments[0].span), "# also: 20_000 iters, 5M samples");
    assert!(file.comments[0].trailing);
}

#[test]
fn every_form_of_a_declaration_is_read() {
    let file = parse_clean(SCHEMA);
    let mut out = String::new();
    for item in &file.items {
        match item {
            Item::Use(it) => writeln!(out, "use {}", show_use(it)).unwrap(),
            Item::Enum(it) => {
                let values: Vec<String> = it.values.iter().map(show_enum_value).collect();
                writeln!(out, "enum {} [{}] {}", it.name.name, it.doc.text, values.join(" ")).unwrap();
            }
            Item::Schema(it) => {
                writeln!(out, "schema {} {} [{}]", it.name.name, it.extends, it.doc.text.replace('\n', "|")).unwrap();
                it.members.iter().for_each(|member| writeln!(out, "  {}", show_member(member)).unwrap());
            }
            Item::Mixin(it) => {
                let schema = it.schema.map_or("-", |schema| schema.name.as_str());
                writeln!(out, "mixin {} for {schema}: {}", it.name.name, show_body(&it.body)).unwrap();
            }
            Item::Experiment(it) => {
                let with = |with: &ast::With| {
                    let over: Vec<_> = with.over.iter().map(ast::Path::to_string).collect();
                    format!("{} over {over:?}", with.name.name)
                };
                let mixins: Vec<_> = it.mixins.iter().map(with).collect();
                let parent = it.parent.map_or("-", |parent| parent.name.as_str());
                writeln!(out, "experiment {} {} {parent} {mixins:?}", it.name.name, it.is_abstract).unwrap();
                it.body.items.iter().for_each(|item| writeln!(out, "  {}", show_item(item)).unwrap());
            }
            Item::Type(_) | Item::Let(_) | Item::Input(_) | Item::Sweep(_) | Item::Test(_) => {
                writeln!(out, "{item:?}").unwrap();
            }
            Item::Bad(span) => panic!("{:?}", under(SCHEMA, *span)),
        }
    }
    insta::assert_snapshot!(out);
}

fn show_use(it: &ast::Use) -> String {
    let name = |name: &ast::UseName| match name.alias {
        Some(alias) => format!("{} as {}", name.name.name, alias.name),
        None => name.name.name.to_string(),
    };
    let names: Vec<String> = it.names.iter().map(name).collect();
    match &it.source {
        ast::UseSource::Module(path) => format!("{path}: {}", names.join(", ")),
        ast::UseSource::File { path, .. } => format!("{path:?}: {}", names.join(", ")),
    }
}

fn show_enum_value(value: &ast::EnumValue) -> String {
    let spelled = value.spelled.as_ref().map_or(String::new(), |(spelled, _)| format!("={spelled}"));
    let doc = if value.doc.text.is_empty() { String::new() } else { format!("[{}]", value.doc.text) };
    format!("{}{spelled}{doc}", value.name.name)
}

fn show_type(ty: &TypeExpr) -> String {
    match &ty.kind {
        TypeExprKind::Named(name) => name.name.to_string(),
        TypeExprKind::List(inner) => format!("list<{}>", show_type(inner)),
        TypeExprKind::Map(inner) => format!("map<string, {}>", show_type(inner)),
        TypeExprKind::Optional(inner) => format!("{}?", show_type(inner)),
        TypeExprKind::Union(terms) => terms.iter().map(show_type).collect::<Vec<_>>().join(" | "),
    }
}

fn show_member(member: &Member) -> String {
    let field = match member {
        Member::Field(field) => field,
        Member::Check(check) => return show_check(check),
        Member::Derive(derive) => return format!("derive {} = {}", derive.path, show(&derive.value)),
        Member::Bad(..) => return "BAD".into(),
    };
    let mut out = format!("{}: {}", field.name.name, show_type(&field.ty));
    for refinement in &field.refinements {
        match &refinement.kind {
            RefinementKind::Compare(op, bound) => write!(out, " ({} {})", op.symbol(), show(bound)).unwrap(),
            RefinementKind::Range(range) => write!(out, " (in {})", show_range(range)).unwrap(),
            RefinementKind::MultipleOf(of) => write!(out, " (multiple {})", show(of)).unwrap(),
            RefinementKind::Matches(pattern, _) => write!(out, " (matches {pattern})").unwrap(),
        }
    }
    if let Some(default) = &field.default {
        write!(out, " = {}", show(default)).unwrap();
    }
    for clause in &field.clauses {
        match &clause.kind {
            ClauseKind::Flag { spellings, kind } => {
                let spellings: Vec<_> = spellings.iter().map(|(text, _)| text.as_str()).collect();
                let kind = kind.map_or("-", |kind| kind.name.as_str());
                write!(out, " flag({} {kind})", spellings.join(" ")).unwrap();
            }
            ClauseKind::RenamedFrom(name) => write!(out, " renamed({})", name.name).unwrap(),
            ClauseKind::Deprecated(why) => {
                let text = |part: &Option<(String, dlm::base::Span)>| part.as_ref().map(|part| part.0.clone());
                let instead = why.instead.as_ref().map(ast::Path::to_string);
                let parts: Vec<String> = [text(&why.since), instead, text(&why.reason)].into_iter().flatten().collect();
                write!(out, " deprecated({})", parts.join(" | ")).unwrap();
            }
            ClauseKind::Computed => write!(out, " computed").unwrap(),
            ClauseKind::Yaml(key, _) => write!(out, " yaml {key:?}").unwrap(),
        }
    }
    if !field.doc.text.is_empty() {
        write!(out, " [{}]", field.doc.text).unwrap();
    }
    out
}

fn show_check(check: &ast::Check) -> String {
    let mut out =
        format!("{} {}: {}", if check.warn { "warn" } else { "check" }, check.name.name, show(&check.condition));
    let mut clause = |word: &str, text: Option<String>| {
        if let Some(text) = text {
            write!(out, " {word} {text}").unwrap();
        }
    };
    clause("when", check.when.as_ref().map(show));
    clause("else", check.message.as_ref().map(show_template));
    clause("help", check.help.as_ref().map(show_template));
    clause("fix", check.fix.as_ref().map(|(path, value)| format!("{path} = {}", show(value))));
    clause("upstream", check.upstream.as_ref().map(|(id, _)| id.clone()));
    out
}

fn show_body(body: &ast::Body) -> String {
    body.items.iter().map(show_item).collect::<Vec<_>>().join("; ")
}

fn show_item(item: &BodyItem) -> String {
    match item {
        BodyItem::Assign(it) => {
            let op = match it.op {
                AssignOp::Set => "=",
                AssignOp::Weak => "?=",
                AssignOp::Append => "+=",
                AssignOp::Remove => "-=",
            };
            let is_final = if it.is_final.is_some() { "final " } else { "" };
            format!("{is_final}{} {op} {}", it.path, show(&it.value))
        }
        BodyItem::Section(it) => {
            format!("{} {}{{ {} }}", it.path, if it.restart { "= " } else { "" }, show_body(&it.body))
        }
        BodyItem::Unset { path, .. } => format!("unset {path}"),
        BodyItem::Check(check) => show_check(check),
        BodyItem::Bad(_) => "BAD".into(),
    }
}

#[test]
fn spans_are_those_of_what_was_written() {
    let text = "dlm 1\n## Doc.\nexperiment e { # c\n  final a.b  ?=  (1 + 2)  \n  check c: a when b  else \"m {a} {b+1}\" \n}\n";
    let file = parse_clean(text);
    let Some(Item::Experiment(experiment)) = file.items.first() else { panic!("{file:?}") };
    let [BodyItem::Assign(assign), BodyItem::Check(check)] = experiment.body.items.as_slice() else {
        panic!("{experiment:?}")
    };
    let show = |span: Span| under(text, span);
    assert_eq!(show(assign.span), "final a.b  ?=  (1 + 2)");
    assert_eq!(show(assign.is_final.unwrap()), "final");
    assert_eq!(show(assign.path.span), "a.b");
    assert_eq!(show(assign.path.segments[1].span), "b");
    assert_eq!(show(assign.op_span), "?=");
    assert_eq!(show(assign.value.span), "(1 + 2)");
    assert_eq!(show(check.head), "check c: a");
    assert_eq!(show(check.span), "check c: a when b  else \"m {a} {b+1}\"");
    let message = check.message.as_ref().unwrap();
    assert_eq!(show(message.span), "\"m {a} {b+1}\"");
    let holes = message.parts.iter().filter_map(|part| match part {
        ast::TemplatePart::Hole(expr) => Some(show(expr.span)),
        ast::TemplatePart::Text(_) => None,
    });
    assert_eq!(holes.collect::<Vec<_>>(), ["a", "b+1"]);
    assert!(show(experiment.body.span).starts_with("{ # c"));
}

#[test]
fn documentation_belongs_to_what_stands_directly_below() {
    let text = "## The file.\n\ndlm 1\n\n## Far.\n\n## Near,\n##   two lines\nexperiment e {\n  ## Of a setting.\n  x = 1 ## behind\n}\n### Ruler.\nmixin m { }\n";
    let file = parse_clean(text);
    let docs = file.items.iter().map(|item| match item {
        Item::Experiment(it) => it.doc.text.as_str(),
        Item::Mixin(it) => it.doc.text.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(docs.collect::<Vec<_>>(), ["Near,\n  two lines", ""]);
    let comments: Vec<_> = file.comments.iter().map(|it| (under(text, it.span), it.trailing)).collect();
    let wanted = [
        ("## The file.", false),
        ("## Far.", false),
        ("## Of a setting.", false),
        ("## behind", true),
        ("### Ruler.", false),
    ];
    assert_eq!(comments, wanted);
}

#[test]
fn line_ends_of_windows_mean_the_same() {
    for text in [DESIGN, SCHEMA] {
        let windows = text.replace('\n', "\r\n");
        assert_eq!(without_spans(&parse_clean(&windows)), without_spans(&parse_clean(text)));
    }
}

#[test]
fn words_of_the_language_may_be_names_where_they_are_no_danger() {
    let names = "name data test input flag check train help fix upstream renamed deprecated warn list map use schema \
                 enum mixin extends with over for multiple of matches value as from type let sweep derive spelled dlm";
    for name in names.split_whitespace() {
        let text = format!(
            "dlm 1\nschema S {{\n  {name}: int = 1\n}}\nexperiment e {{\n  {name} = {name}\n  {name}.x {{ }}\n}}"
        );
        let file = parse_clean(&text);
        assert_eq!(file.items.len(), 2, "{name}");
        let Some(Item::Schema(schema)) = file.items.first() else { panic!("{name}") };
        assert_eq!(show_member(&schema.members[0]), format!("{name}: int = 1"));
    }
}

#[test]
fn a_setting_alone_is_read_for_the_command_line() {
    let read = |text: &str| {
        let mut sink = Sink::default();
        let read = dlm::syntax::parse_setting(FILE, text, &mut sink).map(|it| show_item(&BodyItem::Assign(it)));
        let said: Vec<String> = sink.finish().iter().map(|it| brief(text, it)).collect();
        (read, said)
    };
    assert_eq!(read("a.b=3"), (Some("a.b = 3".into()), vec![]));
    assert_eq!(read(" xs += [1, 2%] "), (Some("xs += [1, 2'%]".into()), vec![]));
    for (text, said) in [
        ("a.b", "unexpected @ a.b"),
        ("", "unexpected @ "),
        ("a=", "missing_value @ ="),
        ("a: 3", "wrong_assignment @ :"),
        ("a=3 4", "unexpected @ 4"),
        ("a = 3\nb = 4", "unexpected @ 3"),
        ("hidden-size=3", "dash_in_name @ hidden-size"),
        ("a={ x = 1 }", "unexpected @ {"),
        ("a=(", "unclosed_bracket @ ("),
    ] {
        assert_eq!(read(text), (None, vec![said.to_owned()]), "{text}");
    }
    let mut sink = Sink::default();
    let path = dlm::syntax::parse_path(FILE, "model.hidden_size", &mut sink).unwrap();
    assert_eq!((path.to_string().as_str(), sink.is_empty()), ("model.hidden_size", true));
    assert!(dlm::syntax::parse_path(FILE, "model.", &mut sink).is_none());
}

/// Every line of a body, and what is said about it: `code @ text`.
#[test]
fn slips_in_a_body_are_named() {
    let table = [
        ("hidden_size: 2048", "wrong_assignment @ :"),
        ("lr == 3", "wrong_assignment @ =="),
        ("lr := 3", "wrong_assignment @ :="),
        ("lr => 3", "wrong_assignment @ =>"),
        ("optimizer:", "wrong_assignment @ :"),
        ("optimizer += { }", "wrong_assignment @ +="),
        ("lr =", "missing_value @ ="),
        ("lr = # none", "missing_value @ ="),
        ("lr = 1,", "trailing_comma @ ,"),
        ("hidden-size = 3", "dash_in_name @ hidden-size"),
        ("a.hidden-size-x = 3", "dash_in_name @ hidden-size-x"),
        ("lr = 1.", "bad_number @ 1."),
        ("lr = .5", "bad_number @ .5"),
        ("lr = +1", "bad_number @ +"),
        ("lr = 1_", "bad_number @ _"),
        ("lr = 1e40", "bad_number @ 1e40"),
        ("lr = 0.12345678901234567890123456789", "bad_number @ 0.12345678901234567890123456789"),
        ("lr = 'a'", "wrong_quotes @ 'a'"),
        ("lr = \u{201c}a\u{201d}", "wrong_quotes @ \u{201c}a\u{201d}"),
        ("lr = 'a", "wrong_quotes @ '"),
        ("lr = \"a", "unclosed_string @ \"a"),
        ("lr = [\"a, \"b\"]", "unclosed_string @ \"]"),
        ("lr = \"\\q\"", "bad_escape @ \\q"),
        ("lr = a < b < c", "chained_comparison @ <"),
        ("lr = a == b in [c]", "chained_comparison @ in [c]"),
        ("lr = a = b", "unexpected @ ="),
        ("lr = 3 4", "unexpected @ 4"),
        ("lr = [1 2]", "unexpected @ 2"),
        ("lr = a +", "unexpected @ +"),
        ("lr = a.b(3)", "unexpected @ a.b"),
        ("lr = a[0]", "unexpected @ ["),
        ("lr = a && b", "unexpected @ &"),
        ("lr = !a", "unexpected @ !"),
        ("lr = a ? b : c", "unexpected @ ?"),
        ("lr = 2 ** 3", "unexpected @ *"),
        ("lr = 1 + if a then b else c", "unexpected @ if"),
        ("lr = if a then b", "unexpected @ b"),
        ("lr = a is not set", "unexpected @ not"),
        ("lr = a == not b", "unexpected @ not"),
        ("lr = 0..1", "unexpected @ .."),
        ("lr = and", "keyword_as_name @ and"),
        ("in = 3", "keyword_as_name @ in"),
        ("lr = 12 // a remark", "unexpected @ remark"),
        ("// a remark", "foreign_comment @ // a remark"),
        ("lr = 3 /* a remark */", "foreign_comment @ /* a remark */"),
        ("lr = 3\u{a0}", "bad_character @ \u{a0}"),
        ("lr = 3 \u{1}", "bad_character @ \u{1}"),
        ("lr = 3 \u{2013} 4", "bad_character @ \u{2013}"),
        ("größe = 3", "bad_character @ öß"),
        ("\"lr\": 3", "unexpected @ \"lr\""),
        ("- lr", "unexpected @ -"),
        ("lr 3", "unexpected @ 3"),
        ("lr", "unexpected @ lr"),
        ("chek a: b", "unexpected @ chek"),
        ("check a b", "unexpected @ b"),
        ("check a: b < c else oops", "unexpected @ oops"),
        ("check a: b else \"{b\"", "bad_hole @ {b"),
        ("check a: b else \"b}\"", "bad_hole @ }"),
        ("check a: b else \"{}\"", "bad_hole @ {}"),
        ("check a: b else \"{b +}\"", "unexpected @ +"),
        ("check a: b help \"x\" else \"y\"", "misplaced_clause @ else \"y\""),
        ("check a: b when c when d", "misplaced_clause @ when d"),
        ("final g { }", "unexpected @ final"),
        ("a { } b = 1", "unexpected @ b = 1"),
        ("unset a b", "unexpected @ b"),
        ("data.train { path = 1 } \"x\"", "unexpected @ \"x\""),
        ("let a = 1", "unexpected @ let"),
        ("experiment b { }", "unexpected @ experiment"),
        ("a = (1", "unclosed_bracket @ ("),
        ("a = [(1, 2]", "unclosed_bracket @ ("),
        ("a = (1, 2]", "stray_bracket @ ]"),
        ("a = 1)", "stray_bracket @ )"),
    ];
    for (line, said) in table {
        let text = body(&format!("  before = 1\n  {line}\n  after = 2"));
        let (file, diagnostics) = parse(&text);
        let found: Vec<String> = diagnostics.iter().map(|it| brief(&text, it)).collect();
        assert_eq!(found, [said], "{line}");
        // Whatever is wrong with it, the lines around it are read.
        let Some(Item::Experiment(experiment)) = file.items.first() else { panic!("{line}: {file:?}") };
        let lines: Vec<String> = experiment.body.items.iter().map(show_item).collect();
        assert!(lines.first().is_some_and(|it| it == "before = 1"), "{line}: {lines:?}");
        assert!(lines.last().is_some_and(|it| it == "after = 2"), "{line}: {lines:?}");
    }
}

#[test]
fn slips_outside_of_bodies_are_named() {
    let table = [
        ("experiment a { }", "missing_edition @ experiment a { }"),
        ("", "missing_edition @ "),
        ("dlm 2\nmixin m { }", "unknown_edition @ 2"),
        ("dlm one", "unknown_edition @ one"),
        ("dlm", "unexpected @ dlm"),
        ("dlm 1\nmixin m { }\ndlm 1", "unexpected @ dlm"),
        ("dlm 1\nexperimnt a { x = 1 }", "unknown_declaration @ experimnt"),
        ("dlm 1\nimport a.b", "unknown_declaration @ import"),
        ("dlm 1\nx = 3\ny = 4", "unexpected @ x = 3"),
        ("dlm 1\ninput x = 3", "unexpected @ ="),
        ("dlm 1\nlet x", "unexpected @ x"),
        ("dlm 1\ntype Share in 0..=1", "unexpected @ in"),
        ("dlm 1\nsweep s of a {\n  x in\n}", "missing_value @ x"),
        ("dlm 1\nsweep s off a {\n  x in [1, 2]\n}", "unexpected @ off"),
        ("dlm 1\ntest for b { expect c }", "unexpected @ for"),
        ("dlm 1\ntest \"a\" for b { expects c }", "unexpected @ c"),
        ("dlm 1\nuse foo", "unexpected @ foo"),
        ("dlm 1\nuse \"a.dlm\"", "unexpected @ \"a.dlm\""),
        ("dlm 1\nuse std.a.", "unexpected @ std.a."),
        ("dlm 1\nexperiment a", "unexpected @ a"),
        ("dlm 1\nexperiment a extend B { }", "unexpected @ extend"),
        ("dlm 1\nexperiment a with { }", "unexpected @ with"),
        ("dlm 1\nexperiment { }", "unexpected @ {"),
        ("dlm 1\nexperiment my-run { }", "dash_in_name @ my-run"),
        ("dlm 1\nexperiment a { } experiment b { }", "unexpected @ experiment"),
        ("dlm 1\nenum E { a b }", "unexpected @ b"),
        ("dlm 1\nenum E {\n  a = 1\n}", "unexpected @ ="),
        ("dlm 1\nenum E {\n  none\n}", "keyword_as_name @ none"),
        ("dlm 1\nschema S { lr = 1 }", "unexpected @ ="),
        ("dlm 1\nschema S { lr: int == 1 }", "unexpected @ =="),
        ("dlm 1\nschema S { lr: 3 }", "unexpected @ 3"),
        ("dlm 1\nschema S { lr: list<int }", "unexpected @ list<int"),
        ("dlm 1\nschema S { lr: map<int, int> }", "unexpected @ int"),
        ("dlm 1\nschema S { lr: map<int> }", "unexpected @ int"),
        ("dlm 1\nschema S { derive a }", "unexpected @ a"),
        ("dlm 1\nschema S { lr: int = flag \"--a\" }", "missing_value @ ="),
        ("dlm 1\nschema S { lr: int = 1 flag }", "unexpected @ flag"),
        ("dlm 1\nschema S { lr: int flag \"--a\" flag \"--b\" }", "misplaced_clause @ flag \"--b\""),
        ("dlm 1\nschema S { lr: int in 1.. 2 3 }", "unexpected @ 3"),
        ("dlm 1\nschema S {\n  lr int\n    flag \"--a\"\n}", "unexpected @ int"),
        ("dlm 1\nmixin m {\n  x = 1\n", "unclosed_bracket @ {"),
        ("dlm 1\nmixin m { }\n}\n", "stray_bracket @ }"),
        ("dlm 1\nmixin m {\n  x = 1\nmixin n { }\n", "unclosed_bracket @ {"),
    ];
    for (text, said) in table {
        let found: Vec<String> = parse(text).1.iter().map(|it| brief(text, it)).collect();
        assert_eq!(found, [said], "{text}");
    }
}

#[test]
fn one_run_reports_every_fault_and_reads_the_rest() {
    let text = "dlm 1\nuse std.\nschema S {\n  a: int\n  b int\n  c: int = 'x'\n}\nexperimnt x { }\n\
                experiment e extends S {\n  a: 1\n  b = [1, 2\n  c = 3 4\n  g {\n    d-e = 1\n    f = 1\n  }\n}\n\
                experiment f extends e { a = 2 }\n";
    let (file, diagnostics) = parse(text);
    let found: Vec<String> = diagnostics.iter().map(|it| brief(text, it)).collect();
    let wanted = [
        "unexpected @ std.",
        "unexpected @ int",
        "wrong_quotes @ 'x'",
        "unknown_declaration @ experimnt",
        "wrong_assignment @ :",
        "unclosed_bracket @ [",
        "unexpected @ 4",
        "dash_in_name @ d-e",
    ];
    assert_eq!(found, wanted);
    let [Item::Bad(_), Item::Schema(schema), Item::Bad(_), Item::Experiment(first), Item::Experiment(second)] =
        file.items.as_slice()
    else {
        panic!("{:#?}", file.items)
    };
    let members: Vec<String> = schema.members.iter().map(show_member).collect();
    assert_eq!(members, ["a: int", "BAD", "c: int = \"x\""]);
    let lines: Vec<String> = first.body.items.iter().map(show_item).collect();
    assert_eq!(lines, ["a = 1", "b = BAD", "c = BAD", "g { BAD; f = 1 }"]);
    assert_eq!(show_body(&second.body), "a = 2");
}

#[test]
fn a_missing_or_extra_brace_is_found_where_the_indentation_shows_it() {
    let missing = "dlm 1\nexperiment a {\n  g {\n    x = 1\n  h {\n    y = 2\n  }\n}\nexperiment b { }\n";
    let (file, diagnostics) = parse(missing);
    assert_eq!(diagnostics.len(), 1);
    let ends: Vec<_> = diagnostics[0].labels.iter().map(|label| label.span.start as usize).collect();
    assert_eq!(ends, [missing.find("{\n    x").unwrap(), missing.find("}\nexp").unwrap()]);
    let [Item::Experiment(first), Item::Experiment(_)] = file.items.as_slice() else { panic!("{file:#?}") };
    assert_eq!(show_body(&first.body), "g { x = 1; h { y = 2 } }");

    let extra = "dlm 1\nexperiment a {\n  g {\n    x = 1\n  }\n  }\n  y = 2\n}\nexperiment b { }\n";
    let (file, diagnostics) = parse(extra);
    assert_eq!(diagnostics.iter().map(|it| brief(extra, it)).collect::<Vec<_>>(), ["stray_bracket @ }"]);
    assert_eq!(diagnostics[0].span().unwrap().start as usize, extra.find("  }\n  y").unwrap() + 2);
    let [Item::Experiment(first), Item::Experiment(_)] = file.items.as_slice() else { panic!("{file:#?}") };
    assert_eq!(show_body(&first.body), "g { x = 1 }; y = 2");

    let inline = "dlm 1\nexperiment a {\n  x = 1 }\n  y = 2\n}\nexperiment b { }\n";
    let (file, diagnostics) = parse(inline);
    assert_eq!(diagnostics.iter().map(|it| brief(inline, it)).collect::<Vec<_>>(), ["stray_bracket @ }"]);
    assert_eq!(file.items.len(), 2);
}

#[test]
fn sure_fixes_mend_what_they_are_offered_for() {
    for line in [
        "lr: 3",
        "lr == 3",
        "lr = 1,",
        "hidden-size = 3",
        "lr = 1.",
        "lr = .5",
        "lr = +1",
        "lr = 'a'",
        "lr = \u{201c}a\u{201d}",
        "lr = 3\u{a0}+ 1",
        "lr = 3 \u{2013} 4",
        "lr = 1 \u{200b}",
    ] {
        let text = body(line);
        let (_, diagnostics) = parse(&text);
        let fix = &diagnostics.first().unwrap_or_else(|| panic!("{line}")).fixes[0];
        assert_eq!(fix.certainty, dlm::diag::Certainty::Sure, "{line}");
        let mut mended = text.clone();
        for edit in fix.edits.iter().rev() {
            mended.replace_range(edit.span.range(), &edit.text);
        }
        parse_clean(&mended);
    }
    let (_, diagnostics) = parse("mixin m { }\n");
    let edit = &diagnostics[0].fixes[0].edits[0];
    let mut mended = "mixin m { }\n".to_owned();
    mended.replace_range(edit.span.range(), &edit.text);
    parse_clean(&mended);
}
