//! All that this stage can complain about, and nothing else.

use crate::base::{FileId, Span};
use crate::diag::{Certainty, Diagnostic, Edit, Fix, Sink, codes};
use crate::syntax::lex::Bracket;

codes! { "syntax":
    /// Something else had to stand here.
    UNEXPECTED = "unexpected", Error;
    /// A declaration of no known kind.
    UNKNOWN_DECLARATION = "unknown_declaration", Error;
    /// The first line does not say which edition the file is written in.
    MISSING_EDITION = "missing_edition", Error;
    /// An edition that does not exist.
    UNKNOWN_EDITION = "unknown_edition", Error;
    /// A bracket that nothing closes.
    UNCLOSED_BRACKET = "unclosed_bracket", Error;
    /// A bracket that closes nothing, or that closes one of another kind.
    STRAY_BRACKET = "stray_bracket", Error;
    /// A string that does not end on its line.
    UNCLOSED_STRING = "unclosed_string", Error;
    /// Quotes that are not `"`.
    WRONG_QUOTES = "wrong_quotes", Error;
    /// A backslash before a letter that it gives no meaning.
    BAD_ESCAPE = "bad_escape", Error;
    /// A hole in a message that is not closed or holds no expression.
    BAD_HOLE = "bad_hole", Error;
    /// A character that no file may hold outside strings and comments.
    BAD_CHARACTER = "bad_character", Error;
    /// A comment of another language.
    FOREIGN_COMMENT = "foreign_comment", Error;
    /// A setting without a value.
    MISSING_VALUE = "missing_value", Error;
    /// `:`, `==` or another sign where a setting needs `=`.
    WRONG_ASSIGNMENT = "wrong_assignment", Error;
    /// A comma at the end of a line.
    TRAILING_COMMA = "trailing_comma", Error;
    /// A number that is written in a way that the language does not know, or that is not exact.
    BAD_NUMBER = "bad_number", Error;
    /// A name with dashes.
    DASH_IN_NAME = "dash_in_name", Error;
    /// A word of the language where a name is wanted.
    KEYWORD_AS_NAME = "keyword_as_name", Error;
    /// `a < b < c`.
    CHAINED_COMPARISON = "chained_comparison", Error;
    /// A clause that stands in the wrong order or twice.
    MISPLACED_CLAUSE = "misplaced_clause", Error;
    /// Deeper, longer or more than the language allows.
    LIMIT = "limit", Error;
}

/// How many faults of one file are reported. Who has more has one cause for most of them.
const MAX_REPORTS: usize = 100;

/// Where the parts of this stage report: a sink with an end.
#[derive(Debug, Default)]
pub(crate) struct Report {
    sink: Sink,
    count: usize,
}

impl Report {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.count += 1;
        if self.count <= MAX_REPORTS {
            self.sink.push(diagnostic);
        } else if let (true, Some(span)) = (self.count == MAX_REPORTS + 1, diagnostic.span()) {
            let message = format!("more than {MAX_REPORTS} syntax errors in one file");
            self.sink.push(Diagnostic::new(&LIMIT, span, message).here("and more").help("mend these first"));
        }
    }

    /// Whether what is pushed now is not shown any more.
    pub(crate) fn is_full(&self) -> bool {
        self.count > MAX_REPORTS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn finish(self) -> Sink {
        self.sink
    }
}

/// Offers to remove `span`.
fn remove(diagnostic: Diagnostic, span: Span, title: &str) -> Diagnostic {
    offer(diagnostic, title, Edit { span, text: String::new() }, Certainty::Sure)
}

/// Offers an edit whose text alone would not say what it does.
fn offer(mut diagnostic: Diagnostic, title: impl Into<String>, edit: Edit, certainty: Certainty) -> Diagnostic {
    diagnostic.fixes.push(Fix { title: title.into(), edits: vec![edit], certainty });
    diagnostic
}

/// The empty place before `span`.
fn start(span: Span) -> Span {
    Span { end: span.start, ..span }
}

