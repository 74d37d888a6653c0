//! Which brackets belong together, and which belong to none.
//!
//! Where they don't match, two readings are made: one by the brackets alone and one that also believes the indentation.
//! The one with fewer faults is taken, so that a missing `}` is found near the place where it is missing.

use crate::syntax::lex::{Bracket, Kind, Token};

/// Every bracket of a text with its partner.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    /// In the order of their opening brackets.
    pub(crate) pairs: Vec<Pair>,
    /// Closing brackets that close nothing, in order.
    pub(crate) strays: Vec<usize>,
}

/// An opening bracket and where it ends. Both are positions in the list of tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) open: usize,
    /// The closing bracket; if there is none, the token before which the bracket must have ended (or the end of the list).
    pub(crate) close: usize,
    pub(crate) end: End,
}

/// How a bracket ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Closed,
    /// By a bracket of another kind.
    Mismatched,
    /// Not at all.
    Missing,
}

/// How many open brackets are looked through for a partner. Twice the depth that a file may have; without an end, a text
/// of opening brackets of one kind and closing ones of another would take quadratic time.
const REACH: usize = 128;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Brackets,
    /// A `}` that starts a line closes the brace whose line is indented like it.
    Indentation {
        too_many_closing: bool,
    },
}

struct Frame {
    pair: usize,
    bracket: Bracket,
    /// How far its line is indented, and where that line starts.
    indent: usize,
    line: usize,
}

/// Pairs the brackets of `tokens`, the pieces of `text`.
pub(crate) fn pair(text: &str, tokens: &[Token]) -> Pairing {
    let plain = walk(text, tokens, Trust::Brackets);
    let brace = |index: usize| tokens.get(index).map(|token| token.kind);
    let unclosed = |pair: &&Pair| pair.end == End::Missing && brace(pair.open) == Some(Kind::Open(Bracket::Brace));
    let missing = plain.pairs.iter().filter(unclosed).count();
    let extra = plain.strays.iter().filter(|&&at| brace(at) == Some(Kind::Close(Bracket::Brace))).count();
    if missing + extra == 0 {
        return plain;
    }
    let careful = walk(text, tokens, Trust::Indentation { too_many_closing: extra > missing });
    if careful.faults() <= plain.faults() { careful } else { plain }
}

impl Pairing {
    fn faults(&self) -> usize {
        self.strays.len() + self.pairs.iter().filter(|pair| pair.end != End::Closed).count()
    }
}

fn walk(text: &str, tokens: &[Token], trust: Trust) -> Pairing {
    let mut pairing = Pairing::default();
    let mut stack: Vec<Frame> = Vec::new();
    let (mut line_start, mut indent, mut first) = (0, 0, true);
    for (index, &token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Newline => {
                (line_start, first) = (token.end as usize, true);
                continue;
            }
            Kind::Comment | Kind::ForeignComment => continue,
            _ => {}
        }
        if first {
            indent = token.start as usize - line_start;
            if stack.last().is_some_and(|frame| frame.bracket != Bracket::Brace) && starts_setting(text, tokens, index)
            {
                // No bracket but a brace holds settings: what is open was never closed.
                pop(&mut stack, &mut pairing, index, |frame| frame.bracket != Bracket::Brace);
            }
            if stack.first().is_some_and(|frame| indent <= frame.indent) && starts_item(text, tokens, index) {
                pop(&mut stack, &mut pairing, index, |_| true);
            }
        }
        match token.kind {
            Kind::Open(bracket) => {
                stack.push(Frame { pair: pairing.pairs.len(), bracket, indent, line: line_start });
                pairing.pairs.push(Pair { open: index, close: tokens.len(), end: End::Missing });
            }
            Kind::Close(bracket) => {
                if let (Trust::Indentation { too_many_closing }, Bracket::Brace) = (trust, bracket) {
                    let place = if first { Place::Indented(indent) } else { Place::Inside(line_start) };
                    if too_many_closing && closes_nothing(&stack, place) {
                        pairing.strays.push(index);
                        first = false;
                        continue;
                    }
                    let mut near = stack.iter().rev().take(REACH);
                    if first && near.any(|frame| frame.bracket == Bracket::Brace && frame.indent == indent) {
                        pop(&mut stack, &mut pairing, index, |frame| frame.indent > indent);
                    }
                }
                close(&mut stack, &mut pairing, index, bracket);
            }
            _ => {}
        }
        first = false;
    }
    pairing
}

