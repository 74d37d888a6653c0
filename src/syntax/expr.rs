//! Expressions: from the flat chains of the grammar to trees, by precedence.

use std::iter::Peekable;

use crate::base::{Name, Span};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Ident, Number, Range, UnaryOp};
use crate::syntax::errors;
use crate::syntax::number;
use crate::syntax::parse::{Pair, Reader, Rule, parts};

/// How deep the tree of one expression may be. What walks over it may recurse.
pub(crate) const MAX_OPERATORS: usize = 256;

/// How tightly operators bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Add,
    Multiply,
    Negate,
}

impl Level {
    /// The level of the right operand, so that operators of one level group to the left.
    fn tighter(self) -> Self {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Compare,
            Level::Compare => Level::Add,
            Level::Add => Level::Multiply,
            Level::Multiply | Level::Negate => Level::Negate,
        }
    }
}

/// An expression and how deep its tree is.
struct Built {
    expr: Expr,
    depth: usize,
}

/// A chain whose operands and operators are taken one by one.
type Chain<'i, I> = Peekable<I>;

impl Built {
    fn leaf(span: Span, kind: ExprKind) -> Self {
        Built { expr: Expr { span, kind }, depth: 1 }
    }

    /// A node above others, the deepest of which has `below`; `None` if that is too deep.
    fn above(below: usize, span: Span, kind: ExprKind) -> Option<Self> {
        (below < MAX_OPERATORS).then(|| Built { expr: Expr { span, kind }, depth: below + 1 })
    }
}

impl Reader<'_, '_> {
    /// The tree of a rule `expr` or `arith`.
    pub(crate) fn expr(&mut self, pair: Pair) -> Expr {
        let span = self.span(&pair);
        match self.build(pair, 0) {
            Some(built) => built.expr,
            None => {
                self.report.push(errors::expression_too_long(span, MAX_OPERATORS));
                Expr { span, kind: ExprKind::Bad }
            }
        }
    }

    /// `above` counts the nodes above this one, so that reading does not recurse deeper than the limit either. Each form
    /// has a function of its own, to keep the frames on the stack small.
    fn build(&mut self, pair: Pair, above: usize) -> Option<Built> {
        if above > MAX_OPERATORS {
            return None;
        }
        match pair.as_rule() {
            Rule::expr => self.build(parts(pair).next()?, above),
            Rule::chain | Rule::arith => self.operators(&mut parts(pair).peekable(), Level::Or, above),
            Rule::paren => self.paren(pair, above),
            Rule::if_expr => self.if_expr(pair, above),
            Rule::list => self.list(pair, above),
            _ => Some(self.leaf(pair)),
        }
    }