// ------------------------------------------------------------------------------------------ brackets and characters

pub(crate) fn unclosed_bracket(span: Span, bracket: Bracket, end: Span, also: &[Span], at_end: bool) -> Diagnostic {
    let (open, close) = (bracket.open(), bracket.close());
    let text = if at_end { "the file ends here" } else { "it must end before this" };
    let mut diagnostic = Diagnostic::new(&UNCLOSED_BRACKET, span, format!("`{open}` is never closed"))
        .here("opened here")
        .label(end, text)
        .help(format!("add `{close}`"));
    for &span in also.iter().rev().take(3) {
        diagnostic = diagnostic.label(span, "so is this");
    }
    diagnostic
}

pub(crate) fn stray_bracket(span: Span, close: &str) -> Diagnostic {
    Diagnostic::new(&STRAY_BRACKET, span, format!("`{close}` closes nothing"))
        .here("no open bracket belongs to it")
        .help(format!("remove this `{close}`, or add what it should close"))
}

pub(crate) fn mismatched_bracket(open: Span, close: Span, bracket: Bracket, found: &str) -> Diagnostic {
    let (opened, wanted) = (bracket.open(), bracket.close());
    Diagnostic::new(&STRAY_BRACKET, close, format!("`{found}` does not close `{opened}`"))
        .here(format!("`{wanted}` is wanted here"))
        .label(open, "this is still open")
        .replace(close, wanted.to_string(), Certainty::Maybe)
}

pub(crate) fn unclosed_string(span: Span) -> Diagnostic {
    Diagnostic::new(&UNCLOSED_STRING, span, "a string does not end on its line")
        .here("starts here")
        .help("close it with `\"`; a line break inside is written `\\n`, a quote `\\\"`")
}

/// `inner` is the text between the quotes, if both are there.
pub(crate) fn wrong_quotes(span: Span, inner: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&WRONG_QUOTES, span, "text stands in double quotes, `\"`, and in no others");
    match inner {
        Some(inner) => {
            let text = format!("\"{}\"", inner.replace('\\', "\\\\").replace('"', "\\\""));
            diagnostic.help(format!("write `{text}`")).replace(span, text, Certainty::Sure)
        }
        None => diagnostic.help("write `\"text\"`"),
    }
}

pub(crate) fn bad_escape(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_ESCAPE, span, "a backslash has no meaning before this character")
        .help("`\\\"`, `\\\\`, `\\n` and `\\t` exist; for a backslash itself write `\\\\`")
}

pub(crate) fn unclosed_hole(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_HOLE, span, "a hole in this message is never closed")
        .here("opened here")
        .help("close it with `}`; for a brace itself write `{{`")
}

pub(crate) fn unopened_hole(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_HOLE, span, "`}` closes no hole in this message").help("for a brace itself write `}}`")
}

pub(crate) fn empty_hole(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_HOLE, span, "a hole in this message holds no expression")
        .help("write a field in it, `{lr}`; for braces themselves write `{{` and `}}`")
}

/// Characters that take no place on the screen and are no blanks to Rust.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

pub(crate) fn bad_character(span: Span, text: &str) -> Diagnostic {
    let first = text.chars().next().unwrap_or(' ');
    let same = text.chars().all(|other| other == first);
    let code = format!("U+{:04X}", first as u32);
    let instead = match first {
        '–' | '—' | '−' => Some("-"),
        '≤' => Some("<="),
        '≥' => Some(">="),
        '≠' => Some("!="),
        '×' | '·' => Some("*"),
        '÷' => Some("/"),
        '…' => Some(".."),
        _ => None,
    };
    let diagnostic = |message: String| Diagnostic::new(&BAD_CHARACTER, span, message);
    match instead {
        _ if first.is_whitespace() && same => diagnostic(format!("this blank is no ordinary blank ({code})"))
            .help("write a blank")
            .replace(span, " ", Certainty::Sure),
        _ if (first.is_control() || is_invisible(first)) && same => {
            let diagnostic = diagnostic(format!("an invisible character stands here ({code})")).help("remove it");
            remove(diagnostic, span, "remove it")
        }
        Some(instead) if text.chars().nth(1).is_none() => {
            diagnostic(format!("`{first}` is no sign of the language")).replace(span, instead, Certainty::Sure)
        }
        Some(_) | None => diagnostic(format!("`{first}` may stand only in strings and comments"))
            .help("names are made of a-z, A-Z, 0-9 and `_`"),
    }
}

