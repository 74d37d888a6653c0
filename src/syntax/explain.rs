//! What is wrong with text that the grammar did not take: it is read again on its own, to learn how far it was right, and
//! the slips that people make most get words of their own.

use std::ops::Range;

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};

use crate::base::{Span, nearest};
use crate::diag::{Certainty, Diagnostic};
use crate::syntax::brackets;
use crate::syntax::errors;
use crate::syntax::lex::{self, Bracket, CLAUSES, Kind, RESERVED, Token};
use crate::syntax::parse::{Dlm, Reader, Rule, first_word};
use crate::syntax::phrase::{VALUE, expected, words};

/// What a broken line should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    BodyItem,
    Member,
    EnumValue,
    SweepItem,
    TestItem,
}

/// How far a text was right.
struct Failure {
    /// The first byte, in the text, that fits nothing.
    at: usize,
    /// What would have fitted.
    rules: Vec<Rule>,
}

/// What stands at a place where something else was wanted.
struct Found {
    /// In the text.
    range: Range<usize>,
    kind: Option<Kind>,
    phrase: String,
}

const DECLARATIONS: [&str; 13] = [
    "use",
    "enum",
    "type",
    "let",
    "input",
    "secret",
    "schema",
    "extend",
    "mixin",
    "abstract",
    "experiment",
    "sweep",
    "test",
];

impl Reader<'_, '_> {
    /// Reports what keeps a declaration from being one.
    pub(crate) fn explain_item(&mut self, range: Range<usize>) {
        if self.is_known(&range) {
            return;
        }
        let word = first_word(self.clean(range.clone()));
        let place = self.place(range.start..range.start + word.len());
        let line = self.line(range.start, range.end);
        let tokens = lex::lex(line);
        let diagnostic = if word == "dlm" {
            errors::late_edition(place)
        } else if brackets::starts_setting(line, &tokens, 0) && !DECLARATIONS.contains(&word) {
            let place = self.place(range.start..range.start + line.len());
            // Behind a stray `}` a whole body may stand outside: one fault.
            if std::mem::replace(&mut self.outside, true) {
                return;
            }
            errors::setting_outside(place)
        } else if word.is_empty() || DECLARATIONS.contains(&word) {
            let Some(failure) = self.attempt(Rule::item, range.clone()) else { return };
            match self.line_slip(Wanted::BodyItem, &failure, &range) {
                Some(diagnostic) => diagnostic,
                None => self.generic(&failure, &range),
            }
        } else {
            let other = match word {
                "import" | "include" | "from" | "require" => Some("use"),
                "struct" | "class" => Some("schema"),
                _ => nearest(word, DECLARATIONS),
            };
            errors::unknown_declaration(place, word, other)
        };
        self.report.push(diagnostic);
    }

    pub(crate) fn explain_edition(&mut self, range: Range<usize>) {
        if self.is_known(&range) {
            return;
        }
        let Some(failure) = self.attempt(Rule::only_edition, range.clone()) else { return };
        let found = self.found(failure.at, range.end);
        let diagnostic = match found.kind {
            Some(Kind::Word | Kind::Number | Kind::String) if failure.rules.contains(&Rule::edition_number) => {
                let written = self.text.get(found.range.clone()).unwrap_or("");
                errors::unknown_edition(self.place(found.range), written)
            }
            _ => self.generic(&failure, &range),
        };
        self.report.push(diagnostic);
    }

    /// Reports what keeps the text before a `{` from being the head of a declaration.
    pub(crate) fn explain_head(&mut self, rule: Rule, whole: Span, bad: Span) {
        let range = self.local(whole).start..self.local(bad).end;
        if self.is_known(&range) {
            return;
        }
        let Some(mut failure) = self.attempt(rule, range.clone()) else { return };
        // Alone, a head ends with its text; where it stands, with a brace.
        for rule in failure.rules.iter_mut().filter(|rule| **rule == Rule::EOI) {
            *rule = Rule::open_brace;
        }
        let slip = self.line_slip(Wanted::BodyItem, &failure, &range);
        let mut diagnostic = slip.unwrap_or_else(|| self.generic(&failure, &range));
        if diagnostic.help.is_none()
            && failure.rules.iter().any(|rule| matches!(rule, Rule::extends_part | Rule::kw_extends))
        {
            diagnostic = diagnostic.help("what it builds on follows `extends`: `experiment name extends Schema {`");
        }
        self.report.push(diagnostic);
    }

