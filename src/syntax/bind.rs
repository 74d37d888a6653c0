//! Names for types and values: `type`, `let`, `input`.

use crate::syntax::ast::{Input, Let, TypeAlias};
use crate::syntax::parse::{Pair, Reader, Rule, parts};

impl Reader<'_, '_> {
    pub(crate) fn type_alias(&mut self, pair: Pair) -> Option<TypeAlias> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut ty, mut refinements) = (None, None, Vec::new());
        for part in parts(pair) {
            match part.as_rule() {
                Rule::ident => name = Some(self.ident(&part)),
                Rule::type_expr => ty = Some(self.type_expr(part)?),
                _ => refinements.extend(self.refinement(part)),
            }
        }
        Some(TypeAlias { span, doc, name: name?, ty: ty?, refinements })
    }

    pub(crate) fn let_decl(&mut self, pair: Pair) -> Option<Let> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut name, mut ty, mut refinements, mut value) = (None, None, Vec::new(), None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::ident => name = Some(self.ident(&part)),
                Rule::type_expr => ty = Some(self.type_expr(part)?),
                Rule::refinement => refinements.extend(self.refinement(part)),
                _ => value = Some(self.expr(part)),
            }
        }
        Some(Let { span, doc, name: name?, ty, refinements, value: value? })
    }

    pub(crate) fn input_decl(&mut self, pair: Pair) -> Option<Input> {
        let span = self.span(&pair);
        let doc = self.doc(span);
        let (mut secret, mut name, mut ty, mut refinements) = (None, None, None, Vec::new());
        let (mut default, mut env) = (None, None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::kw_secret => secret = Some(self.span(&part)),
                Rule::ident => name = Some(self.ident(&part)),
                Rule::type_expr => ty = Some(self.type_expr(part)?),
                Rule::refinement => refinements.extend(self.refinement(part)),
                Rule::env_part => env = parts(part).next().map(|text| (self.string(&text), self.span(&text))),
                _ => default = Some(self.expr(part)),
            }
        }
        Some(Input { span, doc, secret, name: name?, ty: ty?, refinements, default, env })
    }
}