pub(crate) fn foreign_comment(span: Span, text: &str) -> Diagnostic {
    let mark = if text.starts_with("//") { "//" } else { "/*" };
    let diagnostic = Diagnostic::new(&FOREIGN_COMMENT, span, format!("a comment starts with `#`, not with `{mark}`"));
    let inner = text.strip_prefix(mark).unwrap_or(text);
    let inner = inner.strip_suffix("*/").unwrap_or(inner).trim();
    if inner.contains('\n') {
        return diagnostic.help("start each of its lines with `#`");
    }
    diagnostic.replace(span, format!("# {inner}").trim_end().to_owned(), Certainty::Maybe)
}

// ------------------------------------------------------------------------------------------ limits

pub(crate) fn file_too_long(file: FileId, bytes: usize, limit: usize) -> Diagnostic {
    let message = format!("the file has {bytes} bytes, {limit} are read");
    Diagnostic::new(&LIMIT, Span::start_of(file), message).help("split it, and import the parts with `use`")
}

pub(crate) fn declaration_too_long(span: Span, bytes: usize, limit: usize) -> Diagnostic {
    let message = format!("a declaration has {bytes} bytes, {limit} are read");
    Diagnostic::new(&LIMIT, span, message)
        .help("split it: an experiment can extend another, a mixin can be one of several")
}

pub(crate) fn nested_too_deep(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(&LIMIT, span, format!("brackets are nested more than {limit} deep"))
        .here(format!("bracket {} opens here", limit + 1))
        .help("split the value, or name its parts as fields of their own")
}

pub(crate) fn expression_too_long(span: Span, limit: usize) -> Diagnostic {
    Diagnostic::new(&LIMIT, span, format!("an expression nests more than {limit} operators"))
        .help("split it, and name its parts as fields of their own")
}

pub(crate) fn parser_gave_up(span: Span) -> Diagnostic {
    Diagnostic::new(&LIMIT, span, "this declaration is nested too deep to be read").help("split it")
}

// ------------------------------------------------------------------------------------------ declarations

pub(crate) fn missing_edition(file: FileId, first_line: Span) -> Diagnostic {
    let edit = Edit { span: Span::start_of(file), text: "dlm 1\n".to_owned() };
    let diagnostic = Diagnostic::new(&MISSING_EDITION, first_line, "the file does not start with its edition")
        .here("`dlm 1` must stand before this");
    offer(diagnostic, "write `dlm 1` on the first line", edit, Certainty::Sure)
}

pub(crate) fn late_edition(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "the edition stands once, on the first line").help("remove this line")
}

pub(crate) fn unknown_edition(span: Span, found: &str) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNKNOWN_EDITION, span, format!("there is no edition `{found}`"))
        .here("this version of dlm knows edition 1");
    offer(diagnostic, "write `dlm 1`", Edit { span, text: "1".to_owned() }, Certainty::Maybe)
}

pub(crate) fn unknown_declaration(span: Span, word: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&UNKNOWN_DECLARATION, span, format!("no declaration starts with `{word}`"));
    match nearest {
        Some(nearest) => diagnostic.help(format!("did you mean `{nearest}`?")).replace(span, nearest, Certainty::Maybe),
        None => diagnostic.help("a file holds `use`, `enum`, `schema`, `mixin` and `experiment`"),
    }
}

pub(crate) fn setting_outside(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "a setting stands inside an experiment or a mixin")
        .help("open one before it: `experiment name extends Schema {`")
}

