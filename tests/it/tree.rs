//! How tests look at syntax trees: without places, or in a line.

use dlm::base::{FileId, Span};
use dlm::diag::{Diagnostic, Sink};
use dlm::syntax::ast::{self, ExprKind, TemplatePart};

pub const FILE: FileId = FileId(7);

/// The tree of a text and what was said about it.
pub fn parse(text: &str) -> (ast::File, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    let file = dlm::syntax::parse(FILE, text, &mut sink);
    (file, sink.finish())
}

/// The tree of a text that nothing is said about.
pub fn parse_clean(text: &str) -> ast::File {
    let (file, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    file
}

/// Everything that a tree says but where: equal for texts that mean the same.
pub fn without_spans(file: &ast::File) -> String {
    let mut file = file.clone();
    file.comments.clear();
    let debug = format!("{file:#?}");
    let mut out = String::new();
    let mut skip_until = None;
    for line in debug.lines() {
        let indent = line.len() - line.trim_start().len();
        match skip_until {
            Some(end) if indent > end => continue,
            Some(_) => skip_until = None,
            None if line.trim_end().ends_with("Span {") => {
                skip_until = Some(indent);
                continue;
            }
            None => {
                out.push_str(line.trim());
                out.push('\n');
            }
        }
    }
    out
}

/// `code @ text under the primary label`.
pub fn brief(text: &str, diagnostic: &Diagnostic) -> String {
    let code = diagnostic.code.to_string();
    let span = diagnostic.span().expect("every diagnostic has a place");
    format!("{} @ {}", code.strip_prefix("dlm::syntax::").unwrap_or(&code), under(text, span))
}

pub fn under(text: &str, span: Span) -> &str {
    assert_eq!(span.file, FILE);
    text.get(span.range()).expect("a span lies in its text, on character borders")
}

/// An expression with all its brackets.
pub fn show(expr: &ast::Expr) -> String {
    let list = |items: &[ast::Expr]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::None => "none".into(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Number(number) => {
            let word = |ident: Option<ast::Ident>| ident.map_or(String::new(), |it| format!("'{}", it.name));
            format!("{}{}{}", number.value, word(number.suffix), word(number.unit).replace('\'', " "))
        }
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Path(path) => path.to_string(),
        ExprKind::Super => "super".into(),
        ExprKind::List(items) => format!("[{}]", list(items)),
        ExprKind::Unary(ast::UnaryOp::Negate, inner) => format!("(-{})", show(inner)),
        ExprKind::Unary(ast::UnaryOp::Not, inner) => format!("(not {})", show(inner)),
        ExprKind::Binary(op, left, right) => format!("({} {} {})", show(left), op.symbol(), show(right)),
        ExprKind::InList(left, right) => format!("({} in {})", show(left), show(right)),
        ExprKind::InRange(left, range) => format!("({} in {})", show(left), show_range(range)),
        ExprKind::IsSet(inner, true) => format!("({} is set)", show(inner)),
        ExprKind::IsSet(inner, false) => format!("({} is unset)", show(inner)),
        ExprKind::If(condition, then, otherwise) => {
            format!("(if {} then {} else {})", show(condition), show(then), show(otherwise))
        }
        ExprKind::Call(function, arguments) => format!("{}({})", function.name, list(arguments)),
        ExprKind::Scalar(scalar) => scalar.text.clone(),
        ExprKind::Bad => "BAD".into(),
    }
}

pub fn show_range(range: &ast::Range) -> String {
    let end = |end: &Option<Box<ast::Expr>>| end.as_deref().map(show).unwrap_or_default();
    format!("{}{}{}", end(&range.low), if range.inclusive { "..=" } else { ".." }, end(&range.high))
}

pub fn show_template(template: &ast::Template) -> String {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => text.clone(),
        TemplatePart::Hole(expr) => format!("<{}>", show(expr)),
    };
    template.parts.iter().map(part).collect()
}

/// The one experiment of a file with these lines in its body.
pub fn body(lines: &str) -> String {
    format!("dlm 1\nexperiment e {{\n{lines}\n}}\n")
}

/// The value that the first setting of an experiment gets.
pub fn first_value(file: &ast::File) -> &ast::Expr {
    match file.items.first() {
        Some(ast::Item::Experiment(experiment)) => match experiment.body.items.first() {
            Some(ast::BodyItem::Assign(assign)) => &assign.value,
            other => panic!("no setting: {other:?}"),
        },
        other => panic!("no experiment: {other:?}"),
    }
}

