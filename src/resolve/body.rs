//! Bodies of experiments and mixins, and settings of the command line: paths to fields, values to expressions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::{Name, Span};
use crate::diag::Sink;
use crate::resolve::expr::{Expr, ExprKind};
use crate::resolve::typing::{Known, Typer, is_failed};
use crate::resolve::{Change, Entries, FieldId, GroupId, KeyedId, Member, Rule, Schema, Setting, errors, schema};
use crate::syntax::ast;
use crate::types::Type;

/// What a body says.
#[derive(Default)]
pub(super) struct Resolved {
    pub(super) settings: Vec<Setting>,
    pub(super) rules: Vec<Rule>,
}

/// Resolves a body against a schema.
pub(super) fn body(
    known: Known<'_>,
    schema: &Arc<Schema>,
    entries: &mut Entries,
    source: &ast::Body,
    sink: &mut Sink,
) -> Resolved {
    let mut reader = Reader::new(known, schema, entries, sink);
    reader.items(Within::Group(GroupId(0)), &source.items);
    reader.report_deprecated();
    reader.out
}

/// Resolves one setting of the command line against a schema: what it sets, after the entry that it may open for that.
/// Nothing if it is wrong.
pub fn setting(
    known: Known<'_>,
    schema: &Arc<Schema>,
    entries: &mut Entries,
    source: &ast::BodyItem,
    sink: &mut Sink,
) -> Vec<Setting> {
    let mut reader = Reader::new(known, schema, entries, sink);
    reader.items(Within::Group(GroupId(0)), std::slice::from_ref(source));
    reader.report_deprecated();
    reader.out.settings
}

struct Reader<'a> {
    known: Known<'a>,
    /// The schema of the experiment; within an entry the schema with that entry.
    schema: Arc<Schema>,
    entries: &'a mut Entries,
    /// The entry whose body is read.
    entry: Option<(KeyedId, Name)>,
    sink: &'a mut Sink,
    /// Where each field was set in this body, entry by entry.
    seen: HashMap<(Option<(KeyedId, Name)>, FieldId), Span>,
    /// Deprecated fields that it sets.
    deprecated: Vec<Outdated>,
    out: Resolved,
}

/// A setting of a deprecated field, kept until the body is read: whether what to use instead is set there too shows then.
struct Outdated {
    schema: Arc<Schema>,
    entry: Option<(KeyedId, Name)>,
    field: FieldId,
    written: ast::Path,
}

/// Where a path starts.
#[derive(Clone, Copy)]
enum Within {
    /// In a group.
    Group(GroupId),
    /// In a map or named blocks: with a key.
    Keyed(KeyedId),
}

impl<'a> Reader<'a> {
    fn new(known: Known<'a>, schema: &Arc<Schema>, entries: &'a mut Entries, sink: &'a mut Sink) -> Self {
        let (schema, out) = (schema.clone(), Resolved::default());
        Reader { known, schema, entries, entry: None, sink, seen: HashMap::new(), deprecated: Vec::new(), out }
    }

    fn items(&mut self, within: Within, items: &[ast::BodyItem]) {
        for item in items {
            match item {
                ast::BodyItem::Assign(assign) => self.assign(within, assign),
                ast::BodyItem::Section(section) => self.section(within, section),
                ast::BodyItem::Unset { span, path } => self.unset(within, *span, path),
                ast::BodyItem::Check(check) => {
                    let group = match within {
                        Within::Group(group) if self.entry.is_none() => group,
                        // A rule of one entry would be one of its schema; where it is written it speaks of the whole.
                        Within::Group(_) | Within::Keyed(_) => {
                            self.sink.push(errors::check_in_entry(check.head));
                            continue;
                        }
                    };
                    let rule = schema::rule(self.known, &self.schema, group, check, self.sink);
                    self.out.rules.push(rule);
                }
                ast::BodyItem::Bad(_) => {}
            }
        }
    }

    fn report_deprecated(&mut self) {
        for outdated in std::mem::take(&mut self.deprecated) {
            let declared = outdated.schema.field(outdated.field);
            let Some(why) = &declared.deprecated else { continue };
            let instead = outdated.schema.successor(declared);
            let taken = instead.and_then(|instead| self.seen.get(&(outdated.entry, instead)).copied());
            let instead = instead.map(|instead| outdated.schema.field(instead).path);
            self.sink.push(errors::deprecated_setting(&outdated.written, declared, why, instead, taken));
        }
    }

