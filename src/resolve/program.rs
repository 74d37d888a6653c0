//! Declarations with their names resolved: what a project consists of before any value is worked out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::{FileId, Name, Span};
use crate::diag::Severity;
use crate::resolve::expr::{Expr, Moved, Template};
use crate::syntax::ast;
use crate::types::{Data, EnumId, EnumType, Refinement, Type};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $id(pub u32);

        impl $id {
            /// As a position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Of a position in its table.
            pub fn of(position: usize) -> Self {
                $id(u32::try_from(position).unwrap_or(u32::MAX))
            }
        })*
    };
}

ids! {
    /// A schema of the program.
    SchemaId;
    /// A mixin of the program.
    MixinId;
    /// An experiment of the program.
    ExperimentId;
    /// A layer of the program.
    LayerId;
    /// A module of the program.
    ModuleId;
    /// A group of one schema; 0 is the schema's own level.
    GroupId;
    /// A field of one schema, groups flattened.
    FieldId;
    /// A keyed member of one schema.
    KeyedId;
    /// A type alias of the program.
    AliasId;
    /// A `let` or an `input` of the program.
    BindingId;
    /// A sweep of the program.
    SweepId;
}

/// Every declaration of a project and of the standard library, which comes first in each table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// Enums, by [`EnumId`].
    pub enums: Vec<EnumType>,
    /// Type aliases, by [`AliasId`].
    pub aliases: Vec<Alias>,
    /// `let` and `input`, by [`BindingId`].
    pub bindings: Vec<Binding>,
    /// The same in an order in which each comes after those that it reads.
    pub binding_order: Vec<BindingId>,
    /// Schemas, by [`SchemaId`].
    pub schemas: Vec<Arc<Schema>>,
    /// Mixins, by [`MixinId`].
    pub mixins: Vec<Mixin>,
    /// Experiments, by [`ExperimentId`].
    pub experiments: Vec<Experiment>,
    /// Sweeps, by [`SweepId`].
    pub sweeps: Vec<Sweep>,
    /// Tests, in order.
    pub tests: Vec<Test>,
    /// Layers, by [`LayerId`]. Shared by all experiments that inherit them.
    pub layers: Vec<Arc<Layer>>,
    /// Modules, by [`ModuleId`].
    pub modules: Vec<Module>,
}

/// One file and the names that it knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Module {
    /// Its text.
    pub file: FileId,
    /// `std.megadlms.optimizer`, or the path of the file.
    pub name: Name,
    /// Names declared here, in order.
    pub declared: Vec<(Name, Declaration, Span)>,
    /// Names imported.
    pub imported: Vec<(Name, Declaration, Span)>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Declaration {
    /// An enum.
    Enum(EnumId),
    /// A type alias.
    Alias(AliasId),
    /// A `let` or an `input`.
    Binding(BindingId),
    /// A sweep.
    Sweep(SweepId),
    /// A schema.
    Schema(SchemaId),
    /// A mixin.
    Mixin(MixinId),
    /// An experiment.
    Experiment(ExperimentId),
}

impl Declaration {
    /// With an article, for messages.
    pub fn kind(self) -> &'static str {
        match self {
            Declaration::Enum(_) => "an enum",
            Declaration::Alias(_) => "a type",
            Declaration::Binding(_) => "a value",
            Declaration::Sweep(_) => "a sweep",
            Declaration::Schema(_) => "a schema",
            Declaration::Mixin(_) => "a mixin",
            Declaration::Experiment(_) => "an experiment",
        }
    }
}

/// A name for a type: `type Share = fraction in 0..=1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alias {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// The type; none if it was complained about.
    pub ty: Option<Type>,
    /// What values it takes within that type.
    pub refinements: Vec<Refinement>,
}

/// A name for a value: `let` or `input`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// Its type.
    pub ty: Type,
    /// What values it takes within its type.
    pub refinements: Vec<Refinement>,
    /// Which of the two it is.
    pub kind: BindingKind,
    /// Its value: of an input that nothing gives [`Data::Unknown`].
    pub value: Data,
    /// Whether it may have another value in another run: an input, or what reads one.
    pub varies: bool,
}

