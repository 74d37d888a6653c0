//! Bodies of experiments and mixins, and settings of the command line: paths to fields, values to expressions.

use std::collections::HashMap;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::typing::{Typer, is_failed};
use crate::resolve::{Change, FieldId, GroupId, Member, Rule, Schema, Setting, errors, schema};
use crate::syntax::{self, ast};
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

/// Resolves what comes from outside a file, an argument of the command line or a values file, against a schema. What is
/// wrong is left out.
pub fn settings(enums: &[EnumType], schema: &Schema, source: &ast::Body, sink: &mut Sink) -> Vec<Setting> {
    body(enums, schema, source, sink).settings
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
                    if let Some(target) = self.target(group, path).exact() {
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
            Target::Exact(Member::Group(inner)) => {
                if section.restart {
                    self.forget(Member::Group(inner));
                    self.push(Change::Restart(inner), section.path.span, section.path.span, None);
                }
                self.items(inner, &section.body.items);
            }
            Target::Exact(Member::Field(field)) => {
                self.sink.push(errors::field_opened(&section.path, self.schema.field(field)));
            }
            // What is set in a group whose name has a slip is set all the same, so that nothing is reported as missing.
            Target::Meant(Member::Group(inner)) if self.knows_some(inner, &section.body.items) => {
                self.items(inner, &section.body.items);
            }
            Target::Meant(_) | Target::None => {}
        }
    }

    fn assign(&mut self, group: GroupId, assign: &ast::Assign) {
        let field = match self.target(group, &assign.path) {
            Target::Exact(Member::Field(field)) => field,
            Target::Exact(Member::Group(inner)) => {
                // `group:` above an indented block was complained about when it was read.
                // In a values file a group under which nothing stands is empty.
                let unwritten = match &assign.value.kind {
                    ast::ExprKind::Bad => assign.value.span.is_empty(),
                    ast::ExprKind::Plain(plain) => !plain.is_quoted && syntax::is_null(&plain.text),
                    _ => false,
                };
                if !unwritten {
                    self.sink.push(errors::group_assigned(assign, self.schema.group(inner)));
                }
                return;
            }
            Target::Meant(Member::Field(field)) => {
                self.stand_in(field, assign);
                return;
            }
            Target::Meant(Member::Group(_)) | Target::None => return,
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

    /// The field that a misspelt name most likely meant counts as set to a value that was complained about: it is not
    /// reported as missing, and no rule speaks about it.
    fn stand_in(&mut self, field: FieldId, assign: &ast::Assign) {
        if !self.seen.contains_key(&field) {
            let failed = Expr::failed(assign.value.span, self.schema.field(field).ty.clone());
            self.push(Change::Set(field, failed), assign.path.span, assign.span, None);
        }
    }

    /// Whether a group has one of the names that are set in a section.
    fn knows_some(&self, group: GroupId, items: &[ast::BodyItem]) -> bool {
        let first = |item: &ast::BodyItem| match item {
            ast::BodyItem::Assign(assign) => assign.path.segments.first().copied(),
            ast::BodyItem::Section(section) => section.path.segments.first().copied(),
            ast::BodyItem::Unset { path, .. } => path.segments.first().copied(),
            ast::BodyItem::Check(_) | ast::BodyItem::Bad(_) => None,
        };
        items.iter().filter_map(first).any(|name| self.schema.member(group, name.name).is_some())
    }

    fn push(&mut self, change: Change, path: Span, span: Span, is_final: Option<Span>) {
        self.out.settings.push(Setting { change, path, span, is_final });
    }

    /// What is set anew after `group = { }` or `unset` is no duplicate.
    fn forget(&mut self, target: Member) {
        self.seen.retain(|field, _| !self.schema.within(*field, target));
    }

    /// The field or group of a path, looked up within `group` alone.
    fn target(&mut self, group: GroupId, path: &ast::Path) -> Target {
        let mut at = Member::Group(group);
        let mut slipped = false;
        for segment in &path.segments {
            let inner = match at {
                Member::Group(inner) => inner,
                Member::Field(field) => {
                    if !slipped {
                        self.sink.push(errors::field_opened(path, self.schema.field(field)));
                    }
                    return Target::None;
                }
            };
            at = match (self.schema.member(inner, segment.name), slipped) {
                (Some(member), _) => member,
                (None, true) => return Target::None,
                (None, false) => {
                    slipped = true;
                    match self.unknown(inner, *segment, path) {
                        Some(meant) => meant,
                        None => return Target::None,
                    }
                }
            };
        }
        if slipped { Target::Meant(at) } else { Target::Exact(at) }
    }

    /// Complains about a name that a group does not have, and says what was most likely meant.
    fn unknown(&mut self, group: GroupId, segment: ast::Ident, path: &ast::Path) -> Option<Member> {
        let renamed = |name: Name| {
            let mut fields = self.schema.iter();
            fields.find(|(_, field)| field.group == group && field.renamed_from == Some(name))
        };
        match renamed(segment.name) {
            Some((id, field)) => {
                self.sink.push(errors::renamed_field(segment, field));
                Some(Member::Field(id))
            }
            None => {
                self.sink.push(errors::unknown_field(self.schema, group, segment, path));
                errors::meant(self.schema, group, segment, path)
            }
        }
    }
}

/// What a path stands for.
#[derive(Clone, Copy)]
enum Target {
    /// That field or group.
    Exact(Member),
    /// A name in it is wrong, which was complained about; this is most likely what was meant.
    Meant(Member),
    /// Nothing, which was complained about.
    None,
}

impl Target {
    fn exact(self) -> Option<Member> {
        match self {
            Target::Exact(member) => Some(member),
            Target::Meant(_) | Target::None => None,
        }
    }
}