    fn leaf(&mut self, pair: Pair) -> Built {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::number => self.number(pair),
            Rule::string => ExprKind::String(self.string(&pair)),
            Rule::path => ExprKind::Path(self.path(pair)),
            Rule::kw_true => ExprKind::Bool(true),
            Rule::kw_false => ExprKind::Bool(false),
            Rule::kw_none => ExprKind::None,
            Rule::kw_super => ExprKind::Super,
            _ => ExprKind::Bad,
        };
        Built::leaf(span, kind)
    }

    fn paren(&mut self, pair: Pair, above: usize) -> Option<Built> {
        let span = self.span(&pair);
        let mut built = self.build(parts(pair).next()?, above + 1)?;
        built.expr.span = span;
        Some(built)
    }

    fn list(&mut self, pair: Pair, above: usize) -> Option<Built> {
        let span = self.span(&pair);
        let (items, depth) = self.exprs(parts(pair), above)?;
        Built::above(depth, span, ExprKind::List(items))
    }

    fn call(&mut self, path: Pair, arguments: Pair, above: usize) -> Option<Built> {
        let path = self.path(path);
        let span = path.span.to(self.span(&arguments));
        let [function] = path.segments.as_slice() else {
            self.report.push(errors::path_call(path.span));
            return Some(Built::leaf(span, ExprKind::Bad));
        };
        let (items, depth) = self.exprs(parts(arguments), above)?;
        Built::above(depth, span, ExprKind::Call(*function, items))
    }

    fn exprs<'i>(&mut self, pairs: impl Iterator<Item = Pair<'i>>, above: usize) -> Option<(Vec<Expr>, usize)> {
        let mut depth = 0;
        let mut items = Vec::new();
        for pair in pairs {
            let built = self.build(pair, above + 1)?;
            depth = depth.max(built.depth);
            items.push(built.expr);
        }
        Some((items, depth))
    }

    fn if_expr(&mut self, pair: Pair, above: usize) -> Option<Built> {
        let end = self.span(&pair);
        let mut arms = Vec::new();
        let mut otherwise = None;
        for part in parts(pair) {
            if part.as_rule() == Rule::if_arm {
                let span = self.span(&part);
                let mut inner = parts(part);
                let condition = self.build(inner.next()?, above + 1)?;
                let then = self.build(inner.next()?, above + 1)?;
                arms.push((span, condition, then));
            } else {
                otherwise = Some(self.build(part, above + 1)?);
            }
        }
        let mut built = otherwise?;
        while let Some((span, condition, then)) = arms.pop() {
            let depth = built.depth.max(condition.depth).max(then.depth);
            let kind = ExprKind::If(Box::new(condition.expr), Box::new(then.expr), Box::new(built.expr));
            built = Built::above(depth, span.to(end), kind)?;
        }
        Some(built)
    }

    /// Reads operands and operators that bind at least as tightly as `least`.
    fn operators<'i, I>(&mut self, chain: &mut Chain<'i, I>, least: Level, above: usize) -> Option<Built>
    where
        I: Iterator<Item = Pair<'i>>,
    {
        let mut left = self.operand(chain, least, above)?;
        let mut compared: Option<Span> = None;
        // The right operand of the comparison just read.
        let mut middle: Option<Span> = None;
        let mut chained = false;
        while let Some((level, op)) = chain.peek().and_then(operator) {
            if level < least {
                break;
            }
            let Some(pair) = chain.next() else { break };
            let span = self.span(&pair);
            let earlier = compared.take();
            if level == Level::Compare {
                compared = Some(span);
                if let Some(earlier) = earlier {
                    let middle = middle.take().map(|middle| self.written(middle));
                    self.report.push(errors::chained_comparison(span, earlier, middle));
                    chained = true;
                }
            }
            left = match op {
                Some(op) => {
                    let right = self.operators(chain, level.tighter(), above + 1)?;
                    middle = (level == Level::Compare).then_some(right.expr.span);
                    let span = left.expr.span.to(right.expr.span);
                    let depth = left.depth.max(right.depth);
                    Built::above(depth, span, ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr)))?
                }
                None => self.test(left, pair, above)?,
            };
        }
        if chained {
            // What it means is unknown, so its types must not be complained about.
            left.expr.kind = ExprKind::Bad;
        }
        Some(left)
    }

    /// One operand with the signs before it.
    fn operand<'i, I>(&mut self, chain: &mut Chain<'i, I>, least: Level, above: usize) -> Option<Built>
    where
        I: Iterator<Item = Pair<'i>>,
    {
        if above > MAX_OPERATORS {
            return None;
        }
        let pair = chain.next()?;
        let span = self.span(&pair);
        let (op, inner) = match (pair.as_rule(), pair.as_str()) {
            (Rule::prefix, "not") => {
                if least > Level::Not {
                    self.report.push(errors::not_inside(span));
                }
                (UnaryOp::Not, self.operators(chain, Level::Not, above + 1)?)
            }
            (Rule::prefix | Rule::minus, _) => (UnaryOp::Negate, self.operand(chain, Level::Negate, above + 1)?),
            (Rule::path, _) => {
                let Some(arguments) = chain.next_if(|next| next.as_rule() == Rule::arguments) else {
                    return self.build(pair, above + 1);
                };
                return self.call(pair, arguments, above);
            }
            _ => return self.build(pair, above + 1),
        };
        let span = span.to(inner.expr.span);
        Built::above(inner.depth, span, ExprKind::Unary(op, Box::new(inner.expr)))
    }

    /// `left is set`, `left in …`, `left not in …`.
    fn test(&mut self, left: Built, test: Pair, above: usize) -> Option<Built> {
        let end = self.span(&test);
        let span = left.expr.span.to(end);
        if test.as_rule() == Rule::is_test {
            let is_set = parts(test).any(|part| part.as_rule() == Rule::kw_set);
            return Built::above(left.depth, span, ExprKind::IsSet(Box::new(left.expr), is_set));
        }
        let (mut negated, mut op, mut ends) = (false, None, Vec::new());
        let mut low_is_absent = false;
        let mut whole: Option<Span> = None;
        for part in parts(test) {
            if part.as_rule() == Rule::kw_not {
                negated = true;
                continue;
            }
            let span = self.span(&part);
            whole = Some(whole.map_or(span, |whole| whole.to(span)));
            if part.as_rule() == Rule::range_op {
                low_is_absent = ends.is_empty();
                op = Some(part.as_str() == "..=");
            } else {
                ends.push(self.build(part, above + 1)?);
            }
        }
        let depth = ends.iter().map(|end| end.depth).max().unwrap_or(0).max(left.depth);
        let mut ends = ends.into_iter().map(|built| Box::new(built.expr));
        let left = Box::new(left.expr);
        let kind = match op {
            Some(inclusive) => {
                let low = if low_is_absent { None } else { ends.next() };
                ExprKind::InRange(left, Range { span: whole.unwrap_or(end), low, high: ends.next(), inclusive })
            }
            None => ExprKind::InList(left, ends.next()?),
        };
        let built = Built::above(depth, span, kind)?;
        if negated {
            return Built::above(built.depth, span, ExprKind::Unary(UnaryOp::Not, Box::new(built.expr)));
        }
        Some(built)
    }

    /// The tree of a rule `range`.
    pub(crate) fn range(&mut self, pair: Pair) -> Range {
        let mut range = Range { span: self.span(&pair), low: None, high: None, inclusive: false };
        let mut before = true;
        for part in parts(pair) {
            if part.as_rule() == Rule::range_op {
                range.inclusive = part.as_str() == "..=";
                before = false;
            } else {
                let end = Some(Box::new(self.expr(part)));
                if before {
                    range.low = end;
                } else {
                    range.high = end;
                }
            }
        }
        range
    }

    fn number(&mut self, pair: Pair) -> ExprKind {
        let mut number = Number { value: Default::default(), fractional: false, suffix: None, unit: None };
        for part in pair.into_inner() {
            let span = self.span(&part);
            let name = |text: &str| Some(Ident { name: Name::new(text), span });
            match part.as_rule() {
                Rule::mantissa => {
                    let Some(value) = number::exact(part.as_str()) else {
                        self.report.push(errors::inexact_number(span));
                        return ExprKind::Bad;
                    };
                    number.value = value;
                    number.fractional = part.as_str().contains(['.', 'e', 'E']);
                }
                Rule::suffix => number.suffix = name(if part.as_str() == "\u{3}" { "%" } else { part.as_str() }),
                Rule::unit => number.unit = name(part.as_str()),
                _ => {}
            }
        }
        ExprKind::Number(number)
    }
}