/// The two kinds of bindings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum BindingKind {
    /// `let`, with what it stands for.
    Let(Expr),
    /// `input`
    Input {
        /// The value that it has where none is given.
        default: Option<Expr>,
        /// The environment variable that gives it.
        env: Option<String>,
        /// Whether its value may not be shown.
        is_secret: bool,
    },
}

/// A schema with the schemas of its groups worked in: all fields of an experiment in one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// Groups, by [`GroupId`]; the first is the schema itself.
    pub groups: Vec<Group>,
    /// Fields, by [`FieldId`], in order of declaration.
    pub fields: Vec<Field>,
    /// Maps and named blocks, by [`KeyedId`].
    pub keyed: Vec<Keyed>,
    /// What the experiment has in them; empty as declared. See [`crate::resolve::Entries`].
    pub entries: Vec<Entry>,
    /// Rules, in order of declaration.
    pub rules: Vec<Rule>,
}

/// A member whose entries the experiment names: a map, or named blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Keyed {
    /// Its dotted path.
    pub path: Name,
    /// The group that it is in.
    pub group: GroupId,
    /// What it says of itself.
    pub doc: String,
    /// Where it is declared.
    pub span: Span,
    /// What each entry is: a schema with the fields of a block, or with the one field of a map, without a name.
    pub element: Arc<Schema>,
    /// Whether an entry is a value, not a block.
    pub is_map: bool,
}

/// An entry of a keyed member in one experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Of which.
    pub keyed: KeyedId,
    /// Its key.
    pub key: Name,
    /// Its first field.
    pub first: FieldId,
    /// Its first group; for a map the field stands alone.
    pub group: GroupId,
}

/// A group of fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Its dotted path; empty for the schema itself.
    pub path: Name,
    /// The group around it.
    pub parent: Option<GroupId>,
    /// What it says of itself.
    pub doc: String,
    /// Where it is declared.
    pub span: Span,
    /// What is in it, in order.
    pub members: Vec<(Name, Member)>,
    /// What was to be in it and could not be read, which was complained about.
    pub unread: Vec<Name>,
}

/// What a name within a group stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Member {
    /// A field.
    Field(FieldId),
    /// A group.
    Group(GroupId),
    /// A map, or named blocks.
    Keyed(KeyedId),
}

/// A field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its own name.
    pub name: Name,
    /// Its dotted path from the root.
    pub path: Name,
    /// The group that it is in.
    pub group: GroupId,
    /// Its type.
    pub ty: Type,
    /// What values it takes within its type.
    pub refinements: Vec<Refinement>,
    /// The value that it has where nothing sets it. None: it is `none` if optional, else it must be set.
    pub default: Option<Expr>,
    /// How a target's command line spells it.
    pub flag: Option<Flag>,
    /// Where the target's YAML has it, `section.key`; none: by the name of its flag, outside of all sections.
    pub yaml: Option<String>,
    /// A name that it once had.
    pub renamed_from: Option<Name>,
    /// Why it should no longer be used.
    pub deprecated: Option<Deprecated>,
    /// Whether it is worked out from what is compiled, and nothing sets it.
    pub is_computed: bool,
    /// What the target derives for it from other fields; the first whose condition holds counts.
    pub derives: Vec<Derive>,
    /// What it says of itself.
    pub doc: String,
    /// `name: type refinements`, where it is declared.
    pub span: Span,
}

/// Why a field should no longer be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deprecated {
    /// Since which version of the target.
    pub since: Option<String>,
    /// The path of what to use instead, as it is written.
    pub instead: Option<String>,
    /// In words.
    pub reason: Option<String>,
}

/// A value that the target derives for a field after all settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Derive {
    /// `derive path = value`, where it is declared.
    pub head: Span,
    /// What it says of itself.
    pub doc: String,
    /// The value. The field itself and `super` stand for the value before.
    pub value: Expr,
    /// When.
    pub when: Expr,
    /// The id of the target's own rule.
    pub upstream: Option<String>,
}

/// How a target's command line spells a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The spellings; the first is the one that is written.
    pub spellings: Vec<String>,
    /// How it takes its value.
    pub kind: FlagKind,
}

/// How a flag takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FlagKind {
    /// `--flag VALUE`
    Value,
    /// `--flag V1 V2 …`
    Many,
    /// Present means true.
    StoreTrue,
    /// Present means false.
    StoreFalse,
}