/// Every place that a tree names, and whether a part of it is broken.
pub fn spans(file: &ast::File) -> (Vec<Span>, bool) {
    let mut seen = Seen { spans: Vec::new(), broken: false };
    let out = &mut seen;
    out.spans = file.edition.iter().map(|(_, span)| *span).collect();
    out.spans.extend(file.comments.iter().map(|comment| comment.span));
    for item in &file.items {
        match item {
            ast::Item::Use(it) => {
                out.spans.push(it.span);
                match &it.source {
                    ast::UseSource::Module(path) => path_spans(path, out),
                    ast::UseSource::File { span, .. } => out.spans.push(*span),
                }
                out.spans
                    .extend(it.names.iter().flat_map(|name| [Some(name.name), name.alias]).flatten().map(|it| it.span));
            }
            ast::Item::Enum(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                for value in &it.values {
                    out.spans.push(value.name.span);
                    out.spans.extend(value.doc.span);
                    out.spans.extend(value.spelled.iter().map(|(_, span)| *span));
                }
            }
            ast::Item::Type(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                type_spans(&it.ty, out);
                refinement_spans(&it.refinements, out);
            }
            ast::Item::Let(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                it.ty.iter().for_each(|ty| type_spans(ty, out));
                refinement_spans(&it.refinements, out);
                expr_spans(&it.value, out);
            }
            ast::Item::Input(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.secret);
                out.spans.extend(it.doc.span);
                type_spans(&it.ty, out);
                refinement_spans(&it.refinements, out);
                it.default.iter().for_each(|default| expr_spans(default, out));
                out.spans.extend(it.env.iter().map(|(_, span)| *span));
            }
            ast::Item::Sweep(it) => sweep_spans(it, out),
            ast::Item::Test(it) => test_spans(it, out),
            ast::Item::Schema(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                it.members.iter().for_each(|member| member_spans(member, out));
            }
            ast::Item::Mixin(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                out.spans.extend(it.schema.map(|schema| schema.span));
                body_spans(&it.body, out);
            }
            ast::Item::Experiment(it) => {
                out.spans.extend([it.span, it.name.span]);
                out.spans.extend(it.doc.span);
                out.spans.extend(it.parent.map(|parent| parent.span));
                with_spans(&it.mixins, out);
                body_spans(&it.body, out);
            }
            ast::Item::Bad(span) => out.bad(*span),
        }
    }
    (seen.spans, seen.broken)
}

struct Seen {
    spans: Vec<Span>,
    broken: bool,
}

impl Seen {
    fn bad(&mut self, span: Span) {
        self.spans.push(span);
        self.broken = true;
    }
}

fn path_spans(path: &ast::Path, out: &mut Seen) {
    out.spans.push(path.span);
    out.spans.extend(path.segments.iter().map(|segment| segment.span));
}

fn member_spans(member: &ast::Member, out: &mut Seen) {
    match member {
        ast::Member::Field(field) => {
            out.spans.extend([field.span, field.name.span]);
            out.spans.extend(field.doc.span);
            type_spans(&field.ty, out);
            refinement_spans(&field.refinements, out);
            field.default.iter().for_each(|default| expr_spans(default, out));
            for clause in &field.clauses {
                out.spans.push(clause.span);
                match &clause.kind {
                    ast::ClauseKind::Flag { spellings, kind } => {
                        out.spans.extend(spellings.iter().map(|(_, span)| *span));
                        out.spans.extend(kind.map(|kind| kind.span));
                    }
                    ast::ClauseKind::RenamedFrom(name) => out.spans.push(name.span),
                    ast::ClauseKind::Deprecated(why) => {
                        out.spans.extend(why.since.iter().chain(&why.reason).map(|(_, span)| *span));
                        why.instead.iter().for_each(|path| path_spans(path, out));
                    }
                    ast::ClauseKind::Computed => {}
                    ast::ClauseKind::Yaml(_, place) => out.spans.push(*place),
                }
            }
        }
        ast::Member::Check(check) => check_spans(check, out),
        ast::Member::Derive(derive) => {
            out.spans.extend([derive.span, derive.head]);
            out.spans.extend(derive.doc.span);
            path_spans(&derive.path, out);
            expr_spans(&derive.value, out);
            derive.when.iter().for_each(|when| expr_spans(when, out));
            out.spans.extend(derive.upstream.iter().map(|(_, span)| *span));
        }
        ast::Member::Bad(span, _) => out.bad(*span),
    }
}

fn refinement_spans(refinements: &[ast::Refinement], out: &mut Seen) {
    for refinement in refinements {
        out.spans.push(refinement.span);
        match &refinement.kind {
            ast::RefinementKind::Compare(_, bound) => expr_spans(bound, out),
            ast::RefinementKind::Range(range) => range_spans(range, out),
            ast::RefinementKind::MultipleOf(of) => expr_spans(of, out),
            ast::RefinementKind::Matches(_, span) => out.spans.push(*span),
        }
    }
}

fn with_spans(mixins: &[ast::With], out: &mut Seen) {
    for with in mixins {
        out.spans.push(with.name.span);
        with.over.iter().for_each(|path| path_spans(path, out));
    }
}

fn template_spans(template: &ast::Template, out: &mut Seen) {
    out.spans.push(template.span);
    for part in &template.parts {
        match part {
            TemplatePart::Hole(expr) => expr_spans(expr, out),
            TemplatePart::Text(_) => {}
        }
    }
}

