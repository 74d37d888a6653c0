//! Cuts a text into words, numbers, strings, comments, brackets and signs, without a judgement on how they follow.
//!
//! The scan and the formatter read these; the grammar reads what the scan makes of the text.

/// One piece of a text. Blanks lie between pieces and are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its first byte.
    pub(crate) start: u32,
    /// One past its last byte.
    pub(crate) end: u32,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `\n` or `\r\n`.
    Newline,
    /// From `#` to the end of the line.
    Comment,
    /// From `/*` to `*/`, or to the end of the line if there is none: no comment in this language.
    ForeignComment,
    /// Letters, digits, `_`.
    Word,
    /// A number with its suffix; a `%` that means "per cent" is part of it.
    Number,
    /// `"…"`.
    String,
    /// From a `"` that nothing closes on its line to the end of that line.
    UnclosedString,
    /// `'…'` or `“…”`; the quotes alone if nothing closes them on the line.
    WrongString,
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// `+ - * / // % == != < <= > >=`.
    Operator,
    /// `= ?= += -=`.
    Assign,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `..` or `..=`.
    Range,
    /// `?` of a type.
    Question,
    /// `|` of a type.
    Bar,
    /// `<` or `>` of a type.
    Angle,
    /// A visible ASCII character that the language does not use.
    Other,
    /// Control characters and characters beyond ASCII, as many as stand together.
    Foreign,
}

/// The kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `{ }`
    Brace,
    /// `( )`
    Paren,
    /// `[ ]`
    Square,
}

impl Bracket {
    pub(crate) fn open(self) -> char {
        match self {
            Bracket::Brace => '{',
            Bracket::Paren => '(',
            Bracket::Square => '[',
        }
    }

    pub(crate) fn close(self) -> char {
        match self {
            Bracket::Brace => '}',
            Bracket::Paren => ')',
            Bracket::Square => ']',
        }
    }
}

impl Token {
    /// The bytes it covers.
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its letters.
    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }
}

/// Words that are never names.
pub(crate) const RESERVED: [&str; 16] = [
    "true", "false", "none", "not", "and", "or", "in", "is", "set", "unset", "if", "then", "else", "when", "super",
    "final",
];

/// Words that start a clause of a field or a check, on its line or on the next ones.
pub(crate) const CLAUSES: [&str; 10] =
    ["when", "else", "help", "fix", "upstream", "flag", "renamed", "deprecated", "computed", "yaml"];

/// All pieces of `text`, in order. Time and memory are linear in its length.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let mut cursor = Cursor { text, at: 0, angles: 0, after_colon: false, after_number: false, no_comment_end: false };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut generic = false;
    while cursor.at < text.len() {
        let start = cursor.at;
        let Some(kind) = cursor.next(generic) else { continue };
        let token = Token { kind, start: narrow(start), end: narrow(cursor.at) };
        generic = kind == Kind::Word && matches!(token.text(text), "list" | "map");
        cursor.after_number = kind == Kind::Number;
        match kind {
            Kind::Newline | Kind::Semicolon | Kind::Open(Bracket::Brace) | Kind::Close(Bracket::Brace) => {
                (cursor.angles, cursor.after_colon) = (0, false);
            }
            Kind::Colon => cursor.after_colon = true,
            _ => {}
        }
        tokens.push(token);
    }
    tokens
}

/// The length of a text fits, or the scan would have refused it.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// How many `<` of types are open on this line.
    angles: usize,
    /// Whether a `:` stands before this on its line, so that `?=` is the end of a type and a default.
    after_colon: bool,
    /// Whether a number stands before this, so that a word is its unit.
    after_number: bool,
    /// Whether no `*/` is left, so that nobody looks for one again and again.
    no_comment_end: bool,
}