/// A rule: something that must hold between fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Its name; its code is `check::<name>`.
    pub name: Name,
    /// How bad a violation is.
    pub severity: Severity,
    /// `check name: condition`, where it is declared.
    pub head: Span,
    /// What it says of itself.
    pub doc: String,
    /// What must hold.
    pub condition: Expr,
    /// When it must hold.
    pub when: Option<Expr>,
    /// What is wrong where it does not.
    pub message: Option<Template>,
    /// What to do then.
    pub help: Option<Template>,
    /// A setting that would mend it.
    pub fix: Option<(FieldId, Expr)>,
    /// The id of the target's own rule.
    pub upstream: Option<String>,
    /// The fields that it reads, each once, in order.
    pub inputs: Vec<FieldId>,
}

/// A mixin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mixin {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// The schema that it is written for.
    pub schema: Option<SchemaId>,
    /// Whether it says so, even of a schema that could not be found.
    pub names_schema: bool,
    /// Its settings, resolved for each schema that it is used with.
    pub layers: Vec<(SchemaId, LayerId)>,
    /// Its text, for schemas still to come. Mixins of the standard library name their schema and need none.
    #[serde(skip)]
    pub body: Option<Arc<ast::Body>>,
}

/// An experiment as declared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// The module that declares it.
    pub module: ModuleId,
    /// Whether it is a base only.
    pub is_abstract: bool,
    /// The schema of its fields; none if its ancestry is broken (and was complained about).
    pub schema: Option<SchemaId>,
    /// The experiment that it inherits from.
    pub parent: Option<ExperimentId>,
    /// Its mixins, weakest first.
    pub mixins: Vec<With>,
    /// Its own settings.
    pub layer: Option<LayerId>,
    /// Whether a part of its ancestry could not be resolved, so that what it leaves out may stand there.
    pub is_incomplete: bool,
    /// Whether it stands in no file: flags of the command line are all that it has.
    pub is_command_line: bool,
    /// Where its body's closing brace stands: a place for a missing setting.
    pub body_end: Span,
}

/// A mixin in a `with` list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct With {
    /// Which.
    pub mixin: MixinId,
    /// Its settings for this experiment's schema.
    pub layer: LayerId,
    /// Where it is named.
    pub span: Span,
    /// Where it may differ from an earlier mixin.
    pub over: Vec<Over>,
}

/// `over a.path`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Over {
    /// The earlier mixin.
    pub earlier: MixinId,
    /// The field or group in which this one decides.
    pub target: Member,
}

/// One source of settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// What kind of source.
    pub kind: LayerKind,
    /// The experiment's or mixin's name; for the command line the argument.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Its settings, in order.
    pub settings: Vec<Setting>,
    /// Its rules, held for every experiment that has this layer.
    pub rules: Vec<Rule>,
}

/// A sweep as declared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sweep {
    /// Its name.
    pub name: Name,
    /// Where its name is declared.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// The module that declares it.
    pub module: ModuleId,
    /// Experiments and sweeps whose points it multiplies, joined.
    pub bases: Vec<(Base, Span)>,
    /// The schema of its points; none if it is broken, which was complained about.
    pub schema: Option<SchemaId>,
    /// Its mixins, weakest first.
    pub mixins: Vec<With>,
    /// What every point sets.
    pub layer: Option<LayerId>,
    /// What varies, slowest first.
    pub axes: Vec<Axis>,
    /// Which points stay.
    pub filters: Vec<Expr>,
    /// How many points stay, of the first ones.
    pub limit: Option<usize>,
    /// What a point is called.
    pub point_name: Option<Template>,
    /// Whether a part of it could not be resolved, so that what its points leave out may stand there.
    pub is_incomplete: bool,
}

/// What a sweep or a test starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Base {
    /// One experiment.
    Experiment(ExperimentId),
    /// The points of a sweep.
    Sweep(SweepId),
}

/// What varies in a sweep: for each of its values a setting of each of its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Where it is written.
    pub span: Span,
    /// Its fields.
    pub fields: Vec<FieldId>,
    /// Its values: one for each field.
    pub rows: Vec<Vec<Setting>>,
}