/// Ends the innermost brackets, as long as `wanted`, before the token at `index`.
fn pop(stack: &mut Vec<Frame>, pairing: &mut Pairing, index: usize, wanted: impl Fn(&Frame) -> bool) {
    while let Some(frame) = stack.pop_if(|frame| wanted(frame)) {
        finish(pairing, &frame, index, End::Missing);
    }
}

fn finish(pairing: &mut Pairing, frame: &Frame, close: usize, end: End) {
    if let Some(pair) = pairing.pairs.get_mut(frame.pair) {
        (pair.close, pair.end) = (close, end);
    }
}

fn close(stack: &mut Vec<Frame>, pairing: &mut Pairing, index: usize, bracket: Bracket) {
    // A brace may close over forgotten round and square brackets, those not over a brace.
    let near = stack.iter().rev().take(REACH);
    let mut reach = near.take_while(|frame| bracket == Bracket::Brace || frame.bracket != Bracket::Brace);
    if reach.any(|frame| frame.bracket == bracket) {
        pop(stack, pairing, index, |frame| frame.bracket != bracket);
        if let Some(frame) = stack.pop() {
            finish(pairing, &frame, index, End::Closed);
        }
    } else if let Some(frame) = stack.pop_if(|frame| bracket != Bracket::Brace && frame.bracket != Bracket::Brace) {
        finish(pairing, &frame, index, End::Mismatched);
    } else {
        pairing.strays.push(index);
    }
}

/// Where a `}` stands.
enum Place {
    /// At the start of a line.
    Indented(usize),
    /// Behind something on the line that starts there.
    Inside(usize),
}

/// Whether a `}` is the one too many: it stands deeper than the brace that it would close, or on a line with something
/// else while that brace is on another line.
fn closes_nothing(stack: &[Frame], place: Place) -> bool {
    let Some(frame) = stack.last().filter(|frame| frame.bracket == Bracket::Brace) else { return false };
    match place {
        Place::Indented(indent) => frame.indent < indent,
        Place::Inside(line) => frame.line != line,
    }
}

fn word<'a>(text: &'a str, tokens: &[Token], index: usize) -> Option<&'a str> {
    tokens.get(index).filter(|token| token.kind == Kind::Word).map(|token| token.text(text))
}

fn kind(tokens: &[Token], index: usize) -> Option<Kind> {
    tokens.get(index).map(|token| token.kind)
}

/// Whether a line that starts with this token is a setting, a group, a field or a check: nothing that an expression,
/// a list or the rest of a line could be.
pub(crate) fn starts_setting(text: &str, tokens: &[Token], index: usize) -> bool {
    let mut at = index;
    match word(text, tokens, at) {
        Some("unset") => return word(text, tokens, at + 1).is_some(),
        Some("final") => at += 1,
        Some("check" | "warn") if word(text, tokens, at + 1).is_some() => at += 1,
        Some(_) => {}
        None => return false,
    }
    while word(text, tokens, at).is_some() && kind(tokens, at + 1) == Some(Kind::Dot) {
        at += 2;
    }
    word(text, tokens, at).is_some()
        && matches!(kind(tokens, at + 1), Some(Kind::Assign | Kind::Colon | Kind::Open(Bracket::Brace)))
}

/// Whether a line that starts with this token is a declaration, which can stand in no bracket.
fn starts_item(text: &str, tokens: &[Token], index: usize) -> bool {
    let next = word(text, tokens, index + 1);
    match word(text, tokens, index) {
        Some("experiment" | "mixin" | "schema" | "enum" | "type" | "let" | "input" | "sweep") => {
            next.is_some_and(|next| next != "spelled")
        }
        Some("abstract") => next == Some("experiment"),
        Some("extend") => next == Some("schema"),
        Some("use") => {
            kind(tokens, index + 1) == Some(Kind::String)
                || (next.is_some() && kind(tokens, index + 2) == Some(Kind::Dot))
        }
        Some(_) | None => false,
    }
}