/// A map whose keys are no texts, or whose types are not two.
pub(crate) fn map_key(span: Span, key: &str, has_value: bool) -> Diagnostic {
    let message = match has_value {
        true => format!("the keys of a map are texts, not `{key}`"),
        false => "a map names the type of its keys and the type of its values".to_owned(),
    };
    let value = if has_value { "…" } else { key };
    Diagnostic::new(&UNEXPECTED, span, message).help(format!("write `map<string, {value}>`"))
}

pub(crate) fn declaration_inside(span: Span, word: &str) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, format!("`{word}` cannot stand inside another declaration"))
        .help("close the declaration around it first, with `}`")
}

pub(crate) fn import_without_module(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, format!("an import of `{name}` does not say from where")).help(format!(
        "write the module before it, `use std.megadlms.{name}`, or the file, `use \"base.dlm\" {{ {name} }}`"
    ))
}

pub(crate) fn crowded(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "two things stand on one line")
        .here("this needs a line of its own")
        .help("start a new line before it, or write `;`")
}

/// Values of one enum that follow another on its line without a comma; each with the end of the one before it.
pub(crate) fn crowded_values(crowded: &[(Span, Span)]) -> Option<Diagnostic> {
    let &(_, first) = crowded.first()?;
    let message = match crowded.len() {
        1 => "two values stand on one line without a comma".to_owned(),
        more => format!("{} values stand on one line without a comma", more + 1),
    };
    let comma = |&(before, _): &(Span, Span)| Edit { span: Span { start: before.end, ..before }, text: ",".to_owned() };
    let edits = crowded.iter().map(comma).collect();
    let mut diagnostic = Diagnostic::new(&UNEXPECTED, first, message);
    diagnostic.fixes.push(Fix { title: "write a `,` between them".to_owned(), edits, certainty: Certainty::Sure });
    Some(diagnostic)
}

pub(crate) fn misplaced_clause(span: Span, clause: &str, earlier: Span, earlier_clause: &str) -> Diagnostic {
    let message = if clause == earlier_clause {
        format!("a second `{clause}` clause")
    } else {
        format!("the `{clause}` clause comes after `{earlier_clause}`")
    };
    Diagnostic::new(&MISPLACED_CLAUSE, span, message)
        .label(earlier, format!("`{earlier_clause}` stands here"))
        .help("a check has its clauses once each, in the order `when`, `else`, `help`, `fix`, `upstream`")
}

pub(crate) fn second_clause(span: Span, clause: &str, earlier: Span) -> Diagnostic {
    Diagnostic::new(&MISPLACED_CLAUSE, span, format!("a second `{clause}` clause"))
        .label(earlier, "the first one")
        .help(format!("a field has one `{clause}` clause at most"))
}

// ------------------------------------------------------------------------------------------ settings and names

/// `instead` says what to do.
pub(crate) fn missing_value(span: Span, of: &str, instead: &str) -> Diagnostic {
    Diagnostic::new(&MISSING_VALUE, span, format!("`{of}` has no value")).here("a value must follow this").help(instead)
}

pub(crate) fn wrong_assignment(span: Span, found: &str) -> Diagnostic {
    let message = format!("a setting is written with `=`, not with `{found}`");
    let text = if found == ":" { " =" } else { "=" }.to_owned();
    offer(Diagnostic::new(&WRONG_ASSIGNMENT, span, message), "write `=`", Edit { span, text }, Certainty::Sure)
}

pub(crate) fn group_with_colon(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&WRONG_ASSIGNMENT, span, "indentation means nothing here, so `:` opens neither group nor list")
        .help(format!("write `{name} {{ … }}` if it is a group, `{name} = [ … ]` if it is a list"))
}

pub(crate) fn restart_operator(span: Span, found: &str) -> Diagnostic {
    Diagnostic::new(&WRONG_ASSIGNMENT, span, format!("a group cannot be set with `{found}`"))
        .help("`group { … }` edits inside it, `group = { … }` starts it anew")
}