    /// Reports what keeps a line from being what is wanted. `before` stands on the same line and was read well.
    pub(crate) fn explain_line(&mut self, wanted: Wanted, before: Option<Span>, bad: Span) {
        let bad = self.local(bad);
        let range = before.map_or(bad.start, |before| self.local(before).start)..bad.end;
        if self.is_known(&range) {
            return;
        }
        let tokens = lex::lex(self.line(bad.start, bad.end));
        let word = first_word(self.clean(bad.clone()));
        let place = self.place(bad.start..bad.start + word.len());
        let named = matches!(tokens.get(1).map(|token| token.kind), Some(Kind::Word | Kind::String));
        if before.is_none() && named && wanted != Wanted::EnumValue && DECLARATIONS.contains(&word) {
            return self.report.push(errors::declaration_inside(place, word));
        }
        let rule = match wanted {
            Wanted::BodyItem => Rule::only_body_item,
            Wanted::Member => Rule::only_member,
            Wanted::EnumValue => Rule::only_enum_value,
            Wanted::SweepItem => Rule::only_sweep_item,
            Wanted::TestItem => Rule::only_test_item,
        };
        self.explain(rule, range, |reader, failure, range| reader.line_slip(wanted, failure, range));
    }

    /// Reports what keeps a text from being the value of `of`; `after` is what it stands behind,
    /// `instead` what to do if there is none.
    pub(crate) fn explain_value(&mut self, bad: Span, of: &str, after: Span, instead: &str) {
        let range = self.local(bad);
        if self.clean(range.clone()).trim().is_empty() {
            if !self.scan.has_fault(self.local(after).start..range.end.max(self.local(after).end) + 1) {
                self.report.push(errors::missing_value(after, of, instead));
            }
            return;
        }
        self.explain_expr(range);
    }

    pub(crate) fn explain_expr(&mut self, range: Range<usize>) {
        self.explain(Rule::only_expr, range, |reader, failure, range| reader.expr_slip(failure, range));
    }

    pub(crate) fn explain_setting(&mut self, range: Range<usize>) {
        self.explain(Rule::only_setting, range, |reader, failure, range| {
            reader.line_slip(Wanted::BodyItem, failure, range)
        });
    }

    pub(crate) fn explain_path(&mut self, range: Range<usize>) {
        self.explain(Rule::only_path, range, |reader, failure, range| {
            reader.line_slip(Wanted::BodyItem, failure, range)
        });
    }

    fn explain(
        &mut self,
        rule: Rule,
        range: Range<usize>,
        slip: impl FnOnce(&Self, &Failure, &Range<usize>) -> Option<Diagnostic>,
    ) {
        if self.is_known(&range) {
            return;
        }
        let diagnostic = match self.attempt(rule, range.clone()) {
            Some(failure) => slip(self, &failure, &range).unwrap_or_else(|| self.generic(&failure, &range)),
            // It reads well alone, so it is wrong where it stands.
            None => {
                let found = self.found(range.start, range.end);
                errors::unexpected(self.place(found.range), "the end of the line", &found.phrase)
            }
        };
        self.report.push(diagnostic);
    }

    /// Whether a fault in this range was reported before, or nothing more is reported anyway.
    fn is_known(&self, range: &Range<usize>) -> bool {
        self.report.is_full() || self.scan.has_fault(range.clone())
    }

