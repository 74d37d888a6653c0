//! Lines: the pieces of each with canonical blanks between them, and how deep it stands.

use crate::syntax::lex::{Bracket, CLAUSES, Kind, RESERVED, Token, lex};

/// A line as it will be written, alignment aside.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Blanks before it.
    pub(super) indent: usize,
    /// What stands before the comment; empty for a line that is a comment alone.
    pub(super) code: String,
    /// `# …`, if there is one.
    pub(super) comment: Option<String>,
    /// For a setting, alone on its line: the bytes of `code` before its operator.
    pub(super) name: Option<usize>,
    /// Whether it opens a block that the next lines fill.
    pub(super) opens: bool,
    /// Whether it begins by closing one.
    pub(super) closes: bool,
    /// Whether it goes on with what the line before it began.
    pub(super) continues: bool,
}

impl Line {
    /// Whether nothing stands on it.
    pub(super) fn is_empty(&self) -> bool {
        self.code.is_empty() && self.comment.is_none()
    }
}

/// An open bracket.
struct Open {
    bracket: Bracket,
    /// The indent of the line that opened it.
    indent: usize,
    /// `{` of `use a.{b, c}`: no blanks inside.
    tight: bool,
}

/// Every line of a text whose syntax is sound.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let tokens = lex(text);
    let mut lines = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    // The indent of the setting or declaration at hand, and whether it goes on behind the last line of code.
    let (mut statement, mut goes_on) = (0, false);
    for pieces in tokens.split(|token| token.kind == Kind::Newline) {
        let (code, comment) = match pieces.split_last() {
            Some((last, code)) if last.kind == Kind::Comment => (code, Some(last)),
            Some(_) | None => (pieces, None),
        };
        let mut line = Line {
            comment: comment.map(|comment| comment.text(text).trim_end().to_owned()),
            closes: matches!(code.first().map(|token| token.kind), Some(Kind::Close(_))),
            ..Line::default()
        };
        let in_head = is_head_part(code, text, &open);
        let starts_clause = is_clause(code, text) || in_head;
        let inside = open.last().map_or(0, |open| open.indent + 2);
        line.continues = goes_on || starts_clause;
        line.indent = match (line.closes, open.last()) {
            (true, Some(open)) => open.indent,
            _ if starts_clause => statement + 2,
            // A line that goes on within brackets stands where the brackets put it.
            _ if goes_on && !open.last().is_some_and(|open| open.bracket != Bracket::Brace) => statement + 4,
            _ => inside,
        };
        if !code.is_empty() && !line.continues && !line.closes {
            statement = line.indent;
        }
        let depth = open.len();
        write(&mut line, code, text, &mut open);
        if let (true, Some(body)) = (in_head, open.last_mut()) {
            // The body belongs to the declaration, wherever its brace stands.
            body.indent = statement;
        }
        if code.is_empty() {
            // A comment or an empty line between two parts of a statement ends nothing.
        } else {
            goes_on = code.last().is_some_and(|last| continues_behind(*last, text));
            line.opens = open.len() > depth && matches!(code.last().map(|token| token.kind), Some(Kind::Open(_)));
        }
        lines.push(line);
    }
    lines
}

/// Puts the pieces of a line together and keeps count of brackets.
fn write(line: &mut Line, code: &[Token], text: &str, open: &mut Vec<Open>) {
    let is_field = is_field(code, text);
    let settings = code.iter().filter(|token| token.kind == Kind::Semicolon).count();
    let mut before: Option<Token> = None;
    let mut unary = false;
    for (at, &token) in code.iter().enumerate() {
        let tight = open.last().is_some_and(|open| open.tight);
        if let Some(before) = before {
            let flag = is_field && token.kind == Kind::Word && token.text(text) == "flag";
            let blanks = match (flag, blank_between(before, token, text, tight, unary)) {
                (true, _) => "   ",
                (false, true) => " ",
                (false, false) => "",
            };
            line.code.push_str(blanks);
        }
        if token.kind == Kind::Assign && line.name.is_none() && settings == 0 && is_setting(code, at, text) {
            line.name = Some(line.code.trim_end().len());
        }
        line.code.push_str(token.text(text));
        if let Kind::Open(bracket) = token.kind {
            let tight = bracket == Bracket::Brace && before.is_some_and(|before| before.kind == Kind::Dot);
            open.push(Open { bracket, indent: line.indent, tight });
        } else if let Kind::Close(_) = token.kind {
            open.pop();
        }
        unary = token.kind == Kind::Operator && token.text(text) == "-" && !before.is_some_and(|b| is_operand(b, text));
        before = Some(token);
    }
    // `{ … }` restarts and sections are no values to align.
    if matches!(code.last().map(|last| last.kind), Some(Kind::Open(Bracket::Brace))) {
        line.name = None;
    }
}

