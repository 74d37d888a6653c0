//! What stands in braces: settings, groups, checks.

use crate::base::Span;
use crate::syntax::ast::{Assign, AssignOp, Body, BodyItem, Check, Expr, ExprKind, Path, Section};
use crate::syntax::errors;
use crate::syntax::explain::Wanted;
use crate::syntax::parse::{Pair, Reader, Rule, parts};

impl Reader<'_, '_> {
    pub(crate) fn body(&mut self, pair: Pair) -> Body {
        let span = self.span(&pair);
        let mut items: Vec<BodyItem> = Vec::new();
        let mut before: Option<Span> = None;
        for part in parts(pair) {
            let place = self.span(&part);
            let crowd = before.filter(|before| !self.apart(*before, place));
            if part.as_rule() == Rule::bad_line {
                self.explain_line(Wanted::BodyItem, crowd, place);
                before = None;
                match items.last() {
                    // A group stays what it is, whatever stands behind its brace.
                    Some(BodyItem::Section(_)) | None => items.push(BodyItem::Bad(place)),
                    Some(_) => {
                        if crowd.is_some() {
                            items.pop();
                        }
                        items.push(BodyItem::Bad(crowd.unwrap_or(place).to(place)));
                    }
                }
                continue;
            }
            if crowd.is_some() {
                self.report.push(errors::crowded(place));
            }
            before = Some(place);
            items.extend(self.body_item(part));
        }
        Body { span, items }
    }

    /// A setting, a group, `unset` or a check.
    pub(crate) fn body_item(&mut self, pair: Pair) -> Option<BodyItem> {
        let place = self.span(&pair);
        match pair.as_rule() {
            Rule::check => self.check(pair).map(|check| BodyItem::Check(Box::new(check))),
            Rule::unset => parts(pair).next().map(|path| BodyItem::Unset { span: place, path: self.path(path) }),
            Rule::setting => self.setting(pair),
            _ => None,
        }
    }

    /// `path { … }`, `path = { … }` or `path = value`.
    fn setting(&mut self, pair: Pair) -> Option<BodyItem> {
        let span = self.span(&pair);
        let all: Vec<Pair> = parts(pair).collect();
        let last = all.last()?;
        match last.as_rule() {
            Rule::body => self.section(span, all).map(BodyItem::Section),
            _ => self.assign(all).map(BodyItem::Assign),
        }
    }

    fn section(&mut self, span: Span, all: Vec<Pair>) -> Option<Section> {
        let (mut path, mut restart, mut body) = (None, false, None);
        for part in all {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::kw_final => self.report.push(errors::final_group(place)),
                Rule::target => path = Some(self.path(part)),
                Rule::assign_op => {
                    restart = true;
                    if part.as_str() != "=" {
                        self.report.push(errors::restart_operator(place, part.as_str()));
                    }
                }
                Rule::wrong_op => {
                    restart = part.as_str() != ":";
                    self.report.push(errors::restart_operator(place, part.as_str()));
                }
                Rule::body => body = Some(self.body(part)),
                _ => {}
            }
        }
        Some(Section { span, path: path?, restart, body: body? })
    }

    /// The parts of `[final] path op value`.
    pub(crate) fn assign(&mut self, all: Vec<Pair>) -> Option<Assign> {
        let no_value = all.last().is_some_and(|value| value.as_str().trim().is_empty());
        let (mut is_final, mut path, mut op, mut value): (_, Option<Path>, _, _) = (None, None, None, None);
        for part in all {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::kw_final => is_final = Some(place),
                Rule::target => path = Some(self.path(part)),
                Rule::assign_op => {
                    let kind = match part.as_str() {
                        "?=" => AssignOp::Weak,
                        "+=" => AssignOp::Append,
                        "-=" => AssignOp::Remove,
                        _ => AssignOp::Set,
                    };
                    op = Some((kind, place));
                }
                Rule::wrong_op => {
                    op = Some((AssignOp::Set, place));
                    match &path {
                        Some(path) if part.as_str() == ":" && no_value => {
                            self.report.push(errors::group_with_colon(place, &path.to_string()));
                        }
                        Some(_) | None => self.report.push(errors::wrong_assignment(place, part.as_str())),
                    }
                }
                // A `:` with nothing behind it was complained about.
                _ if no_value && op.is_some_and(|(_, span)| self.written(span) == ":") => {
                    value = Some(Expr { span: place, kind: ExprKind::Bad });
                }
                _ => {
                    let (of, after) = (path.as_ref().map(Path::to_string), op.map_or(place, |(_, span)| span));
                    value = Some(self.value(
                        part,
                        &of.unwrap_or_default(),
                        after,
                        "write the value, or remove the line to keep the one it has",
                    ));
                }
            }
        }
        let ((op, op_span), path, value) = (op?, path?, value?);
        let span = is_final.unwrap_or(path.span).to(op_span).to(value.span);
        Some(Assign { span, is_final, path, op, op_span, value })
    }

    /// An expression, or what stands where one was wanted. `after` is what it should follow, as the value of `of`;
    /// `instead` says what to do if nothing stands there.
    pub(crate) fn value(&mut self, pair: Pair, of: &str, after: Span, instead: &str) -> Expr {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::bad_value | Rule::bad_clause_value => {
                self.explain_value(span, of, after, instead);
                Expr { span, kind: ExprKind::Bad }
            }
            _ => self.expr(pair),
        }
    }

    pub(crate) fn check(&mut self, pair: Pair) -> Option<Check> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let mut inner = parts(pair);
        let head = inner.next()?;
        let head_span = self.span(&head);
        let mut head = parts(head);
        let level = head.next()?;
        let name = self.ident(&head.next()?);
        let condition = self.value(head.next()?, name.name.as_str(), head_span, "write the condition that must hold");
        let mut check = Check {
            span,
            head: head_span,
            doc,
            warn: level.as_str() == "warn",
            name,
            condition,
            when: None,
            message: None,
            help: None,
            fix: None,
            upstream: None,
        };
        let mut last: Option<(u8, &'static str, Span)> = None;
        for clause in inner {
            let place = self.span(&clause);
            let (rank, word) = match clause.as_rule() {
                Rule::when_clause => (0, "when"),
                Rule::else_clause => (1, "else"),
                Rule::help_clause => (2, "help"),
                Rule::fix_clause => (3, "fix"),
                _ => (4, "upstream"),
            };
            if let Some((_, earlier, span)) = last.filter(|(earlier, ..)| *earlier >= rank) {
                self.report.push(errors::misplaced_clause(place, word, span, earlier));
            } else {
                last = Some((rank, word, place));
            }
            self.check_clause(clause, &mut check);
        }
        Some(check)
    }

    fn check_clause(&mut self, clause: Pair, check: &mut Check) {
        let place = self.span(&clause);
        let rule = clause.as_rule();
        let mut inner = parts(clause);
        let Some(first) = inner.next() else { return };
        match rule {
            Rule::when_clause => {
                check.when = Some(self.value(
                    first,
                    "when",
                    place,
                    "write the condition under which the check applies, or remove the clause",
                ))
            }
            Rule::else_clause => check.message = Some(self.template(&first)),
            Rule::help_clause => check.help = Some(self.template(&first)),
            Rule::fix_clause => {
                let path = self.path(first);
                let of = path.to_string();
                check.fix = inner.next().map(|value| {
                    (path, self.value(value, &of, place, "write the value that mends it, or remove the clause"))
                });
            }
            _ => check.upstream = Some((self.string(&first), self.span(&first))),
        }
    }
}