    /// Reads a text again, to see where it breaks; `None` if it does not.
    fn attempt(&self, rule: Rule, range: Range<usize>) -> Option<Failure> {
        let start = range.start;
        let error = Dlm::parse(rule, self.clean(range)).err()?;
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => start + at,
        };
        let rules = match error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives,
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Some(Failure { at, rules })
    }

    /// The line that `start` is on, from there, as it was written.
    fn line(&self, start: usize, end: usize) -> &str {
        let end = (end..self.text.len()).find(|&at| self.text.is_char_boundary(at)).unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or("");
        text.lines().next().unwrap_or("").trim_end()
    }

    fn found(&self, at: usize, end: usize) -> Found {
        let clean = self.clean(at..end);
        let blanks = clean.len() - clean.trim_start_matches([' ', '\t']).len();
        // What stands for a character of several bytes in the clean text may stand in its middle.
        let start = (0..=at + blanks).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        if clean.trim_start_matches([' ', '\t']).starts_with(['\n', ';']) || start >= end {
            // An end has no letters to point at: point at what stands before it.
            let before = self.clean(0..at.min(end)).trim_end();
            let word = before.rfind([' ', '\t', '\n']).map_or(0, |blank| blank + 1);
            return Found { range: word..before.len(), kind: None, phrase: "the end of the line".to_owned() };
        }
        let line = self.line(start, end);
        let token = lex::lex(line.get(..cut(line, 200)).unwrap_or("")).first().copied();
        let token = token.unwrap_or(Token { kind: Kind::Other, start: 0, end: 0 });
        let written = token.text(line);
        let phrase = match token.kind {
            _ if written == "`" => "a backtick".to_owned(),
            _ if written.len() > 40 => format!("`{}…`", written.get(..cut(written, 40)).unwrap_or("")),
            _ => format!("`{written}`"),
        };
        Found { range: start..start + written.len(), kind: Some(token.kind), phrase }
    }

    fn generic(&self, failure: &Failure, range: &Range<usize>) -> Diagnostic {
        let found = self.found(failure.at, range.end);
        let place = self.place(found.range);
        if failure.rules.is_empty() {
            return errors::parser_gave_up(place);
        }
        let wanted = words(&failure.rules);
        let diagnostic = errors::unexpected(place, &expected(&wanted), &found.phrase);
        let keywords = wanted.iter().filter_map(|word| word.strip_prefix('`')?.strip_suffix('`'));
        let keywords = keywords.filter(|word| word.starts_with(|letter: char| letter.is_ascii_alphabetic()));
        match found.kind {
            None => diagnostic.here("the line ends after this"),
            Some(Kind::Word) => match nearest(self.written(place), keywords) {
                Some(meant) => errors::did_you_mean(diagnostic, place, meant),
                None => diagnostic,
            },
            Some(_) => diagnostic,
        }
    }

    /// Slips in a declaration or in a line of one.
    fn line_slip(&self, wanted: Wanted, failure: &Failure, range: &Range<usize>) -> Option<Diagnostic> {
        let found = self.found(failure.at, range.end);
        let written = self.text.get(found.range.clone()).unwrap_or("");
        let place = self.place(found.range.clone());
        let names = |rule| {
            matches!(
                rule,
                &Rule::ident | &Rule::path | &Rule::target | &Rule::setting | &Rule::field | &Rule::enum_value
            )
        };
        let generic = || self.generic(failure, range);
        let first = found.range.start == range.start;
        let head = first_word(self.clean(range.clone()));
        if let (Some(Kind::Word), true) = (found.kind, wanted != Wanted::EnumValue)
            && self.clean(range.start + head.len()..found.range.start).trim().is_empty()
            && first_word(self.clean(found.range.end..range.end).trim_start()).is_empty()
            && let Some(meant) = nearest(head, ["check", "warn", "unset", "final"])
            && meant != head
        {
            let place = self.place(range.start..range.start + head.len());
            let other = if wanted == Wanted::Member { "a field" } else { "a setting" };
            let diagnostic = errors::unexpected(place, &format!("`{meant}` or {other}"), &format!("`{head}`"));
            return Some(errors::did_you_mean(diagnostic, place, meant));
        }
        match found.kind? {
            Kind::Operator if first && written == "-" && wanted == Wanted::BodyItem => {
                Some(generic().help("a list is written on its setting: `name = [a, b]`"))
            }
            Kind::Operator if written == "-" => self.dashed(found.range.start),
            Kind::Word if RESERVED.contains(&written) && failure.rules.iter().any(names) => {
                Some(errors::keyword_as_name(place, written, "a name", "choose another name"))
            }
            Kind::String if first && wanted == Wanted::BodyItem => {
                let name = written.trim_matches('"');
                let plain =
                    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let help = "names stand without quotes";
                Some(match plain {
                    true => generic().help(format!("{help}: write `{name}`")).replace(place, name, Certainty::Maybe),
                    false => generic().help(help),
                })
            }
            Kind::String if wanted == Wanted::Member && nearest(head, CLAUSES).is_some_and(|meant| meant != head) => {
                let meant = nearest(head, CLAUSES)?;
                let place = self.place(range.start..range.start + head.len());
                let diagnostic = errors::unexpected(place, "a field, a check or a clause of one", &format!("`{head}`"));
                Some(errors::did_you_mean(diagnostic, place, meant))
            }
            Kind::Comma if self.text.get(found.range.end..range.end).is_some_and(|rest| rest.trim().is_empty()) => {
                Some(errors::trailing_comma(place))
            }
            Kind::Word | Kind::Number | Kind::String | Kind::Open(Bracket::Square)
                if !first && failure.rules.contains(&Rule::assign_op) =>
            {
                Some(errors::add_equals(generic(), place))
            }
            Kind::Assign if wanted == Wanted::Member && failure.rules.contains(&Rule::colon) => {
                Some(generic().help("a field has a type: `name: int = 1`"))
            }
            Kind::Operator if wanted == Wanted::Member && written == "==" => {
                Some(generic().help("a default is written with `=`"))
            }
            Kind::Assign | Kind::Colon if wanted == Wanted::EnumValue => {
                Some(generic().help("another spelling in the target is written `name spelled \"Name\"`"))
            }
            _ => None,
        }
    }

    /// A name with dashes, given one of them.
    fn dashed(&self, dash: usize) -> Option<Diagnostic> {
        let part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        let before = self.text.get(..dash)?;
        let start = before.len() - before.chars().rev().take_while(|letter| part(*letter)).count();
        let after = self.text.get(dash..)?;
        let end = dash + after.chars().take_while(|letter| part(*letter)).count();
        let name = self.text.get(start..end)?.trim_end_matches('-');
        let inside =
            start < dash && name.len() > dash - start + 1 && name.starts_with(|letter: char| letter.is_alphabetic());
        inside.then(|| errors::dash_in_name(self.place(start..start + name.len()), name))
    }

    /// Slips in an expression.
    fn expr_slip(&self, failure: &Failure, range: &Range<usize>) -> Option<Diagnostic> {
        let found = self.found(failure.at, range.end);
        let at = found.range.start;
        let written = self.text.get(found.range.clone()).unwrap_or("");
        let place = self.place(found.range.clone());
        let before = self.text.get(range.start..at).unwrap_or("");
        let after = self.text.get(found.range.end..range.end).unwrap_or("");
        let wants_value = words(&failure.rules).contains(&VALUE);
        let generic = || self.generic(failure, range);
        let digit = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
        if found.kind.is_none() && wants_value && self.clean(range.clone()).trim_end().ends_with('%') {
            return Some(generic().help("`1%`, without a blank, is one per cent"));
        }
        let slip = match found.kind? {
            Kind::Comma if after.trim().is_empty() => errors::trailing_comma(place),
            Kind::Dot if wants_value && digit(after) => {
                let end = found.range.end + after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
                errors::no_digit_before_point(self.place(at..end), self.text.get(at..end).unwrap_or(""))
            }
            Kind::Dot if before.ends_with(|letter: char| letter.is_ascii_digit()) => {
                let digits = |letter: &char| letter.is_ascii_digit() || *letter == '_';
                let start = at - before.chars().rev().take_while(digits).count();
                errors::no_digit_after_point(self.place(start..at + 1), self.text.get(start..at + 1).unwrap_or(""))
            }
            Kind::Operator if written == "+" && wants_value => errors::leading_plus(place),
            Kind::Operator if written == "*" && before.ends_with('*') => {
                generic().help("there is no power operator; write the product or the number itself")
            }
            Kind::Operator if written == "//" && wants_value => generic().help("a comment starts with `#`"),
            Kind::Assign if written == "=" => generic().help("to compare, write `==`"),
            Kind::Range => generic().help("a range stands only after `in`"),
            Kind::Question => generic().help("a choice is written `if condition then a else b`"),
            Kind::Bar => generic().help("write `or`"),
            Kind::Other if written == "&" => generic().help("write `and`"),
            Kind::Other if written == "!" => generic().help("write `not`"),
            Kind::Word if written.starts_with('_') && before.ends_with(|letter: char| letter.is_ascii_digit()) => {
                errors::bad_separator(place)
            }
            Kind::Word if written == "not" && before.trim_end().ends_with("is") => {
                generic().help("write `is unset`; to compare with `none`, write `!= none`")
            }
            Kind::Number | Kind::String if words(&failure.rules).contains(&"`,`") => {
                errors::add_comma(generic(), place)
            }
            Kind::Number | Kind::String if !wants_value => {
                generic().help("one value stands here; a list is written `[a, b]`")
            }
            Kind::Word if written == "if" => generic().help("inside an expression, an `if` stands in brackets"),
            Kind::Word if RESERVED.contains(&written) && wants_value => {
                errors::keyword_as_name(place, written, "a value", "write a value; text stands in quotes")
            }
            _ if before.contains(" // ") => generic().help("`//` divides and rounds down; a comment starts with `#`"),
            _ => return None,
        };
        Some(slip)
    }
}

/// The last place at or before `limit` where a text may be cut.
fn cut(text: &str, limit: usize) -> usize {
    (0..=limit.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