/// Whether a blank stands between two pieces. `unary`: the first is a minus sign.
fn blank_between(before: Token, token: Token, text: &str, tight: bool, unary: bool) -> bool {
    let word = |token: Token| token.kind == Kind::Word && RESERVED.contains(&token.text(text));
    match (before.kind, token.kind) {
        (Kind::Dot | Kind::Open(Bracket::Paren | Bracket::Square), _) => false,
        (_, Kind::Comma | Kind::Semicolon | Kind::Dot | Kind::Question | Kind::Colon) => false,
        (_, Kind::Close(Bracket::Paren | Bracket::Square)) => false,
        (Kind::Open(Bracket::Brace), _) | (_, Kind::Close(Bracket::Brace)) => !tight,
        (Kind::Range, _) => false,
        (_, Kind::Range) => word(before),
        (_, Kind::Angle) => false,
        (Kind::Angle, _) => before.text(text) != "<",
        // The bracket of a call touches the name of the function.
        (Kind::Word, Kind::Open(Bracket::Paren)) => word(before) || before.end != token.start,
        _ => !unary,
    }
}

/// Whether a minus sign behind it subtracts.
fn is_operand(token: Token, text: &str) -> bool {
    match token.kind {
        Kind::Word => {
            matches!(token.text(text), "true" | "false" | "none" | "super") || !RESERVED.contains(&token.text(text))
        }
        Kind::Number | Kind::String | Kind::Close(_) => true,
        Kind::Newline
        | Kind::Comment
        | Kind::ForeignComment
        | Kind::UnclosedString
        | Kind::WrongString
        | Kind::Open(_)
        | Kind::Operator
        | Kind::Assign
        | Kind::Comma
        | Kind::Semicolon
        | Kind::Colon
        | Kind::Dot
        | Kind::Range
        | Kind::Question
        | Kind::Bar
        | Kind::Angle
        | Kind::Other
        | Kind::Foreign => false,
    }
}

/// `name: type …`, but no check.
fn is_field(code: &[Token], text: &str) -> bool {
    match code {
        [name, colon, ..] => name.kind == Kind::Word && colon.kind == Kind::Colon && !name.text(text).is_empty(),
        _ => false,
    }
}

/// Whether the operator at `at` is that of a setting: only a path stands before it, and maybe `final`.
fn is_setting(code: &[Token], at: usize, text: &str) -> bool {
    let path = code.get(..at).unwrap_or(&[]);
    let path = match path.split_first() {
        Some((first, rest)) if first.text(text) == "final" => rest,
        Some(_) | None => path,
    };
    let alternates = |(at, token): (usize, &Token)| token.kind == if at % 2 == 0 { Kind::Word } else { Kind::Dot };
    path.len() % 2 == 1 && path.iter().enumerate().all(alternates)
}

/// Whether the line begins with a clause of a field or a check, and not with a field or setting of that name.
fn is_clause(code: &[Token], text: &str) -> bool {
    let Some(first) = code.first().filter(|first| first.kind == Kind::Word) else { return false };
    let named = matches!(
        code.get(1).map(|next| next.kind),
        Some(Kind::Colon | Kind::Dot | Kind::Assign | Kind::Open(Bracket::Brace))
    );
    CLAUSES.contains(&first.text(text)) && !named
}

/// Whether the line goes on with the head of a declaration: `extends`, `with`, `over`, `for` outside all braces.
fn is_head_part(code: &[Token], text: &str, open: &[Open]) -> bool {
    let word = code.first().map_or("", |first| first.text(text));
    open.is_empty() && matches!(word, "extends" | "with" | "over" | "for" | "of")
}

/// Whether the next line goes on with what this piece ends.
fn continues_behind(last: Token, text: &str) -> bool {
    match last.kind {
        Kind::Operator | Kind::Assign | Kind::Bar => true,
        Kind::Word => matches!(last.text(text), "and" | "or" | "not" | "in" | "is" | "if" | "then" | "else" | "when"),
        Kind::Newline
        | Kind::Comment
        | Kind::ForeignComment
        | Kind::Number
        | Kind::String
        | Kind::UnclosedString
        | Kind::WrongString
        | Kind::Open(_)
        | Kind::Close(_)
        | Kind::Comma
        | Kind::Semicolon
        | Kind::Colon
        | Kind::Dot
        | Kind::Range
        | Kind::Question
        | Kind::Angle
        | Kind::Other
        | Kind::Foreign => false,
    }
}
