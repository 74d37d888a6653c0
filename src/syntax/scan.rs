//! One walk over a text before the grammar sees it: finds brackets, strings, comments, depth and strange characters, and
//! makes of it the clean text that `grammar/dlm.pest` describes. Reports what is wrong with any of these.

use std::ops::Range;

use crate::base::{FileId, Span};
use crate::syntax::ast::Comment;
use crate::syntax::brackets::{self, End, Pair, Pairing};
use crate::syntax::errors::{self, Report};
use crate::syntax::lex::{self, Bracket, Kind, Token};

/// How deep brackets may nest.
pub(crate) const MAX_DEPTH: usize = 64;

/// Stands in the clean text where something was reported, so that no rule of the grammar matches there.
const POISON: u8 = 1;
/// Stands in the clean text for a `%` that means "per cent".
const PERCENT: u8 = 3;

/// What the walk found.
#[derive(Debug)]
pub(crate) struct Scan {
    /// As long as the text, for the grammar.
    pub(crate) clean: String,
    /// Where each declaration stands, in order.
    pub(crate) items: Vec<Chunk>,
    /// Comments that document nothing, in order.
    pub(crate) comments: Vec<Comment>,
    /// Runs of `##` lines directly above something, in order.
    pub(crate) docs: Vec<DocLines>,
    /// Where something was reported, ascending.
    faults: Vec<usize>,
}

/// The text of one declaration.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// From its first letter to its last.
    pub(crate) range: Range<usize>,
    /// Whether it follows another on one line, without a `;` between.
    pub(crate) crowded: bool,
}

/// `##` lines and what they stand above.
#[derive(Clone, Debug)]
pub(crate) struct DocLines {
    /// The first byte of what they document, if it can be documented.
    pub(crate) above: usize,
    /// The lines, each from `##` to its end.
    pub(crate) lines: Vec<Range<usize>>,
    /// Whether something claimed them.
    pub(crate) used: bool,
}

impl Scan {
    /// Whether something was already reported within `range`.
    pub(crate) fn has_fault(&self, range: Range<usize>) -> bool {
        let first = self.faults.partition_point(|&at| at < range.start);
        self.faults.get(first).is_some_and(|&at| at < range.end)
    }
}

/// Walks over `text` once. It starts at byte `base` of the file; what the scan returns counts from the start of `text`, but
/// spans count in the file.
pub(crate) fn scan(file: FileId, text: &str, base: usize, report: &mut Report) -> Scan {
    let tokens = lex::lex(text);
    let Pairing { pairs, strays } = brackets::pair(text, &tokens);
    let mut walk = Walk {
        file,
        base,
        text,
        tokens: &tokens,
        report,
        clean: text.as_bytes().to_vec(),
        open: Vec::new(),
        chunk: None,
        angles: 0,
        last_foreign: 0,
        out: Scan {
            clean: String::new(),
            items: Vec::new(),
            comments: Vec::new(),
            docs: Vec::new(),
            faults: Vec::new(),
        },
    };
    walk.report_brackets(&pairs, &strays);
    walk.run(&pairs, &strays);
    let Walk { clean, mut out, .. } = walk;
    // Only whole characters are replaced, by blanks and marks of one byte, so the text stays UTF-8.
    out.clean = String::from_utf8(clean).unwrap_or_else(|_| " ".repeat(text.len()));
    out.faults.sort_unstable();
    out
}

struct Walk<'a, 'r> {
    file: FileId,
    base: usize,
    text: &'a str,
    tokens: &'a [Token],
    report: &'r mut Report,
    clean: Vec<u8>,
    /// The brackets that are open, with their kinds.
    open: Vec<(Pair, Bracket)>,
    /// Where the current declaration starts, the end of its last piece, and whether it is crowded.
    chunk: Option<(usize, usize, bool)>,
    /// How many `<` of types are open on this line.
    angles: usize,
    /// The end of the last run of characters that don't belong here.
    last_foreign: usize,
    out: Scan,
}