    /// Reads what stands in an entry, against the schema that has it. `act` gets the group of a block, or the field of a
    /// map.
    fn enter(&mut self, keyed: KeyedId, key: ast::Ident, act: impl FnOnce(&mut Self, Member)) {
        let entry = (keyed, key.name);
        let with_entry = self.entries.with(&self.schema, &[entry]);
        let inside = with_entry.entries.last().map(|entry| match with_entry.is_map(keyed) {
            true => Member::Field(entry.first),
            false => Member::Group(entry.group),
        });
        let Some(inside) = inside else { return };
        self.push(Change::Open(keyed, key.name), key.span, key.span, None);
        let outside = std::mem::replace(&mut self.schema, with_entry);
        self.entry = Some(entry);
        act(self, inside);
        self.schema = outside;
        self.entry = None;
    }

    fn unset(&mut self, within: Within, span: Span, path: &ast::Path) {
        match self.target(within, path) {
            Target::Exact(Member::Keyed(keyed)) => self.push(Change::Drop(keyed, None), path.span, span, None),
            Target::Exact(target) => {
                self.forget(target);
                self.push(Change::Unset(target), path.span, span, None);
            }
            Target::Entry(keyed, key, None) => {
                self.push(Change::Drop(keyed, Some(key.name)), path.span, span, None);
            }
            Target::Entry(keyed, key, Some(rest)) => self.enter(keyed, key, |reader, inside| match inside {
                Member::Group(group) => reader.unset(Within::Group(group), span, &rest),
                Member::Field(_) | Member::Keyed(_) => reader.sink.push(errors::map_opened(&rest)),
            }),
            Target::Meant(_) | Target::None => {}
        }
    }

    fn section(&mut self, within: Within, section: &ast::Section) {
        match self.target(within, &section.path) {
            Target::Exact(Member::Group(inner)) => {
                if section.restart {
                    self.forget(Member::Group(inner));
                    self.push(Change::Restart(Member::Group(inner)), section.path.span, section.path.span, None);
                }
                self.items(Within::Group(inner), &section.body.items);
            }
            Target::Exact(Member::Keyed(keyed)) => {
                if section.restart {
                    self.push(Change::Drop(keyed, None), section.path.span, section.path.span, None);
                }
                self.items(Within::Keyed(keyed), &section.body.items);
            }
            Target::Exact(Member::Field(field)) => {
                self.sink.push(errors::field_opened(&section.path, self.schema.field(field)));
            }
            Target::Entry(keyed, key, rest) => {
                if section.restart && rest.is_none() {
                    self.push(Change::Drop(keyed, Some(key.name)), section.path.span, section.path.span, None);
                    self.seen.retain(|(entry, _), _| *entry != Some((keyed, key.name)));
                }
                self.enter(keyed, key, |reader, inside| match (inside, rest) {
                    (Member::Group(group), Some(path)) => {
                        reader.section(Within::Group(group), &ast::Section { path, ..section.clone() });
                    }
                    (Member::Group(group), None) => reader.items(Within::Group(group), &section.body.items),
                    (Member::Field(_) | Member::Keyed(_), _) => reader.sink.push(errors::map_opened(&section.path)),
                });
            }
            // What is set in a group whose name has a slip is set all the same, so that nothing is reported as missing.
            Target::Meant(Member::Group(inner)) if self.knows_some(inner, &section.body.items) => {
                self.items(Within::Group(inner), &section.body.items);
            }
            Target::Meant(_) | Target::None => {}
        }
    }

    fn assign(&mut self, within: Within, assign: &ast::Assign) {
        match self.target(within, &assign.path) {
            Target::Exact(Member::Field(field)) => self.assign_field(field, assign),
            Target::Exact(Member::Group(inner)) => {
                // `group:` above an indented block was complained about when it was read.
                let unwritten = assign.value.kind == ast::ExprKind::Bad && assign.value.span.is_empty();
                if !unwritten {
                    self.sink.push(errors::group_assigned(assign, self.schema.group(inner)));
                }
            }
            Target::Exact(Member::Keyed(keyed)) => {
                if let Some(declared) = self.schema.keyed.get(keyed.index()) {
                    self.sink.push(errors::keyed_assigned(&assign.path, declared));
                }
            }
            Target::Entry(keyed, key, rest) => self.enter(keyed, key, |reader, inside| match (inside, rest) {
                (Member::Field(field), None) => reader.assign_field(field, assign),
                (Member::Group(group), Some(path)) => {
                    reader.assign(Within::Group(group), &ast::Assign { path, ..assign.clone() });
                }
                (Member::Group(group), None) => {
                    reader.sink.push(errors::group_assigned(assign, reader.schema.group(group)));
                }
                (Member::Field(_), Some(rest)) => reader.sink.push(errors::map_opened(&rest)),
                (Member::Keyed(_), _) => {}
            }),
            Target::Meant(Member::Field(field)) => self.stand_in(field, assign),
            Target::Meant(Member::Group(_) | Member::Keyed(_)) | Target::None => {}
        }
    }

