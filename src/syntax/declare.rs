//! Declarations: imports, enums, schemas, and the heads of mixins and experiments.

use crate::base::{Name, Span, nearest};
use crate::syntax::ast::{
    BinaryOp, Clause, ClauseKind, Deprecated, Derive, Enum, EnumValue, Experiment, Field, Ident, Member, Mixin, Path,
    Refinement, RefinementKind, Schema, TypeExpr, TypeExprKind, Use, UseName, UseSource, With,
};
use crate::syntax::errors;
use crate::syntax::explain::Wanted;
use crate::syntax::lex::{self, Kind, RESERVED, Token};
use crate::syntax::parse::{Pair, Reader, Rule, first_word, parts};

impl Reader<'_, '_> {
    pub(crate) fn use_decl(&mut self, pair: Pair) -> Option<Use> {
        let span = self.span(&pair);
        let mut source = None;
        let mut names = Vec::new();
        for part in parts(pair) {
            match part.as_rule() {
                Rule::string => {
                    source = Some(UseSource::File { path: self.string(&part), span: self.span(&part) });
                }
                Rule::path => source = Some(UseSource::Module(self.path(part))),
                Rule::use_names => names.extend(parts(part).filter_map(|name| self.use_name(name))),
                Rule::as_name => {
                    let alias = parts(part).next().map(|alias| self.ident(&alias));
                    names.extend(self.last_of(&mut source).map(|name| UseName { name, alias }));
                }
                _ => {}
            }
        }
        if names.is_empty() && !matches!(source, Some(UseSource::File { .. })) {
            names.extend(self.last_of(&mut source).map(|name| UseName { name, alias: None }));
        }
        if let (Some(UseSource::Module(path)), Some(first)) = (&source, names.first())
            && path.segments.is_empty()
        {
            self.report.push(errors::import_without_module(path.span, first.name.name.as_str()));
        }
        Some(Use { span, source: source?, names })
    }

    /// Takes the last name off a dotted path: what is left is the module.
    fn last_of(&self, source: &mut Option<UseSource>) -> Option<crate::syntax::ast::Ident> {
        let Some(UseSource::Module(path)) = source else { return None };
        let last = path.segments.pop()?;
        if let (Some(first), Some(end)) = (path.segments.first(), path.segments.last()) {
            path.span = first.span.to(end.span);
        }
        Some(last)
    }

    fn use_name(&mut self, pair: Pair) -> Option<UseName> {
        let mut inner = parts(pair);
        let name = self.ident(&inner.next()?);
        let alias = inner.next().and_then(|alias| parts(alias).next()).map(|alias| self.ident(&alias));
        Some(UseName { name, alias })
    }