/// A test as declared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Test {
    /// What it is called.
    pub title: String,
    /// Where its title stands.
    pub span: Span,
    /// What it says of itself.
    pub doc: String,
    /// The module that declares it.
    pub module: ModuleId,
    /// What it tries; none if it is broken, which was complained about.
    pub subject: Option<Base>,
    /// What it sets for the trial.
    pub layer: Option<LayerId>,
    /// What must hold.
    pub expects: Vec<Rule>,
    /// Rules and codes that must be violated, each with its place.
    pub errors: Vec<(Name, Span)>,
}

/// The kinds of sources of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LayerKind {
    /// The body of an experiment.
    Experiment,
    /// The body of a mixin.
    Mixin,
    /// The axes of a sweep.
    Sweep,
    /// The body of a test.
    Test,
    /// A values file.
    Values,
    /// An argument of the command line.
    CommandLine,
    /// A flag of the target.
    Flag,
}

impl LayerKind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            LayerKind::Experiment => "experiment",
            LayerKind::Mixin => "mixin",
            LayerKind::Sweep => "sweep",
            LayerKind::Test => "test",
            LayerKind::Values => "values file",
            LayerKind::CommandLine => "command line",
            LayerKind::Flag => "flag",
        }
    }
}

/// One setting of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// What is set.
    pub change: Change,
    /// The path, where it is written.
    pub path: Span,
    /// All of it.
    pub span: Span,
    /// `final`, where it is written.
    pub is_final: Option<Span>,
    /// The entry that it stands in. Its fields and groups then count on behind those of the schema, as if that entry
    /// were the only one.
    pub entry: Option<(KeyedId, Name)>,
}

/// What a setting does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// `field = value`
    Set(FieldId, Expr),
    /// `field ?= value`
    Weak(FieldId, Expr),
    /// `field += values`
    Append(FieldId, Expr),
    /// `field -= values`
    Remove(FieldId, Expr),
    /// `unset field`, or of every field in a group.
    Unset(Member),
    /// `group = { … }`, or an entry that is removed: what follows starts from the defaults.
    Restart(Member),
    /// An entry is there, whatever is set in it.
    Open(KeyedId, Name),
    /// `unset data.train "key"`, or of all entries: they are not there.
    Drop(KeyedId, Option<Name>),
}

impl Program {
    /// An experiment and its ancestors, itself first.
    pub fn ancestry(&self, id: ExperimentId) -> impl Iterator<Item = &Experiment> {
        let find = |id: ExperimentId| self.experiments.get(id.index());
        std::iter::successors(find(id), move |experiment| experiment.parent.and_then(find))
    }
}

impl Schema {
    /// Works the members of another schema into this one, as a group of that path.
    pub(super) fn place(&mut self, path: Name, parent: GroupId, inner: &Schema) {
        let (first_field, first_group, first_keyed) = (self.fields.len(), self.groups.len(), self.keyed.len());
        let field = |id: FieldId| FieldId::of(id.index() + first_field);
        let group = |id: GroupId| GroupId::of(id.index() + first_group);
        let keyed = |id: KeyedId| KeyedId::of(id.index() + first_keyed);
        let member = |member: Member| match member {
            Member::Field(id) => Member::Field(field(id)),
            Member::Group(id) => Member::Group(group(id)),
            Member::Keyed(id) => Member::Keyed(keyed(id)),
        };
        let root = Name::new("");
        let under = |inner: Name| if inner == root { path } else { Name::new(&format!("{path}.{inner}")) };
        let to = Moved { field: &field, keyed: &keyed };
        for source in &inner.groups {
            let mut placed = source.clone();
            placed.path = under(source.path);
            placed.parent = Some(source.parent.map_or(parent, group));
            placed.members.iter_mut().for_each(|entry| entry.1 = member(entry.1));
            self.groups.push(placed);
        }
        for source in &inner.fields {
            let mut placed = source.clone();
            placed.path = under(source.path);
            placed.group = group(source.group);
            placed.default.iter_mut().for_each(|default| default.renumber(&to));
            for derive in &mut placed.derives {
                derive.value.renumber(&to);
                derive.when.renumber(&to);
            }
            self.fields.push(placed);
        }
        for source in &inner.keyed {
            self.keyed.push(Keyed { path: under(source.path), group: group(source.group), ..source.clone() });
        }
        for source in &inner.rules {
            let mut placed = source.clone();
            placed.inputs.iter_mut().for_each(|input| *input = field(*input));
            placed.condition.renumber(&to);
            placed.when.iter_mut().for_each(|when| when.renumber(&to));
            [&mut placed.message, &mut placed.help].into_iter().flatten().for_each(|text| text.renumber(&to));
            if let Some((target, value)) = &mut placed.fix {
                *target = field(*target);
                value.renumber(&to);
            }
            self.rules.push(placed);
        }
    }

