//! The tree of one file: every declaration with its spans, nothing resolved.
//!
//! Broken parts are nodes of their own ([`Item::Bad`], [`BodyItem::Bad`], [`ExprKind::Bad`]), already complained about.

use crate::base::{Decimal, FileId, Name, Span};

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Which.
    pub id: FileId,
    /// `dlm 1` on the first line: the edition and where it stands.
    pub edition: Option<(u32, Span)>,
    /// Declarations, in order.
    pub items: Vec<Item>,
    /// Every comment that is no documentation, in order. Kept for the formatter.
    pub comments: Vec<Comment>,
}

/// `# …` up to the end of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the last character of the line.
    pub span: Span,
    /// Whether something stands before it on its line.
    pub trailing: bool,
}

/// A name where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// `a.b.c`; at least one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its names.
    pub segments: Vec<Ident>,
    /// All of it.
    pub span: Span,
}

/// `## …` lines above a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc {
    /// The text without the marks, one line per line.
    pub text: String,
    /// The lines; none if there is no documentation.
    pub span: Option<Span>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `use …`
    Use(Use),
    /// `enum …`
    Enum(Enum),
    /// `schema …` and `extend schema …`
    Schema(Schema),
    /// `mixin …`
    Mixin(Mixin),
    /// `[abstract] experiment …`
    Experiment(Experiment),
    /// Text that is no declaration.
    Bad(Span),
}

/// `use std.a.Name`, `use std.a.{Name, Other as Mine}`, `use "base.dlm" { Name }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The whole declaration.
    pub span: Span,
    /// Where the names come from.
    pub source: UseSource,
    /// The names.
    pub names: Vec<UseName>,
}

/// Where imported names come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseSource {
    /// The dotted path before the last name: `std.recipes`.
    Module(Path),
    /// A file, relative to the importing one.
    File {
        /// The path without quotes.
        path: String,
        /// The string, quotes included.
        span: Span,
    },
}

/// `Name` or `Name as Mine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UseName {
    /// Its name there.
    pub name: Ident,
    /// Its name here, if another.
    pub alias: Option<Ident>,
}

/// `enum Name { value  other spelled "Other" }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// Its values.
    pub values: Vec<EnumValue>,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// The target's spelling, where it differs.
    pub spelled: Option<(String, Span)>,
}

/// `schema Name { … }` or `extend schema Name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Whether it adds to a schema that exists.
    pub extends: bool,
    /// Its name.
    pub name: Ident,
    /// Fields and checks, in order.
    pub members: Vec<Member>,
}

/// A member of a schema.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a box would be one more step for every reader, to save little")]
pub enum Member {
    /// A field or a group.
    Field(Box<Field>),
    /// A rule.
    Check(Box<Check>),
    /// Text that is no member.
    Bad(Span),
}

/// `name: type refinements = default clauses`
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
    /// What values it takes within its type.
    pub refinements: Vec<Refinement>,
    /// The value that it has if nothing sets it.
    pub default: Option<Expr>,
    /// What a target needs to know.
    pub clauses: Vec<Clause>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: TypeExprKind,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExprKind {
    /// `int`, `tokens`, `AttentionMask`, `Optimizer`.
    Named(Ident),
    /// `list<T>`
    List(Box<TypeExpr>),
    /// `T?`
    Optional(Box<TypeExpr>),
    /// `tokens | samples | iters`
    Union(Vec<TypeExpr>),
}

/// A condition on the values of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: RefinementKind,
}

/// The forms of a refinement.
#[derive(Clone, Debug, PartialEq)]
pub enum RefinementKind {
    /// `> 0`, `>= 0`, `< 1`, `<= 1`
    Compare(BinaryOp, Expr),
    /// `in 0..=1`, `in 0..1`, `in 0..`
    Range(Range),
    /// `multiple of 64`
    MultipleOf(Expr),
    /// `matches "regex"`
    Matches(String, Span),
}

/// `low..high` (end excluded), `low..=high`; either end may be absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// All of it.
    pub span: Span,
    /// The lowest value.
    pub low: Option<Box<Expr>>,
    /// The end.
    pub high: Option<Box<Expr>>,
    /// Whether the end is in it.
    pub inclusive: bool,
}

/// What a target needs to know about a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: ClauseKind,
}

/// The forms of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `flag "--a" "--alias" kind`, kind one of `value many store_true store_false`, or absent.
    Flag {
        /// The spellings; the first is the one that is written.
        spellings: Vec<(String, Span)>,
        /// How it takes its value.
        kind: Option<Ident>,
    },
    /// `renamed from old_name`
    RenamedFrom(Ident),
    /// `deprecated "since what, use what"`
    Deprecated(String, Span),
}