    pub(crate) fn enum_decl(&mut self, pair: Pair) -> Option<Enum> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let mut name = None;
        let mut values = Vec::new();
        let mut crowded: Vec<(Span, Span)> = Vec::new();
        let mut before: Option<Span> = None;
        for part in pair.into_inner() {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::ident => name = Some(self.ident(&part)),
                Rule::bad_head => self.explain_head(Rule::only_block_head, span, place),
                Rule::comma => before = None,
                Rule::enum_value => {
                    crowded.extend(before.filter(|before| !self.apart(*before, place)).map(|before| (before, place)));
                    values.extend(self.enum_value(part));
                    before = Some(place);
                }
                Rule::bad_line => {
                    let before = before.take().filter(|before| !self.apart(*before, place));
                    self.explain_line(Wanted::EnumValue, before, place);
                }
                _ => {}
            }
        }
        if let Some(diagnostic) = errors::crowded_values(&crowded) {
            self.report.push(diagnostic);
        }
        Some(Enum { span, doc, name: name?, values })
    }

    fn enum_value(&mut self, pair: Pair) -> Option<EnumValue> {
        let doc = self.doc(self.span(&pair));
        let mut inner = parts(pair);
        let name = self.ident(&inner.next()?);
        let spelled = inner.next().map(|spelled| (self.string(&spelled), self.span(&spelled)));
        Some(EnumValue { doc, name, spelled })
    }

    pub(crate) fn schema(&mut self, pair: Pair) -> Option<Schema> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut extends, mut members) = (None, false, Vec::new());
        let mut before: Option<Span> = None;
        for part in parts(pair) {
            let place = self.span(&part);
            let crowd = before.filter(|before| !self.apart(*before, place));
            let member = match part.as_rule() {
                Rule::kw_extend => {
                    extends = true;
                    None
                }
                Rule::ident => {
                    name = Some(self.ident(&part));
                    None
                }
                Rule::bad_head => {
                    self.explain_head(Rule::only_block_head, span, place);
                    None
                }
                Rule::field => self.field(part).map(|field| Member::Field(Box::new(field))),
                Rule::check => self.check(part).map(|check| Member::Check(Box::new(check))),
                Rule::derive => self.derive(part).map(|derive| Member::Derive(Box::new(derive))),
                Rule::bad_line => {
                    self.explain_line(Wanted::Member, crowd, place);
                    before = None;
                    let start = if crowd.is_some() { members.pop().as_ref().and_then(member_span) } else { None };
                    let all = start.unwrap_or(place).to(place);
                    members.push(Member::Bad(all, self.name_at(all)));
                    None
                }
                _ => None,
            };
            if let Some(member) = member {
                if crowd.is_some() {
                    self.report.push(errors::crowded(place));
                }
                before = Some(place);
                members.push(member);
            }
        }
        Some(Schema { span, doc, extends, name: name?, members })
    }

    fn field(&mut self, pair: Pair) -> Option<Field> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut ty, mut refinements) = (None, None, Vec::new());
        let (mut default, mut clauses): (_, Vec<Clause>) = (None, Vec::new());
        for part in parts(pair) {
            match part.as_rule() {
                Rule::ident => name = Some(self.ident(&part)),
                Rule::type_expr => ty = Some(self.type_expr(part)?),
                Rule::refinement => refinements.extend(self.refinement(part)),
                Rule::default => {
                    let after = self.span(&part);
                    let of = name.map_or("", |name| name.name.as_str());
                    default = parts(part).next().map(|value| {
                        self.value(
                            value,
                            of,
                            after,
                            "write the default, or remove the `=` to have the field set by every experiment",
                        )
                    });
                }
                _ => {
                    if let Some(clause) = self.field_clause(part) {
                        let same = |other: &&Clause| clause_word(other) == clause_word(&clause);
                        if let Some(earlier) = clauses.iter().find(same) {
                            let word = clause_word(&clause);
                            self.report.push(errors::second_clause(clause.span, word, earlier.span));
                        } else {
                            clauses.push(clause);
                        }
                    }
                }
            }
        }
        Some(Field { span, doc, name: name?, ty: ty?, refinements, default, clauses })
    }

    pub(crate) fn type_expr(&mut self, pair: Pair) -> Option<TypeExpr> {
        let span = self.span(&pair);
        let mut terms = Vec::new();
        for term in parts(pair) {
            terms.push(self.type_term(term)?);
        }
        if terms.len() == 1 {
            return terms.pop();
        }
        Some(TypeExpr { span, kind: TypeExprKind::Union(terms) })
    }

    fn type_term(&mut self, pair: Pair) -> Option<TypeExpr> {
        let span = self.span(&pair);
        let mut ty = None;
        for part in parts(pair) {
            let place = self.span(&part);
            let kind = match part.as_rule() {
                Rule::ident => TypeExprKind::Named(self.ident(&part)),
                Rule::generic => self.generic_type(part)?,
                Rule::optional_mark => TypeExprKind::Optional(Box::new(ty.take()?)),
                _ => continue,
            };
            let span = if part_is_mark(&kind) { span } else { place };
            ty = Some(TypeExpr { span, kind });
        }
        ty
    }

    /// `list<T>` or `map<string, T>`.
    fn generic_type(&mut self, pair: Pair) -> Option<TypeExprKind> {
        let mut inner = parts(pair);
        let name = inner.next()?;
        let first = self.type_expr(inner.next()?)?;
        let second = inner.next();
        if name.as_str() == "map" {
            let text = matches!(&first.kind, TypeExprKind::Named(name) if name.name.as_str() == "string");
            if !text || second.is_none() {
                self.report.push(errors::map_key(first.span, self.written(first.span), second.is_some()));
            }
            let value = match second {
                Some(second) => self.type_expr(second)?,
                None => first,
            };
            return Some(TypeExprKind::Map(Box::new(value)));
        }
        if let Some(more) = second {
            let found = format!("`{}`", more.as_str().trim_end());
            self.report.push(errors::unexpected(self.span(&more), "one type in `list<T>`", &found));
        }
        Some(TypeExprKind::List(Box::new(first)))
    }

    fn derive(&mut self, pair: Pair) -> Option<Derive> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let mut inner = parts(pair);
        let head = inner.next()?;
        let head_span = self.span(&head);
        let mut head = parts(head);
        let path = self.path(head.next()?);
        let of = path.to_string();
        let value = self.value(head.next()?, &of, head_span, "write the value that is derived");
        let mut derive = Derive { span, head: head_span, doc, path, value, when: None, upstream: None };
        let mut last: Option<(&'static str, Span)> = None;
        for clause in inner {
            let place = self.span(&clause);
            let word = if clause.as_rule() == Rule::when_clause { "when" } else { "upstream" };
            if let Some((earlier, span)) = last.filter(|(earlier, _)| *earlier == word || word == "when") {
                self.report.push(errors::misplaced_clause(place, word, span, earlier));
            }
            last = Some((word, place));
            let Some(first) = parts(clause).next() else { continue };
            match word {
                "when" => {
                    let help = "write the condition under which the value is derived, or remove the clause";
                    derive.when = Some(self.value(first, "when", place, help));
                }
                _ => derive.upstream = Some((self.string(&first), self.span(&first))),
            }
        }
        Some(derive)
    }

    fn deprecated(&mut self, pair: Pair) -> Deprecated {
        let dated = pair.clone().into_inner().any(|part| part.as_rule() == Rule::kw_since);
        let mut deprecated = Deprecated { since: None, instead: None, reason: None };
        for part in parts(pair) {
            match part.as_rule() {
                Rule::use_instead => deprecated.instead = parts(part).next().map(|path| self.path(path)),
                _ => {
                    let text = Some((self.string(&part), self.span(&part)));
                    let slot = if dated && deprecated.since.is_none() {
                        &mut deprecated.since
                    } else {
                        &mut deprecated.reason
                    };
                    *slot = text;
                }
            }
        }
        deprecated
    }

    pub(crate) fn refinement(&mut self, pair: Pair) -> Option<Refinement> {
        let span = self.span(&pair);
        let pair = parts(pair).next()?;
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        let first = inner.next()?;
        let kind = match rule {
            Rule::refine_compare => {
                let op = match first.as_str() {
                    "<" => BinaryOp::Less,
                    "<=" => BinaryOp::LessEqual,
                    ">" => BinaryOp::Greater,
                    _ => BinaryOp::GreaterEqual,
                };
                RefinementKind::Compare(op, self.expr(inner.next()?))
            }
            Rule::refine_range => RefinementKind::Range(self.range(first)),
            Rule::refine_multiple => RefinementKind::MultipleOf(self.expr(first)),
            _ => RefinementKind::Matches(self.string(&first), self.span(&first)),
        };
        Some(Refinement { span, kind })
    }

    fn field_clause(&mut self, pair: Pair) -> Option<Clause> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        if rule == Rule::deprecated_clause {
            return Some(Clause { span, kind: ClauseKind::Deprecated(self.deprecated(pair)) });
        }
        let mut inner = parts(pair);
        let kind = match rule {
            Rule::flag_clause => {
                let (mut spellings, mut kind) = (Vec::new(), None);
                for part in inner {
                    match part.as_rule() {
                        Rule::string => spellings.push((self.string(&part), self.span(&part))),
                        _ => kind = Some(self.ident(&part)),
                    }
                }
                ClauseKind::Flag { spellings, kind }
            }
            Rule::renamed_clause => ClauseKind::RenamedFrom(self.ident(&inner.next()?)),
            Rule::computed_clause => ClauseKind::Computed,
            Rule::yaml_clause => {
                let key = inner.next()?;
                ClauseKind::Yaml(self.string(&key), self.span(&key))
            }
            _ => return None,
        };
        Some(Clause { span, kind })
    }

    pub(crate) fn mixin(&mut self, pair: Pair) -> Option<Mixin> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut schema, mut body) = (None, None, None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::ident => name = Some(self.ident(&part)),
                Rule::for_part => schema = parts(part).next().map(|schema| self.ident(&schema)),
                Rule::bad_head => self.explain_head(Rule::only_mixin_head, span, self.span(&part)),
                Rule::body => body = Some(self.body(part)),
                _ => {}
            }
        }
        Some(Mixin { span, doc, name: name?, schema, body: body? })
    }

    pub(crate) fn experiment(&mut self, pair: Pair) -> Option<Experiment> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut parent, mut mixins, mut body) = (None, None, Vec::new(), None);
        let (mut is_abstract, mut has_bad_head) = (false, false);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::kw_abstract => is_abstract = true,
                Rule::ident => name = Some(self.ident(&part)),
                Rule::extends_part => parent = parts(part).next().map(|parent| self.ident(&parent)),
                Rule::with_part => mixins.extend(parts(part).filter_map(|with| self.with_item(with))),
                Rule::bad_head => {
                    has_bad_head = true;
                    self.explain_head(Rule::only_experiment_head, span, self.span(&part));
                    // What it most likely extends, so that its settings are checked all the same.
                    parent = parent.or_else(|| self.misspelt_parent(&part));
                }
                Rule::body => body = Some(self.body(part)),
                _ => {}
            }
        }
        Some(Experiment { span, doc, is_abstract, name: name?, parent, has_bad_head, mixins, body: body? })
    }

    /// The name behind a word that was meant as `extends`: in `extnds Bakery`, `: Bakery`, `(Bakery)` or `Bakery`.
    fn misspelt_parent(&self, head: &Pair) -> Option<Ident> {
        let span = self.span(head);
        let tokens = lex::lex(head.as_str());
        let text = |token: &Token| token.text(head.as_str());
        let is_name = |token: &&Token| token.kind == Kind::Word && !RESERVED.contains(&text(token));
        let mut rest = tokens.iter();
        let name = if rest.any(|token| text(token) == "extends") {
            rest.next().filter(is_name)?
        } else {
            let (first, second) = (tokens.first()?, tokens.get(1));
            let is_slip = matches!(text(first), ":" | "(" | "=" | "<") || nearest(text(first), ["extends"]).is_some();
            let name = if is_slip || second.is_some_and(|token| is_name(&token)) { second? } else { first };
            Some(name).filter(is_name).filter(|_| !matches!(text(first), "with" | "-"))?
        };
        let start = self.local(span).start;
        let (from, to) = (start + name.start as usize, start + name.end as usize);
        Some(Ident { name: Name::new(text(name)), span: self.place(from..to) })
    }

    pub(crate) fn with_item(&mut self, pair: Pair) -> Option<With> {
        let mut inner = parts(pair);
        let name = self.ident(&inner.next()?);
        let over: Vec<Path> = inner.map(|path| self.path(path)).collect();
        Some(With { name, over })
    }

    /// Whether two things have a line break or a `;` between them.
    pub(crate) fn apart(&self, first: Span, second: Span) -> bool {
        self.clean(self.local(first).end..self.local(second).start).contains(['\n', ';'])
    }
}