pub(crate) fn final_group(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "a group cannot be `final`").help("write `final` before the settings in it")
}

pub(crate) fn trailing_comma(span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(&TRAILING_COMMA, span, "a setting does not end in a comma");
    remove(diagnostic, span, "remove the comma: the end of the line ends the setting")
}

pub(crate) fn dash_in_name(span: Span, name: &str) -> Diagnostic {
    let name = name.replace('-', "_");
    Diagnostic::new(&DASH_IN_NAME, span, "a name has no dashes").help(format!("write `{name}`")).replace(
        span,
        name,
        Certainty::Sure,
    )
}

pub(crate) fn keyword_as_name(span: Span, word: &str, wanted: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&KEYWORD_AS_NAME, span, format!("`{word}` is a keyword, not {wanted}")).help(help)
}

// ------------------------------------------------------------------------------------------ expressions

/// `middle` is the operand between both, `None` where there is none: `a is unset == b`.
pub(crate) fn chained_comparison(span: Span, earlier: Span, middle: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(&CHAINED_COMPARISON, span, "comparisons do not chain")
        .label(earlier, "the comparison before it");
    match middle.filter(|middle| !middle.contains('\n')) {
        Some(middle) => {
            let text = format!("and {middle} ");
            let title = format!("add `and {middle}` before it, to make it two comparisons");
            offer(diagnostic, title, Edit { span: start(span), text }, Certainty::Maybe)
        }
        None => diagnostic.help("write both, with `and` between: `a < b and b < c`"),
    }
}

pub(crate) fn not_inside(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "`not` stands after an operator that binds tighter")
        .help("write it in brackets: `(not x)`")
}

pub(crate) fn path_call(span: Span) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, "expected a function before `(`")
        .help("a function has a plain name: `max(a, b)`")
}

pub(crate) fn no_digit_after_point(span: Span, number: &str) -> Diagnostic {
    Diagnostic::new(&BAD_NUMBER, span, "a digit must follow the decimal point").replace(
        span,
        format!("{number}0"),
        Certainty::Sure,
    )
}

pub(crate) fn no_digit_before_point(span: Span, number: &str) -> Diagnostic {
    Diagnostic::new(&BAD_NUMBER, span, "a digit must stand before the decimal point").replace(
        span,
        format!("0{number}"),
        Certainty::Sure,
    )
}

pub(crate) fn leading_plus(span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(&BAD_NUMBER, span, "a positive number has no sign").help("remove the `+`");
    remove(diagnostic, span, "remove the `+`")
}

pub(crate) fn bad_separator(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_NUMBER, span, "`_` may stand only between two digits").help("write `50_289`")
}

pub(crate) fn inexact_number(span: Span) -> Diagnostic {
    Diagnostic::new(&BAD_NUMBER, span, "a number has more digits than can be kept exactly")
        .here("at most 28 digits, of them at most 28 after the point")
        .help("numbers are exact and never rounded: write fewer digits or a smaller exponent")
}

/// Offers a `=` before what stands where it was wanted.
pub(crate) fn add_equals(diagnostic: Diagnostic, before: Span) -> Diagnostic {
    let edit = Edit { span: start(before), text: "= ".to_owned() };
    offer(diagnostic, "write `=` before it", edit, Certainty::Maybe)
}

/// Offers a comma before what stands behind another item.
pub(crate) fn add_comma(diagnostic: Diagnostic, before: Span) -> Diagnostic {
    let edit = Edit { span: start(before), text: ", ".to_owned() };
    offer(diagnostic, "write `,` between the two", edit, Certainty::Maybe)
}

pub(crate) fn did_you_mean(diagnostic: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    diagnostic.help(format!("did you mean `{meant}`?")).replace(span, meant, Certainty::Maybe)
}

pub(crate) fn unexpected(span: Span, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::new(&UNEXPECTED, span, format!("expected {expected}, found {found}"))
}
