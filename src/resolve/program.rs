//! Declarations with their names resolved: what a project consists of before any value is worked out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::{FileId, Name, Span};
use crate::diag::Severity;
use crate::resolve::expr::{Expr, Template};
use crate::syntax::ast;
use crate::types::{EnumId, EnumType, Refinement, Type};

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
}

/// Every declaration of a project and of the standard library, which comes first in each table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// Enums, by [`EnumId`].
    pub enums: Vec<EnumType>,
    /// Schemas, by [`SchemaId`].
    pub schemas: Vec<Arc<Schema>>,
    /// Mixins, by [`MixinId`].
    pub mixins: Vec<Mixin>,
    /// Experiments, by [`ExperimentId`].
    pub experiments: Vec<Experiment>,
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
            Declaration::Schema(_) => "a schema",
            Declaration::Mixin(_) => "a mixin",
            Declaration::Experiment(_) => "an experiment",
        }
    }
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
    /// Rules, in order of declaration.
    pub rules: Vec<Rule>,
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
}

/// What a name within a group stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Member {
    /// A field.
    Field(FieldId),
    /// A group.
    Group(GroupId),
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
    /// A name that it once had.
    pub renamed_from: Option<Name>,
    /// Why it should no longer be used.
    pub deprecated: Option<String>,
    /// What it says of itself.
    pub doc: String,
    /// `name: type refinements`, where it is declared.
    pub span: Span,
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
    /// The experiment's or mixin's name, the path of a values file; for the command line the argument as typed.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Its settings, in order.
    pub settings: Vec<Setting>,
    /// Its rules, held for every experiment that has this layer.
    pub rules: Vec<Rule>,
}

/// The kinds of sources of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LayerKind {
    /// The body of an experiment.
    Experiment,
    /// The body of a mixin.
    Mixin,
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
            LayerKind::Values => "values",
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
    /// `group = { … }`: what follows starts from the defaults.
    Restart(GroupId),
}

impl Program {
    /// An experiment and its ancestors, itself first.
    pub fn ancestry(&self, id: ExperimentId) -> impl Iterator<Item = &Experiment> {
        let find = |id: ExperimentId| self.experiments.get(id.index());
        std::iter::successors(find(id), move |experiment| experiment.parent.and_then(find))
    }
}

impl Schema {
    /// The field or group of that dotted path.
    pub fn find(&self, path: &str) -> Option<Member> {
        path.split('.').try_fold(Member::Group(GroupId(0)), |at, part| match at {
            Member::Group(group) => self.member(group, Name::new(part)),
            Member::Field(_) => None,
        })
    }

    /// The field of that dotted path.
    pub fn field_id(&self, path: &str) -> Option<FieldId> {
        match self.find(path)? {
            Member::Field(field) => Some(field),
            Member::Group(_) => None,
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