/// An optional type covers its mark, the type within it does not.
fn part_is_mark(kind: &TypeExprKind) -> bool {
    match kind {
        TypeExprKind::Optional(_) => true,
        TypeExprKind::Named(_) | TypeExprKind::List(_) | TypeExprKind::Map(_) | TypeExprKind::Union(_) => false,
    }
}

fn clause_word(clause: &Clause) -> &'static str {
    match clause.kind {
        ClauseKind::Flag { .. } => "flag",
        ClauseKind::RenamedFrom(_) => "renamed",
        ClauseKind::Deprecated(_) => "deprecated",
        ClauseKind::Computed => "computed",
        ClauseKind::Yaml(..) => "yaml",
    }
}

impl Reader<'_, '_> {
    /// The word that a piece of text begins with.
    fn name_at(&self, span: Span) -> Option<Ident> {
        let range = self.local(span);
        let word = first_word(self.clean(range.clone()));
        let is_name = word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        let place = self.place(range.start..range.start + word.len());
        is_name.then(|| Ident { name: Name::new(word), span: place })
    }
}

fn member_span(member: &Member) -> Option<Span> {
    match member {
        Member::Field(field) => Some(field.span),
        Member::Check(check) => Some(check.span),
        Member::Derive(derive) => Some(derive.span),
        Member::Bad(span, _) => Some(*span),
    }
}