    fn assign_field(&mut self, field: FieldId, assign: &ast::Assign) {
        let schema = self.schema.clone();
        let declared = schema.field(field);
        if declared.is_computed {
            self.sink.push(errors::computed_set(assign.path.span, declared));
            return;
        }
        if declared.deprecated.is_some() {
            let (schema, entry, written) = (schema.clone(), self.entry, assign.path.clone());
            self.deprecated.push(Outdated { schema, entry, field, written });
        }
        let overrides = matches!(assign.op, ast::AssignOp::Set | ast::AssignOp::Weak);
        if let Some(first) = self.seen.insert((self.entry, field), assign.path.span).filter(|_| overrides) {
            self.sink.push(errors::duplicate_setting(assign.path.span, first, declared));
            return;
        }
        if !overrides && !matches!(declared.ty.required(), Type::List(_)) {
            self.sink.push(errors::not_a_list(assign, declared));
            return;
        }
        let mut typer = Typer {
            known: self.known,
            schema: &schema,
            group: declared.group,
            below: Some(declared.ty.clone()),
            sink: self.sink,
        };
        let value = match (overrides, declared.ty.required()) {
            // `+=` and `-=` take a list of items or a single one.
            (false, Type::List(inner)) if !matches!(assign.value.kind, ast::ExprKind::List(_)) => {
                let item = typer.items(&assign.value, declared, inner);
                match item.ty.required() {
                    Type::List(_) => item,
                    _ => Expr { span: item.span, ty: declared.ty.required().clone(), kind: ExprKind::List(vec![item]) },
                }
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
        if !self.seen.contains_key(&(self.entry, field)) {
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
        self.out.settings.push(Setting { change, path, span, is_final, entry: self.entry });
    }

    /// What is set anew after `group = { }` or `unset` is no duplicate.
    fn forget(&mut self, target: Member) {
        let (schema, entry) = (&self.schema, self.entry);
        self.seen.retain(|(within, field), _| *within != entry || !schema.within(*field, target));
    }

    /// What a path stands for, looked up from `within` alone.
    fn target(&mut self, within: Within, path: &ast::Path) -> Target {
        let mut at = match within {
            Within::Group(group) => Member::Group(group),
            Within::Keyed(keyed) => Member::Keyed(keyed),
        };
        let mut slipped = false;
        for (nth, &segment) in path.segments.iter().enumerate() {
            let inner = match at {
                Member::Group(inner) => inner,
                Member::Field(field) => {
                    if !slipped {
                        self.sink.push(errors::field_opened(path, self.schema.field(field)));
                    }
                    return Target::None;
                }
                Member::Keyed(keyed) => {
                    if segment.name.as_str().is_empty() || segment.is_all() {
                        self.sink.push(errors::bad_key(segment));
                        return Target::None;
                    }
                    let rest = path.segments.get(nth + 1..).filter(|rest| !rest.is_empty());
                    let rest = rest.and_then(|rest| {
                        let span = rest.first()?.span.to(rest.last()?.span);
                        Some(ast::Path { segments: rest.to_vec(), span })
                    });
                    return if slipped { Target::None } else { Target::Entry(keyed, segment, rest) };
                }
            };
            if segment.is_quoted() {
                self.sink.push(errors::quoted_name(segment));
                return Target::None;
            }
            at = match (self.schema.member(inner, segment.name), slipped) {
                (Some(member), _) => member,
                (None, true) => return Target::None,
                (None, false) => {
                    slipped = true;
                    match self.unknown(inner, segment, path) {
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
                self.sink.extend_with(errors::unknown_field(&self.schema, group, segment, path));
                errors::meant(&self.schema, group, segment, path)
            }
        }
    }
}

/// What a path stands for.
#[derive(Clone)]
enum Target {
    /// That member.
    Exact(Member),
    /// An entry of a keyed member, or what the rest of the path names within it.
    Entry(KeyedId, ast::Ident, Option<ast::Path>),
    /// A name in it is wrong, which was complained about; this is most likely what was meant.
    Meant(Member),
    /// Nothing, which was complained about.
    None,
}