fn sweep_spans(it: &ast::Sweep, out: &mut Seen) {
    out.spans.extend([it.span, it.name.span]);
    out.spans.extend(it.doc.span);
    out.spans.extend(it.bases.iter().map(|base| base.span));
    with_spans(&it.mixins, out);
    for axis in &it.axes {
        out.spans.push(axis.span);
        axis.paths.iter().for_each(|path| path_spans(path, out));
        match &axis.values {
            ast::AxisValues::List(list) => expr_spans(list, out),
            ast::AxisValues::Range(range) => range_spans(range, out),
            ast::AxisValues::Rows(rows) => {
                for (span, row) in rows {
                    out.spans.push(*span);
                    row.iter().for_each(|value| expr_spans(value, out));
                }
            }
        }
    }
    body_spans(&it.body, out);
    it.filters.iter().chain(&it.limit).for_each(|expr| expr_spans(expr, out));
    it.point_name.iter().for_each(|name| template_spans(name, out));
}

fn test_spans(it: &ast::Test, out: &mut Seen) {
    out.spans.extend([it.span, it.title.1]);
    out.spans.extend(it.doc.span);
    out.spans.extend(it.subject.map(|subject| subject.span));
    body_spans(&it.body, out);
    for expect in &it.expects {
        match expect {
            ast::Expect::Holds { span, condition, message } => {
                out.spans.push(*span);
                expr_spans(condition, out);
                message.iter().for_each(|message| template_spans(message, out));
            }
            ast::Expect::Error { span, name } => out.spans.extend([*span, name.span]),
        }
    }
}

fn type_spans(ty: &ast::TypeExpr, out: &mut Seen) {
    out.spans.push(ty.span);
    match &ty.kind {
        ast::TypeExprKind::Named(name) => out.spans.push(name.span),
        ast::TypeExprKind::List(inner) | ast::TypeExprKind::Map(inner) | ast::TypeExprKind::Optional(inner) => {
            type_spans(inner, out)
        }
        ast::TypeExprKind::Union(terms) => terms.iter().for_each(|term| type_spans(term, out)),
    }
}

fn check_spans(check: &ast::Check, out: &mut Seen) {
    out.spans.extend([check.span, check.head, check.name.span]);
    out.spans.extend(check.doc.span);
    expr_spans(&check.condition, out);
    check.when.iter().for_each(|when| expr_spans(when, out));
    check.message.iter().chain(&check.help).for_each(|template| template_spans(template, out));
    if let Some((path, value)) = &check.fix {
        path_spans(path, out);
        expr_spans(value, out);
    }
    out.spans.extend(check.upstream.iter().map(|(_, span)| *span));
}

fn body_spans(body: &ast::Body, out: &mut Seen) {
    out.spans.push(body.span);
    for item in &body.items {
        match item {
            ast::BodyItem::Assign(it) => {
                out.spans.extend([it.span, it.op_span]);
                out.spans.extend(it.is_final);
                path_spans(&it.path, out);
                expr_spans(&it.value, out);
            }
            ast::BodyItem::Section(it) => {
                out.spans.push(it.span);
                path_spans(&it.path, out);
                body_spans(&it.body, out);
            }
            ast::BodyItem::Unset { span, path } => {
                out.spans.push(*span);
                path_spans(path, out);
            }
            ast::BodyItem::Check(check) => check_spans(check, out),
            ast::BodyItem::Bad(span) => out.bad(*span),
        }
    }
}

fn range_spans(range: &ast::Range, out: &mut Seen) {
    out.spans.push(range.span);
    range.low.iter().chain(&range.high).for_each(|end| expr_spans(end, out));
}

fn expr_spans(expr: &ast::Expr, out: &mut Seen) {
    out.spans.push(expr.span);
    match &expr.kind {
        ExprKind::None | ExprKind::Bool(_) | ExprKind::String(_) | ExprKind::Scalar(_) | ExprKind::Super => {}
        ExprKind::Bad => out.broken = true,
        ExprKind::Number(number) => out.spans.extend(number.suffix.iter().chain(&number.unit).map(|it| it.span)),
        ExprKind::Path(path) => path_spans(path, out),
        ExprKind::List(items) => items.iter().for_each(|item| expr_spans(item, out)),
        ExprKind::Unary(_, inner) | ExprKind::IsSet(inner, _) => expr_spans(inner, out),
        ExprKind::Binary(_, left, right) | ExprKind::InList(left, right) => {
            expr_spans(left, out);
            expr_spans(right, out);
        }
        ExprKind::InRange(inner, range) => {
            expr_spans(inner, out);
            range_spans(range, out);
        }
        ExprKind::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| expr_spans(part, out));
        }
        ExprKind::Call(function, arguments) => {
            out.spans.push(function.span);
            arguments.iter().for_each(|argument| expr_spans(argument, out));
        }
    }
}
