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
    /// `type …`
    Type(TypeAlias),
    /// `let …`
    Let(Let),
    /// `input …`
    Input(Input),
    /// `schema …` and `extend schema …`
    Schema(Schema),
    /// `mixin …`
    Mixin(Mixin),
    /// `[abstract] experiment …`
    Experiment(Experiment),
    /// `sweep …`
    Sweep(Sweep),
    /// `test …`
    Test(Test),
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

/// `type Name = type refinements`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAlias {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// The type that it stands for.
    pub ty: TypeExpr,
    /// What values it takes within that type.
    pub refinements: Vec<Refinement>,
}

/// `let name: type refinements = value`
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// Its type, where it is written.
    pub ty: Option<TypeExpr>,
    /// What values it takes within its type.
    pub refinements: Vec<Refinement>,
    /// What the name stands for.
    pub value: Expr,
}

/// `secret input name: type refinements = default from env "VARIABLE"`
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// `secret`, where it is written.
    pub secret: Option<Span>,
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExpr,
    /// What values it takes within its type.
    pub refinements: Vec<Refinement>,
    /// The value that it has where none is given.
    pub default: Option<Expr>,
    /// The environment variable that gives it.
    pub env: Option<(String, Span)>,
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
    /// A derivation.
    Derive(Box<Derive>),
    /// Text that is no member, and the word that it begins with: most likely the name of one.
    Bad(Span, Option<Ident>),
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
    /// `map<string, T>`
    Map(Box<TypeExpr>),
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
    /// `deprecated "why"` or `deprecated since "version" use path "why"`
    Deprecated(Deprecated),
    /// `computed`: worked out from what is compiled; nothing sets it.
    Computed,
    /// `yaml "section.key"`: where the target's YAML has it.
    Yaml(String, Span),
}

/// Since when a field is deprecated, what to use instead, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// The version of the target.
    pub since: Option<(String, Span)>,
    /// The field to use instead.
    pub instead: Option<Path>,
    /// The reason.
    pub reason: Option<(String, Span)>,
}

/// `derive path = value when condition upstream "id"`
#[derive(Clone, Debug, PartialEq)]
pub struct Derive {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// `derive path = value`, the part that is shown.
    pub head: Span,
    /// Its documentation.
    pub doc: Doc,
    /// What gets the value.
    pub path: Path,
    /// The value.
    pub value: Expr,
    /// When; where the field is unset, if absent.
    pub when: Option<Expr>,
    /// The id of the target's own rule.
    pub upstream: Option<(String, Span)>,
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
    /// Whether something before its body could not be read, and was reported.
    pub has_bad_head: bool,
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

/// `sweep name of a, b with c { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// Its name.
    pub name: Ident,
    /// Experiments and sweeps whose points it multiplies, joined.
    pub bases: Vec<Ident>,
    /// Mixins of every point, weakest first.
    pub mixins: Vec<With>,
    /// What varies, slowest first.
    pub axes: Vec<Axis>,
    /// What every point sets.
    pub body: Body,
    /// `where condition`: which points stay.
    pub filters: Vec<Expr>,
    /// `limit count`: how many points stay, of the first ones.
    pub limit: Option<Expr>,
    /// `name "template"`
    pub point_name: Option<Template>,
}

/// What varies in a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// All of it.
    pub span: Span,
    /// The fields; several in a `zip`.
    pub paths: Vec<Path>,
    /// The values.
    pub values: AxisValues,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisValues {
    /// `in [a, b]`, or another expression that is a list.
    List(Expr),
    /// `in 1..=4`
    Range(Range),
    /// `in [(a, x), (b, y)]` of a `zip`: each row with its place.
    Rows(Vec<(Span, Vec<Expr>)>),
}

/// `test "title" for name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The whole declaration, documentation excluded.
    pub span: Span,
    /// Its documentation.
    pub doc: Doc,
    /// What it is called.
    pub title: (String, Span),
    /// The experiment or sweep that it tries.
    pub subject: Option<Ident>,
    /// What it sets for the trial.
    pub body: Body,
    /// What must come out.
    pub expects: Vec<Expect>,
}

/// Something that a test expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// `expect condition else "message"`
    Holds {
        /// All of it.
        span: Span,
        /// What must hold.
        condition: Expr,
        /// What to say where it does not.
        message: Option<Template>,
    },
    /// `expect error name`: a rule or a code.
    Error {
        /// All of it.
        span: Span,
        /// The name of a rule, or a code as diagnostics show it.
        name: Ident,
    },
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
    /// Text from outside the language, which is read by the type that is wanted of it.
    Scalar(Scalar),
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
    /// Text that is no expression.
    Bad,
}

/// A value of a values file, a flag or an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text.
    pub text: String,
    /// The same as a number, if it is one, without its sign.
    pub number: Option<Number>,
    /// Whether a minus sign stands before the number.
    pub is_negative: bool,
    /// Whether it was marked as text, in quotes.
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

impl Ident {
    /// Whether it was written in quotes, as the key of a map or of a named block.
    pub fn is_quoted(self) -> bool {
        // Quotes take two bytes more than the name, escapes even more.
        self.span.range().len() != self.name.as_str().len()
    }

    /// Whether it is the `*` that stands for every key.
    pub fn is_all(self) -> bool {
        self.name.as_str() == "*" && !self.is_quoted()
    }
}

impl Expr {
    /// Calls `name` with the first name of every path in it.
    pub fn names(&self, name: &mut dyn FnMut(Name)) {
        match &self.kind {
            ExprKind::Path(path) => path.segments.iter().take(1).for_each(|first| name(first.name)),
            ExprKind::List(items) | ExprKind::Call(_, items) => items.iter().for_each(|item| item.names(name)),
            ExprKind::Unary(_, inner) | ExprKind::IsSet(inner, _) => inner.names(name),
            ExprKind::Binary(_, left, right) | ExprKind::InList(left, right) => {
                left.names(name);
                right.names(name);
            }
            ExprKind::InRange(inner, range) => {
                inner.names(name);
                range.low.iter().chain(&range.high).for_each(|end| end.names(name));
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| part.names(name)),
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Scalar(_)
            | ExprKind::Super
            | ExprKind::Bad => {}
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