impl Cursor<'_> {
    /// The byte `ahead` places on; 0, which is part of nothing, at the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.at < self.text.len() && wanted(self.peek(0)) {
            self.at += 1;
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Where the line ends that this place is on, its line break excluded.
    fn line_end(&self) -> usize {
        let rest = self.rest();
        let line = rest.find('\n').and_then(|end| rest.get(..end)).unwrap_or(rest);
        self.at + line.strip_suffix('\r').unwrap_or(line).len()
    }

    /// Reads on by one piece, or by one blank.
    fn next(&mut self, generic: bool) -> Option<Kind> {
        let (byte, then) = (self.peek(0), self.peek(1));
        let (kind, length) = match (byte, then) {
            (b' ' | b'\t', _) => {
                self.at += 1;
                return None;
            }
            (b'\n', _) => (Kind::Newline, 1),
            (b'\r', b'\n') => (Kind::Newline, 2),
            (b'#', _) => {
                self.at = self.line_end();
                return Some(Kind::Comment);
            }
            (b'"', _) => return Some(self.string()),
            (b'\'', _) => return Some(self.wrong_string('\'', &['\''])),
            (b'0'..=b'9', _) => {
                self.number();
                return Some(Kind::Number);
            }
            (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => {
                let start = self.at;
                self.take_while(is_letter);
                if self.after_number {
                    self.per_second(start);
                }
                return Some(Kind::Word);
            }
            (b'/', b'*') => {
                let inner = self.text.get(self.at + 2..).unwrap_or("");
                let end = if self.no_comment_end { None } else { inner.find("*/") };
                self.no_comment_end = end.is_none();
                self.at = end.map_or_else(|| self.line_end(), |end| self.at + end + 4);
                return Some(Kind::ForeignComment);
            }
            (b'{', _) => (Kind::Open(Bracket::Brace), 1),
            (b'(', _) => (Kind::Open(Bracket::Paren), 1),
            (b'[', _) => (Kind::Open(Bracket::Square), 1),
            (b'}', _) => (Kind::Close(Bracket::Brace), 1),
            (b')', _) => (Kind::Close(Bracket::Paren), 1),
            (b']', _) => (Kind::Close(Bracket::Square), 1),
            (b'<', _) if generic => {
                self.angles += 1;
                (Kind::Angle, 1)
            }
            (b'>', _) if self.angles > 0 => {
                self.angles -= 1;
                (Kind::Angle, 1)
            }
            (b'=' | b'!' | b'<' | b'>', b'=') | (b'/', b'/') => (Kind::Operator, 2),
            (b'?', b'=') if self.after_colon => (Kind::Question, 1),
            (b'?' | b'+' | b'-', b'=') => (Kind::Assign, 2),
            (b'=', _) => (Kind::Assign, 1),
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>', _) => (Kind::Operator, 1),
            (b'.', b'.') => (Kind::Range, if self.peek(2) == b'=' { 3 } else { 2 }),
            (b'.', _) => (Kind::Dot, 1),
            (b',', _) => (Kind::Comma, 1),
            (b';', _) => (Kind::Semicolon, 1),
            (b':', _) => (Kind::Colon, 1),
            (b'?', _) => (Kind::Question, 1),
            (b'|', _) => (Kind::Bar, 1),
            (b'!'..=b'~', _) => (Kind::Other, 1),
            _ => return Some(self.foreign()),
        };
        self.at += length;
        Some(kind)
    }

    fn string(&mut self) -> Kind {
        self.at += 1;
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'"', _) => {
                    self.at += 1;
                    return Kind::String;
                }
                (b'\n', _) | (b'\r', b'\n') => return Kind::UnclosedString,
                (b'\\', b'\n') => self.at += 1,
                (b'\\', b'\r') if self.peek(2) == b'\n' => self.at += 1,
                // A character of several bytes has no byte that is special here, so going by bytes ends on a border.
                (b'\\', _) if self.at + 1 < self.text.len() => self.at += 2,
                _ if self.at < self.text.len() => self.at += 1,
                _ => return Kind::UnclosedString,
            }
            // Behind a backslash there may have been a character of several bytes: go to its end.
            self.take_while(|byte| byte & 0xC0 == 0x80);
        }
    }

    fn wrong_string(&mut self, open: char, closing: &[char]) -> Kind {
        let inner = self.at + open.len_utf8();
        let mut rest = self.text.get(inner..).unwrap_or("").char_indices();
        let close = rest.find(|(_, character)| *character == '\n' || closing.contains(character));
        self.at = match close {
            Some((at, character)) if character != '\n' => inner + at + character.len_utf8(),
            Some(_) | None => inner,
        };
        Kind::WrongString
    }

    fn number(&mut self) {
        self.digits();
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            let mut end = 1 + sign;
            while self.peek(end).is_ascii_digit() {
                end += 1;
            }
            if end > 1 + sign {
                self.at += end;
            }
        }
        if self.peek(0).is_ascii_alphabetic() {
            let start = self.at;
            self.take_while(is_letter);
            self.per_second(start);
        } else if self.peek(0) == b'%' && !operand_follows(self.text.get(self.at + 1..).unwrap_or("")) {
            self.at += 1;
        }
    }

    /// Takes the `/s` behind a unit of which there is a rate, so that it does not divide. The grammar's `rate` says the same.
    fn per_second(&mut self, unit: usize) {
        let word = self.text.get(unit..self.at).unwrap_or("");
        let factor = word.strip_suffix('B').map(|factor| factor.strip_suffix('i').unwrap_or(factor));
        let has_rate = matches!(factor, Some("" | "k" | "K" | "M" | "G" | "T")) && word != "iB"
            || matches!(word, "bytes" | "token" | "tokens");
        if has_rate && self.peek(0) == b'/' && self.peek(1) == b's' && !is_letter(self.peek(2)) {
            self.at += 2;
        }
    }

    fn digits(&mut self) {
        while self.peek(0).is_ascii_digit() || (self.peek(0) == b'_' && self.peek(1).is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn foreign(&mut self) -> Kind {
        match self.rest().chars().next() {
            Some(open @ ('“' | '”' | '„')) => return self.wrong_string(open, &['”', '“', '„', '"']),
            Some(open @ ('‘' | '’')) => return self.wrong_string(open, &['’', '‘', '\'']),
            Some(_) | None => {}
        }
        let ends = |character: char| matches!(character, ' '..='~' | '\t' | '\n' | '“' | '”' | '„' | '‘' | '’');
        let rest = self.rest();
        let mut length = 0;
        for (at, character) in rest.char_indices() {
            let line_break = character == '\r' && rest.get(at + 1..).is_some_and(|rest| rest.starts_with('\n'));
            if ends(character) || line_break {
                break;
            }
            length = at + character.len_utf8();
        }
        self.at += length.max(1);
        Kind::Foreign
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether what stands behind a `%` on its line makes it a remainder. `5% - x` subtracts from a twentieth.
fn operand_follows(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\t']);
    let word_end = rest.bytes().position(|byte| !is_letter(byte)).unwrap_or(rest.len());
    match rest.get(..word_end).unwrap_or("") {
        "" => rest.starts_with(['(', '"', '[', '.']),
        "not" | "if" | "true" | "false" | "none" | "super" => true,
        "matches" | "multiple" => false,
        word => !RESERVED.contains(&word) && !CLAUSES.contains(&word),
    }
}