impl Walk<'_, '_> {
    fn token(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, self.base + token.start as usize, self.base + token.end as usize)
    }

    /// Notes that something is reported about this piece; its place.
    fn fault(&mut self, token: Token) -> Span {
        self.out.faults.push(token.start as usize);
        self.span(token)
    }

    fn fill(&mut self, range: Range<usize>, byte: u8) {
        if let Some(bytes) = self.clean.get_mut(range) {
            bytes.fill(byte);
        }
    }

    /// Blanks a range that is broken beyond use, and marks its start for the grammar.
    fn poison(&mut self, range: Range<usize>) {
        self.fill(range.clone(), b' ');
        self.fill(range.start..(range.start + 1).min(range.end), POISON);
    }

    fn report_brackets(&mut self, pairs: &[Pair], strays: &[usize]) {
        let mut last = None;
        for &at in strays {
            let Some(token) = self.token(at) else { continue };
            let span = self.fault(token);
            // A heap of them is one fault.
            if last.replace(at).is_none_or(|last| last + 1 < at) {
                self.report.push(errors::stray_bracket(span, token.text(self.text)));
            }
            self.fill(token.range(), b' ');
        }
        // Brackets that end at one place were forgotten together: one report, at the innermost.
        let mut groups: Vec<(usize, Bracket, Vec<Span>)> = Vec::new();
        let places = |kind: Kind| self.tokens.iter().filter(move |it| it.kind == kind).map(|it| it.start).collect();
        let (strings, breaks): (Vec<u32>, Vec<u32>) = match pairs.iter().any(|pair| pair.end == End::Missing) {
            true => (places(Kind::UnclosedString), places(Kind::Newline)),
            false => (Vec::new(), Vec::new()),
        };
        // The string that swallowed the rest of the line swallowed the bracket that is missing.
        let swallowed = |open: u32| {
            let string = strings.get(strings.partition_point(|&at| at < open));
            let end = breaks.get(breaks.partition_point(|&at| at < open));
            string.is_some_and(|string| end.is_none_or(|end| string < end))
        };
        for pair in pairs.iter().filter(|pair| pair.end != End::Closed) {
            let Some(token) = self.token(pair.open) else { continue };
            let span = self.fault(token);
            let Kind::Open(bracket) = token.kind else { continue };
            if bracket != Bracket::Brace && pair.end == End::Missing {
                self.fill(token.range(), POISON);
            }
            match pair.end {
                End::Closed => {}
                End::Mismatched => {
                    if let Some(close) = self.token(pair.close) {
                        let close_span = self.fault(close);
                        self.report.push(errors::mismatched_bracket(span, close_span, bracket, close.text(self.text)));
                        self.fill(close.range(), bracket.close() as u8);
                    }
                }
                End::Missing if swallowed(token.start) => {}
                End::Missing => match groups.last_mut() {
                    Some((close, innermost, spans)) if *close == pair.close => {
                        *innermost = bracket;
                        spans.push(span);
                    }
                    Some(_) | None => groups.push((pair.close, bracket, vec![span])),
                },
            }
        }
        for (close, bracket, mut spans) in groups {
            // Too deep is said elsewhere; who opens a hundred brackets has not forgotten one.
            if spans.len() > MAX_DEPTH {
                continue;
            }
            let Some(span) = spans.pop() else { continue };
            let end = self.token(close).map_or_else(
                || Span::new(self.file, self.base + self.text.trim_end().len(), self.base + self.text.trim_end().len()),
                |token| self.span(token),
            );
            self.report.push(errors::unclosed_bracket(span, bracket, end, &spans, close >= self.tokens.len()));
        }
    }

    fn run(&mut self, pairs: &[Pair], strays: &[usize]) {
        let mut pairs = pairs.iter().copied().peekable();
        let mut index = 0;
        let mut before: Option<usize> = None;
        while index < self.tokens.len() {
            // What lies between two pieces: line breaks and comments.
            let gap = index;
            while self.token(index).is_some_and(is_gap) {
                index += 1;
            }
            let virtual_closes = self.end_unclosed(index);
            let broken = gap < index && self.gap(gap..index, before);
            if broken && self.open.is_empty() {
                self.end_chunk();
            }
            let Some(token) = self.token(index) else { break };
            self.close_virtually(virtual_closes, before, token);
            if let Some(end) = self.slashes(index, broken || gap == 0) {
                index = end;
                continue;
            }
            self.extend_chunk(token, before);
            before = Some(index);
            index = match token.kind {
                Kind::Open(bracket) => {
                    while pairs.next_if(|pair| pair.open < index).is_some() {}
                    match pairs.next_if(|pair| pair.open == index) {
                        Some(pair) => self.open_bracket(pair, bracket, token),
                        None => index + 1,
                    }
                }
                Kind::Close(bracket) => {
                    if strays.binary_search(&index).is_err() {
                        self.open.pop();
                        if self.open.is_empty() && bracket == Bracket::Brace {
                            self.end_chunk();
                        }
                    }
                    index + 1
                }
                _ => {
                    self.piece(token);
                    index + 1
                }
            };
        }
        self.end_chunk();
    }

    /// Forgets the brackets that nothing closes and that must have ended before this token; how many were braces.
    fn end_unclosed(&mut self, index: usize) -> usize {
        let mut braces = 0;
        while let Some((_, bracket)) =
            self.open.pop_if(|(pair, _)| pair.end == End::Missing && pair.close == index && index < self.tokens.len())
        {
            braces += usize::from(bracket == Bracket::Brace);
        }
        braces
    }

    /// Writes the braces that were forgotten before `token` into the blanks before it. None are needed outside all
    /// braces: there the declaration ends, and with it whatever is open.
    fn close_virtually(&mut self, braces: usize, before: Option<usize>, token: Token) {
        if self.open.is_empty() {
            return;
        }
        let start = before.and_then(|before| self.token(before)).map_or(0, |before| before.end as usize);
        let end = token.start as usize;
        self.fill(end.saturating_sub(braces).max(start)..end, b'}');
    }

    /// Handles line breaks and comments; whether a line ends here for the grammar.
    fn gap(&mut self, gap: Range<usize>, before: Option<usize>) -> bool {
        self.angles = 0;
        let has_break = self.tokens.get(gap.clone()).is_some_and(|gap| gap.iter().any(|it| it.kind == Kind::Newline));
        let goes_on = has_break && self.goes_on(before, gap.end);
        let inside = self.open.last().is_some_and(|(_, bracket)| *bracket != Bracket::Brace);
        let documentation = if goes_on || inside || self.token(gap.end).is_none() {
            gap.end
        } else {
            self.documentation_start(gap.clone())
        };
        let mut lines = Vec::new();
        let mut fresh = before.is_none();
        for index in gap.clone() {
            let Some(token) = self.token(index) else { break };
            match token.kind {
                Kind::Newline => {
                    fresh = true;
                    self.fill(token.range(), b' ');
                    if !goes_on {
                        self.fill(token.end as usize - 1..token.end as usize, b'\n');
                    }
                }
                Kind::ForeignComment => self.foreign_comment(token),
                _ if index >= documentation => {
                    lines.push(token.range());
                    self.fill(token.range(), b' ');
                }
                _ => {
                    self.out.comments.push(Comment { span: self.span(token), trailing: !fresh });
                    self.fill(token.range(), b' ');
                }
            }
        }
        if let (Some(next), false) = (self.token(gap.end), lines.is_empty()) {
            self.out.docs.push(DocLines { above: next.start as usize, lines, used: false });
        }
        has_break && !goes_on
    }

    /// The first token of the run of `##` lines that ends the gap, with no empty line in it or below it.
    fn documentation_start(&self, gap: Range<usize>) -> usize {
        let mut start = gap.end;
        let mut at = gap.end;
        while at >= gap.start + 2 {
            let (comment, line_break) = (self.token(at - 2), self.token(at - 1));
            let is_break = line_break.is_some_and(|token| token.kind == Kind::Newline);
            // What stands before it on its line makes it a remark on that.
            let alone = at - 2 == 0
                || (at - 2 > gap.start && self.token(at - 3).is_some_and(|token| token.kind == Kind::Newline));
            if !is_break || !alone || !comment.is_some_and(|comment| is_documentation(comment, self.text)) {
                break;
            }
            at -= 2;
            start = at;
        }
        start
    }

    /// Whether the line that ended goes on with the token `next`. The rules stand at the head of the grammar.
    fn goes_on(&self, before: Option<usize>, next: usize) -> bool {
        let (Some(last), Some(token)) = (before.and_then(|before| self.token(before)), self.token(next)) else {
            return false;
        };
        let innermost = self.open.last().map(|(_, bracket)| *bracket);
        if matches!(innermost, Some(Bracket::Paren | Bracket::Square)) {
            return true;
        }
        let joins = match last.kind {
            Kind::Operator => true,
            Kind::Word => matches!(last.text(self.text), "and" | "or" | "not" | "in" | "is" | "if" | "then" | "else"),
            _ => false,
        };
        if joins {
            return !brackets::starts_setting(self.text, self.tokens, next)
                && !matches!(token.kind, Kind::Close(Bracket::Brace));
        }
        match token.kind {
            Kind::Open(Bracket::Brace) => !matches!(last.kind, Kind::Open(_) | Kind::Semicolon | Kind::Close(_)),
            Kind::Word if innermost.is_none() => {
                last.kind == Kind::Comma || matches!(token.text(self.text), "extends" | "with" | "over" | "for" | "of")
            }
            _ => false,
        }
    }

    fn open_bracket(&mut self, pair: Pair, bracket: Bracket, token: Token) -> usize {
        if self.open.len() < MAX_DEPTH {
            self.open.push((pair, bracket));
            return pair.open + 1;
        }
        let span = self.fault(token);
        self.report.push(errors::nested_too_deep(span, MAX_DEPTH));
        // The last piece inside.
        let mut last = pair.close.min(self.tokens.len().saturating_sub(1));
        if pair.end == End::Missing && pair.close < self.tokens.len() {
            last = pair.close.saturating_sub(1);
        }
        while last > pair.open && self.token(last).is_some_and(is_gap) {
            last -= 1;
        }
        let end = self.token(last).map_or(self.text.len(), |last| last.end as usize);
        self.poison(token.start as usize..end);
        if let Some((start, _, crowded)) = self.chunk {
            self.chunk = Some((start, end, crowded));
        }
        last + 1
    }

    fn piece(&mut self, token: Token) {
        match token.kind {
            Kind::Number if token.text(self.text).ends_with('%') => {
                self.fill(token.end as usize - 1..token.end as usize, PERCENT);
            }
            Kind::Semicolon if self.open.is_empty() => {
                self.fill(token.range(), b' ');
                self.end_chunk();
            }
            Kind::UnclosedString => {
                let span = self.fault(token);
                self.report.push(errors::unclosed_string(span));
                self.poison(token.range());
            }
            Kind::Angle if token.text(self.text) == ">" => self.angles = self.angles.saturating_sub(1),
            Kind::Angle => {
                self.angles += 1;
                if self.angles == MAX_DEPTH + 1 {
                    let span = self.fault(token);
                    self.report.push(errors::nested_too_deep(span, MAX_DEPTH));
                    self.poison(token.range());
                }
            }
            Kind::WrongString => self.wrong_string(token),
            Kind::Foreign => self.foreign(token),
            _ => {}
        }
    }

    /// `'text'` and `“text”` become `"text"` where that is what they must mean.
    fn wrong_string(&mut self, token: Token) {
        let span = self.fault(token);
        let all = token.text(self.text);
        let mut inner = all.chars();
        let open = inner.next().map_or(0, char::len_utf8);
        let close = inner.next_back().map_or(0, char::len_utf8);
        let inner = if close == 0 { None } else { all.get(open..all.len() - close) };
        self.report.push(errors::wrong_quotes(span, inner));
        if inner.is_none_or(|inner| inner.contains(['"', '\\'])) {
            return self.poison(token.range());
        }
        let (start, end) = (token.start as usize, token.end as usize);
        // For the grammar the string starts at the last byte of its first quote.
        self.out.faults.push(start + open - 1);
        self.fill(start..start + open, b' ');
        self.fill(start + open - 1..start + open, b'"');
        self.fill(end - close..end, b' ');
        self.fill(end - close..end - close + 1, b'"');
    }

    fn foreign(&mut self, token: Token) {
        // A mark at the start of the file that only says "this is UTF-8".
        if token.start == 0 && token.text(self.text) == "\u{feff}" {
            return self.fill(token.range(), b' ');
        }
        let span = self.fault(token);
        // A line in another script is one fault, not one a word.
        let since = self.text.get(self.last_foreign..token.start as usize).unwrap_or("\n");
        let is_word = token.text(self.text).starts_with(char::is_alphabetic);
        if self.last_foreign == 0 || since.contains('\n') || !is_word {
            self.report.push(errors::bad_character(span, token.text(self.text)));
        }
        self.last_foreign = token.end as usize;
        let blank =
            |character: char| character.is_whitespace() || character.is_control() || errors::is_invisible(character);
        if token.text(self.text).chars().all(blank) {
            self.fill(token.range(), b' ');
        } else {
            self.poison(token.range());
        }
    }

    fn foreign_comment(&mut self, token: Token) {
        let span = self.fault(token);
        self.report.push(errors::foreign_comment(span, token.text(self.text)));
        let bytes = self.clean.get_mut(token.range()).into_iter().flatten();
        bytes.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }

    /// Skips a line that starts with `//`, as if it were a comment: a division has something before it. The next token
    /// to look at.
    fn slashes(&mut self, index: usize, starts_line: bool) -> Option<usize> {
        let first = self.token(index).filter(|token| starts_line && token.text(self.text) == "//")?;
        if self.open.last().is_some_and(|(_, bracket)| *bracket != Bracket::Brace) {
            return None;
        }
        let rest = self.tokens.get(index..).unwrap_or_default();
        let line = rest.split(|token| token.kind == Kind::Newline).next()?;
        // A bracket in there may have its partner elsewhere: such a line is left to the grammar.
        if line.iter().any(|token| matches!(token.kind, Kind::Open(_) | Kind::Close(_))) {
            return None;
        }
        let end = line.last()?.end;
        self.foreign_comment(Token { kind: Kind::ForeignComment, start: first.start, end });
        Some(index + line.len())
    }

    fn extend_chunk(&mut self, token: Token, before: Option<usize>) {
        let crowded = || {
            let Some(before) = before.and_then(|before| self.token(before)) else { return false };
            let gap = self.text.get(before.end as usize..token.start as usize).unwrap_or("");
            before.kind != Kind::Semicolon && token.kind != Kind::Semicolon && !gap.contains('\n')
        };
        let (start, crowded) = self.chunk.map_or_else(|| (token.start as usize, crowded()), |it| (it.0, it.2));
        self.chunk = Some((start, token.end as usize, crowded));
    }

    fn end_chunk(&mut self) {
        self.angles = 0;
        let Some((start, end, crowded)) = self.chunk.take() else { return };
        // What was reported and blanked may have been all there was.
        let clean = self.clean.get(start..end).unwrap_or_default();
        let blank = |byte: &&u8| byte.is_ascii_whitespace();
        let (left, right) = (clean.iter().take_while(blank).count(), clean.iter().rev().take_while(blank).count());
        if left < clean.len() {
            self.out.items.push(Chunk { range: start + left..end - right, crowded });
        }
    }
}

fn is_gap(token: Token) -> bool {
    matches!(token.kind, Kind::Newline | Kind::Comment | Kind::ForeignComment)
}

fn is_documentation(token: Token, text: &str) -> bool {
    let text = token.text(text);
    token.kind == Kind::Comment && text.starts_with("##") && !text.starts_with("###")
}