    /// Whether the entries of a keyed member are values, not blocks.
    pub fn is_map(&self, keyed: KeyedId) -> bool {
        self.keyed.get(keyed.index()).is_some_and(|keyed| keyed.is_map)
    }

    /// The member of that dotted path; keys that hold a dot stand in quotes.
    pub fn find(&self, path: &str) -> Option<Member> {
        let mut found = Member::Group(GroupId(0));
        let mut rest = path;
        while !rest.is_empty() {
            let quoted = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
            let (part, after) = match quoted {
                Some((part, after)) => (part, after.strip_prefix('.').unwrap_or(after)),
                None => rest.split_once('.').unwrap_or((rest, "")),
            };
            found = self.step(found, Name::new(part))?;
            rest = after;
        }
        Some(found)
    }

    /// What a name stands for within a member.
    fn step(&self, at: Member, name: Name) -> Option<Member> {
        match at {
            Member::Group(group) => self.member(group, name),
            Member::Field(_) => None,
            Member::Keyed(keyed) => {
                let entry = self.entries.iter().find(|entry| entry.keyed == keyed && entry.key == name)?;
                Some(if self.is_map(keyed) { Member::Field(entry.first) } else { Member::Group(entry.group) })
            }
        }
    }

    /// What is to be used in place of a deprecated field: its path counts from the group of the field, or from one around.
    pub fn successor(&self, field: &Field) -> Option<FieldId> {
        let path = field.deprecated.as_ref()?.instead.as_deref()?;
        let mut group = Some(field.group);
        while let Some(at) = group {
            let around = self.group(at);
            let whole =
                if around.path.as_str().is_empty() { path.to_owned() } else { format!("{}.{path}", around.path) };
            if let Some(found) = self.field_id(&whole) {
                return Some(found);
            }
            group = around.parent;
        }
        None
    }

    /// The field of that dotted path.
    pub fn field_id(&self, path: &str) -> Option<FieldId> {
        match self.find(path)? {
            Member::Field(field) => Some(field),
            Member::Group(_) | Member::Keyed(_) => None,
        }
    }

    /// What a name stands for in a group.
    pub fn member(&self, group: GroupId, name: Name) -> Option<Member> {
        let group = self.groups.get(group.index())?;
        group.members.iter().find(|member| member.0 == name).map(|member| member.1)
    }

    /// The field of that number.
    #[expect(clippy::indexing_slicing, reason = "a FieldId is made only with its field, in the table of its schema")]
    pub fn field(&self, field: FieldId) -> &Field {
        &self.fields[field.index()]
    }

    /// The group of that number.
    #[expect(clippy::indexing_slicing, reason = "a GroupId is made only with its group, in the table of its schema")]
    pub fn group(&self, group: GroupId) -> &Group {
        &self.groups[group.index()]
    }

    /// All fields with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &Field)> {
        (0..).map(FieldId).zip(&self.fields)
    }

    /// Whether a field is the target, or lies within it.
    pub fn within(&self, field: FieldId, target: Member) -> bool {
        match target {
            Member::Field(other) => field == other,
            Member::Group(outer) => {
                let mut group = Some(self.field(field).group);
                while let Some(at) = group {
                    if at == outer {
                        return true;
                    }
                    group = self.group(at).parent;
                }
                false
            }
            Member::Keyed(keyed) => self.entries.iter().any(|entry| {
                let size = self.keyed.get(keyed.index()).map_or(0, |keyed| keyed.element.fields.len());
                let first = entry.first.index();
                entry.keyed == keyed && (first..first + size).contains(&field.index())
            }),
        }
    }
}

impl Module {
    /// What a name stands for in this module.
    pub fn lookup(&self, name: Name) -> Option<Declaration> {
        let all = self.declared.iter().chain(&self.imported);
        all.into_iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Every name that it knows.
    pub fn names(&self) -> impl Iterator<Item = Name> {
        self.declared.iter().chain(&self.imported).map(|entry| entry.0)
    }
}
