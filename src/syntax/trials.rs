//! Declarations that try experiments: `sweep` and `test`.

use crate::base::{Name, Span};
use crate::syntax::ast::{Axis, AxisValues, Body, BodyItem, Expect, Ident, Sweep, Test};
use crate::syntax::errors;
use crate::syntax::explain::Wanted;
use crate::syntax::parse::{Pair, Reader, Rule, parts};

impl Reader<'_, '_> {
    pub(crate) fn sweep(&mut self, pair: Pair) -> Option<Sweep> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let mut name = None;
        let (mut bases, mut mixins) = (Vec::new(), Vec::new());
        let (mut axes, mut items, mut filters) = (Vec::new(), Vec::new(), Vec::new());
        let (mut limit, mut point_name): (Option<(Span, _)>, Option<(Span, _)>) = (None, None);
        let mut before: Option<Span> = None;
        for part in parts(pair) {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::ident => {
                    name = Some(self.ident(&part));
                    continue;
                }
                Rule::of_part => {
                    bases.extend(parts(part).map(|base| self.ident(&base)));
                    continue;
                }
                Rule::with_part => {
                    mixins.extend(parts(part).filter_map(|with| self.with_item(with)));
                    continue;
                }
                Rule::bad_head => {
                    self.explain_head(Rule::only_sweep_head, span, place);
                    continue;
                }
                Rule::bad_line => {
                    self.explain_line(Wanted::SweepItem, self.crowd(before, place), place);
                    before = None;
                    continue;
                }
                _ => {}
            }
            if self.crowd(before, place).is_some() {
                self.report.push(errors::crowded(place));
            }
            before = Some(place);
            match part.as_rule() {
                Rule::axis => axes.extend(self.axis(part)),
                Rule::zip_axis => axes.extend(self.zip_axis(part)),
                Rule::where_line => {
                    let help = "write the condition that the points must meet, or remove the line";
                    filters.extend(parts(part).next().map(|value| self.value(value, "where", place, help)));
                }
                Rule::limit_line => {
                    let help = "write the number of points, or remove the line";
                    let value = parts(part).next().map(|value| self.value(value, "limit", place, help));
                    self.once("limit", place, &mut limit, value);
                }
                Rule::name_line => {
                    let value = parts(part).next().map(|text| self.template(&text));
                    self.once("name", place, &mut point_name, value);
                }
                _ => items.extend(self.body_item(part)),
            }
        }
        let body = Body { span, items };
        let (limit, point_name) = (limit.map(|found| found.1), point_name.map(|found| found.1));
        Some(Sweep { span, doc, name: name?, bases, mixins, axes, body, filters, limit, point_name })
    }

    /// What stands on the same line before a place.
    fn crowd(&self, before: Option<Span>, place: Span) -> Option<Span> {
        before.filter(|before| !self.apart(*before, place))
    }

    /// A line that may stand once.
    fn once<T>(&mut self, word: &str, place: Span, slot: &mut Option<(Span, T)>, value: Option<T>) {
        match (slot.as_ref(), value) {
            (Some((first, _)), _) => self.report.push(errors::second_clause(place, word, *first)),
            (None, value) => *slot = value.map(|value| (place, value)),
        }
    }

    fn axis(&mut self, pair: Pair) -> Option<Axis> {
        let span = self.span(&pair);
        let mut inner = parts(pair);
        let path = self.path(inner.next()?);
        let values = inner.next()?;
        let values = match values.as_rule() {
            Rule::range => AxisValues::Range(self.range(values)),
            _ => {
                let of = path.to_string();
                let help = "write the values: `in [1e-4, 2e-4]`";
                AxisValues::List(self.value(values, &of, path.span, help))
            }
        };
        Some(Axis { span, paths: vec![path], values })
    }

    fn zip_axis(&mut self, pair: Pair) -> Option<Axis> {
        let span = self.span(&pair);
        let (mut paths, mut rows) = (Vec::new(), Vec::new());
        for part in parts(pair) {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::path => paths.push(self.path(part)),
                _ => rows.push((place, parts(part).map(|value| self.expr(value)).collect())),
            }
        }
        Some(Axis { span, paths, values: AxisValues::Rows(rows) })
    }

    pub(crate) fn test_decl(&mut self, pair: Pair) -> Option<Test> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut title, mut subject) = (None, None);
        let (mut items, mut expects): (Vec<BodyItem>, Vec<Expect>) = (Vec::new(), Vec::new());
        let mut before: Option<Span> = None;
        for part in parts(pair) {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::string => {
                    title = Some((self.string(&part), place));
                    continue;
                }
                Rule::for_part => {
                    subject = parts(part).next().map(|name| self.ident(&name));
                    continue;
                }
                Rule::bad_head => {
                    self.explain_head(Rule::only_test_head, span, place);
                    continue;
                }
                Rule::bad_line => {
                    self.explain_line(Wanted::TestItem, self.crowd(before, place), place);
                    before = None;
                    continue;
                }
                _ => {}
            }
            if self.crowd(before, place).is_some() {
                self.report.push(errors::crowded(place));
            }
            before = Some(place);
            match part.as_rule() {
                Rule::expect => expects.extend(self.expect(part)),
                Rule::expect_error => {
                    let name =
                        parts(part).next().map(|name| Ident { name: Name::new(name.as_str()), span: self.span(&name) });
                    expects.extend(name.map(|name| Expect::Error { span: place, name }));
                }
                _ => items.extend(self.body_item(part)),
            }
        }
        Some(Test { span, doc, title: title?, subject, body: Body { span, items }, expects })
    }

    fn expect(&mut self, pair: Pair) -> Option<Expect> {
        let span = self.span(&pair);
        let mut inner = parts(pair);
        let condition = self.value(inner.next()?, "expect", span, "write the condition that must hold");
        let message = inner.next().and_then(|clause| parts(clause).next()).map(|text| self.template(&text));
        Some(Expect::Holds { span, condition, message })
    }
}
