//! Bodies of experiments and mixins, and settings of the command line: paths to fields, values to expressions.

use std::collections::HashMap;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::typing::{Typer, is_failed};
use crate::resolve::{Change, FieldId, GroupId, Member, Rule, Schema, Setting, errors, schema};
use crate::syntax::ast;
use crate::types::{EnumType, Type};

/// What a body says.
#[derive(Default)]
pub(super) struct Resolved {
    pub(super) settings: Vec<Setting>,
    pub(super) rules: Vec<Rule>,
}

/// Resolves a body against a schema.
pub(super) fn body(enums: &[EnumType], schema: &Schema, source: &ast::Body, sink: &mut Sink) -> Resolved {
    let mut reader = Reader { enums, schema, sink, seen: HashMap::new(), out: Resolved::default() };
    reader.items(GroupId(0), &source.items);
    reader.out
}

/// Resolves one setting of the command line against a schema; nothing if it is wrong.
pub fn setting(enums: &[EnumType], schema: &Schema, source: &ast::Assign, sink: &mut Sink) -> Option<Setting> {
    let mut reader = Reader { enums, schema, sink, seen: HashMap::new(), out: Resolved::default() };
    reader.assign(GroupId(0), source);
    reader.out.settings.pop()
}

struct Reader<'a> {
    enums: &'a [EnumType],
    schema: &'a Schema,
    sink: &'a mut Sink,
    /// Where each field was set in this body.
    seen: HashMap<FieldId, Span>,
    out: Resolved,
}

impl Reader<'_> {
    fn items(&mut self, group: GroupId, items: &[ast::BodyItem]) {
        for item in items {
            match item {
                ast::BodyItem::Assign(assign) => self.assign(group, assign),
                ast::BodyItem::Section(section) => self.section(group, section),
                ast::BodyItem::Unset { span, path } => {
                    if let Some(target) = self.target(group, path) {
                        self.forget(target);
                        self.push(Change::Unset(target), path.span, *span, None);
                    }
                }
                ast::BodyItem::Check(check) => {
                    let rule = schema::rule(self.enums, self.schema, group, check, self.sink);
                    self.out.rules.push(rule);
                }
                ast::BodyItem::Bad(_) => {}
            }
        }
    }

    fn section(&mut self, group: GroupId, section: &ast::Section) {
        match self.target(group, &section.path) {
            Some(Member::Group(inner)) => {
                if section.restart {
                    self.forget(Member::Group(inner));
                    self.push(Change::Restart(inner), section.path.span, section.path.span, None);
                }
                self.items(inner, &section.body.items);
            }
            Some(Member::Field(field)) => {
                self.sink.push(errors::field_opened(&section.path, self.schema.field(field)));
            }
            None => {}
        }
    }

    fn assign(&mut self, group: GroupId, assign: &ast::Assign) {
        let field = match self.target(group, &assign.path) {
            Some(Member::Field(field)) => field,
            Some(Member::Group(inner)) => {
                self.sink.push(errors::group_assigned(assign, self.schema.group(inner)));
                return;
            }
            None => return,
        };
        let declared = self.schema.field(field);
        if let Some(reason) = &declared.deprecated {
            self.sink.push(errors::deprecated_field(assign.path.span, declared, reason));
        }
        let overrides = matches!(assign.op, ast::AssignOp::Set | ast::AssignOp::Weak);
        if let Some(first) = self.seen.insert(field, assign.path.span).filter(|_| overrides) {
            self.sink.push(errors::duplicate_setting(assign.path.span, first, declared));
            return;
        }
        if !overrides && !matches!(declared.ty.required(), Type::List(_)) {
            self.sink.push(errors::not_a_list(assign, declared));
            return;
        }
        let mut typer = Typer {
            enums: self.enums,
            schema: self.schema,
            group: declared.group,
            below: Some(declared.ty.clone()),
            sink: self.sink,
        };
        let value = match (overrides, declared.ty.required()) {
            // `+=` and `-=` take a list of items or a single one.
            (false, Type::List(inner)) if !matches!(assign.value.kind, ast::ExprKind::List(_)) => {
                let item = typer.value(&assign.value, declared, inner);
                Expr { span: item.span, ty: declared.ty.required().clone(), kind: ExprKind::List(vec![item]) }
            }
            (false, list) => typer.value(&assign.value, declared, list),
            (true, _) => typer.value(&assign.value, declared, &declared.ty),
        };
        // A failed value still stands as a setting, so that the field counts as set and is not reported as missing.
        let change = match assign.op {
            ast::AssignOp::Set => Change::Set(field, value),
            ast::AssignOp::Weak => Change::Weak(field, value),
            ast::AssignOp::Append if is_failed(&value) => return,
            ast::AssignOp::Append => Change::Append(field, value),
            ast::AssignOp::Remove if is_failed(&value) => return,
            ast::AssignOp::Remove => Change::Remove(field, value),
        };
        self.push(change, assign.path.span, assign.span, assign.is_final);
    }

    fn push(&mut self, change: Change, path: Span, span: Span, is_final: Option<Span>) {
        self.out.settings.push(Setting { change, path, span, is_final });
    }

    /// What is set anew after `group = { }` or `unset` is no duplicate.
    fn forget(&mut self, target: Member) {
        self.seen.retain(|field, _| !self.schema.within(*field, target));
    }

    /// The field or group of a path, looked up within `group` alone.
    fn target(&mut self, group: GroupId, path: &ast::Path) -> Option<Member> {
        let mut at = Member::Group(group);
        for segment in &path.segments {
            let inner = match at {
                Member::Group(inner) => inner,
                Member::Field(field) => {
                    self.sink.push(errors::field_opened(path, self.schema.field(field)));
                    return None;
                }
            };
            match self.schema.member(inner, segment.name) {
                Some(member) => at = member,
                None => {
                    self.unknown(inner, *segment, path);
                    return None;
                }
            }
        }
        Some(at)
    }

    fn unknown(&mut self, group: GroupId, segment: ast::Ident, path: &ast::Path) {
        let renamed = |name: Name| {
            let mut fields = self.schema.fields.iter();
            fields.find(|field| field.group == group && field.renamed_from == Some(name))
        };
        let diagnostic = match renamed(segment.name) {
            Some(field) => errors::renamed_field(segment, field),
            None => errors::unknown_field(self.schema, group, segment, path),
        };
        self.sink.push(diagnostic);
    }
}