/// What a part of a chain is, if it is an operator: its level and, if it takes two operands, which it is.
fn operator(pair: &Pair) -> Option<(Level, Option<BinaryOp>)> {
    let (level, op) = match (pair.as_rule(), pair.as_str()) {
        (Rule::is_test | Rule::in_test, _) => return Some((Level::Compare, None)),
        (_, "or") => (Level::Or, BinaryOp::Or),
        (_, "and") => (Level::And, BinaryOp::And),
        (_, "==") => (Level::Compare, BinaryOp::Equal),
        (_, "!=") => (Level::Compare, BinaryOp::NotEqual),
        (_, "<") => (Level::Compare, BinaryOp::Less),
        (_, "<=") => (Level::Compare, BinaryOp::LessEqual),
        (_, ">") => (Level::Compare, BinaryOp::Greater),
        (_, ">=") => (Level::Compare, BinaryOp::GreaterEqual),
        (_, "+") => (Level::Add, BinaryOp::Add),
        (_, "-") => (Level::Add, BinaryOp::Subtract),
        (_, "*") => (Level::Multiply, BinaryOp::Multiply),
        (_, "/") => (Level::Multiply, BinaryOp::Divide),
        (_, "//") => (Level::Multiply, BinaryOp::FloorDivide),
        (_, "%") => (Level::Multiply, BinaryOp::Remainder),
        _ => return None,
    };
    Some((level, Some(op)))
}