/// `check name: condition when guard else "message" help "help" fix path = value upstream "id"`; `warn` for `check`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// `check name: condition`, the part that is shown.
    pub head: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Whether its violation is a warning only.
    pub warn: bool,
    /// Its name.
    pub name: Ident,
    /// What must hold.
    pub condition: Expr,
    /// When it must hold; always if absent.
    pub when: Option<Expr>,
    /// What is wrong where it does not.
    pub message: Option<Template>,
    /// What to do then.
    pub help: Option<Template>,
    /// A setting that would mend it.
    pub fix: Option<(Path, Expr)>,
    /// The id of the target's own rule.
    pub upstream: Option<(String, Span)>,
}

/// A string with `{expression}` holes; `{{` and `}}` stand for braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The string, quotes included.
    pub span: Span,
    /// Its parts, in order.
    pub parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Letters.
    Text(String),
    /// A hole.
    Hole(Expr),
}

/// `mixin name for Schema { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Mixin {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// The schema that it is written for. Without it, each experiment that takes the mixin lends its own.
    pub schema: Option<Ident>,
    /// What it sets.
    pub body: Body,
}

/// `[abstract] experiment name extends Parent with a, b over a.path { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Whether it is a base only, never run.
    pub is_abstract: bool,
    /// Its name.
    pub name: Ident,
    /// A schema or an experiment.
    pub parent: Option<Ident>,
    /// Its mixins, weakest first.
    pub mixins: Vec<With>,
    /// What it sets.
    pub body: Body,
}

/// A mixin in a `with` list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct With {
    /// The mixin.
    pub name: Ident,
    /// `over a.path`: where it may differ from an earlier mixin. First segment the mixin, the rest a field or group.
    pub over: Vec<Path>,
}

/// `{ … }` of an experiment, a mixin or a section.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// From brace to brace.
    pub span: Span,
    /// What stands in it.
    pub items: Vec<BodyItem>,
}

/// Something that stands in a body.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a box would be one more step for every reader, to save little")]
pub enum BodyItem {
    /// `path = value` and its kin.
    Assign(Assign),
    /// `path { … }`
    Section(Section),
    /// `unset path`
    Unset {
        /// All of it.
        span: Span,
        /// What goes back to its default.
        path: Path,
    },
    /// A rule for this experiment and its descendants.
    Check(Box<Check>),
    /// Text that is none of these.
    Bad(Span),
}

/// `[final] path op value`
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// All of it.
    pub span: Span,
    /// Whether no later layer may change it.
    pub is_final: Option<Span>,
    /// What is set.
    pub path: Path,
    /// How.
    pub op: AssignOp,
    /// Where the operator stands.
    pub op_span: Span,
    /// To what.
    pub value: Expr,
}

/// How a setting combines with what is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `?=`: yields to every other setting.
    Weak,
    /// `+=`: appends.
    Append,
    /// `-=`: removes by value.
    Remove,
}

/// `path { … }` edits a group; `path = { … }` restarts it from its defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// All of it.
    pub span: Span,
    /// The group.
    pub path: Path,
    /// Whether it restarts the group.
    pub restart: bool,
    /// What it sets.
    pub body: Body,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `none`
    None,
    /// `true`, `false`
    Bool(bool),
    /// `2Ki`, `3e-4`, `10T tokens`
    Number(Number),
    /// `"text"`, escapes resolved (`\"`, `\\`, `\n`, `\t`).
    String(String),
    /// A field, or a value of the enum that is wanted here.
    Path(Path),
    /// The value below this layer.
    Super,
    /// `[a, b]`
    List(Vec<Expr>),
    /// `-x`, `not x`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x in [a, b]`
    InList(Box<Expr>, Box<Expr>),
    /// `x in 0..=1`
    InRange(Box<Expr>, Range),
    /// `x is set` (`true`) or `x is unset` (`false`)
    IsSet(Box<Expr>, bool),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `max(a, b)`
    Call(Ident, Vec<Expr>),
    /// A scalar of a values file.
    Plain(Plain),
    /// Text that is no expression.
    Bad,
}

/// A scalar of a values file: the type of the field decides what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// Its letters, escapes resolved.
    pub text: String,
    /// Whether it stood in quotes or in a block of text.
    pub is_quoted: bool,
}

/// A number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value before suffix and unit, exact.
    pub value: Decimal,
    /// Whether it was written with a decimal point or an exponent.
    pub fractional: bool,
    /// Letters that touch it: `k`, `Ki`, `%`, `GB`.
    pub suffix: Option<Ident>,
    /// A word behind it: `tokens`, `GiB`, `min`.
    pub unit: Option<Ident>,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `not`
    Not,
}

/// Operators with two operands, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: exact division of numbers, joining of paths.
    Divide,
    /// `//`: division rounded down.
    FloorDivide,
    /// `%`: remainder, with the sign of the divisor.
    Remainder,
}

impl BinaryOp {
    /// Its spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::FloorDivide => "//",
            BinaryOp::Remainder => "%",
        }
    }
}

impl Path {
    /// Its last name.
    pub fn last(&self) -> Option<Ident> {
        self.segments.last().copied()
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            let dot = if at == 0 { "" } else { "." };
            write!(f, "{dot}{}", segment.name)?;
        }
        Ok(())
    }
}
