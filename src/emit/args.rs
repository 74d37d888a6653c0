//! The target's command line, as words and as text for a shell.

use crate::spec::{Argument, ArgumentSet, ArgumentValue, FlagKind};

/// The words of the command line, program name excluded: only those that say something which the target would not do
/// by itself, or with `full` all that can be said.
pub fn args(arguments: &ArgumentSet, full: bool) -> Vec<String> {
    let told = arguments.arguments.iter().filter(|argument| full || !argument.is_default);
    told.flat_map(words).collect()
}

/// The same as text: words quoted for a POSIX shell where they need it, with blanks between.
pub fn shell(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    quoted.join(" ")
}

/// A flag and its values. A switch whose value is what its absence means has no words, nor has an absent value.
fn words(argument: &Argument) -> Vec<String> {
    let Some(flag) = &argument.flag else { return Vec::new() };
    let name = || flag.name.clone();
    match (flag.kind, &argument.value) {
        (_, ArgumentValue::None) => Vec::new(),
        (FlagKind::StoreTrue, ArgumentValue::Bool(true)) | (FlagKind::StoreFalse, ArgumentValue::Bool(false)) => {
            vec![name()]
        }
        (FlagKind::StoreTrue | FlagKind::StoreFalse, _) => Vec::new(),
        (FlagKind::Many, ArgumentValue::List(items)) => std::iter::once(name()).chain(items.iter().map(text)).collect(),
        (FlagKind::Value | FlagKind::Many, value) => {
            let value = text(value);
            // argparse takes a word that begins with a dash for a flag, unless it is joined to the one before.
            if value.starts_with('-') { vec![format!("{}={value}", flag.name)] } else { vec![name(), value] }
        }
    }
}

fn text(value: &ArgumentValue) -> String {
    match value {
        ArgumentValue::None => String::new(),
        ArgumentValue::Bool(value) => value.to_string(),
        ArgumentValue::Int(value) => value.to_string(),
        ArgumentValue::Float(value) => float(*value),
        ArgumentValue::Text(text) => text.clone(),
        ArgumentValue::List(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
    }
}

/// The shortest digits that read back as the same number; small numbers with an exponent.
fn float(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:e}") } else { value.to_string() }
}

/// A word as a POSIX shell wants it: in quotes where it needs them.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Cause, Flag};

    fn argument(kind: FlagKind, value: ArgumentValue) -> Argument {
        let cause = Cause { field: "f".to_owned(), file: "f.dlm".to_owned(), line: 1, column: 1 };
        let flag = Some(Flag { name: "--f".to_owned(), kind });
        Argument { field: "f".to_owned(), flag, value, is_default: false, cause }
    }

    fn shown(kind: FlagKind, value: ArgumentValue) -> String {
        shell(&args(&ArgumentSet { arguments: vec![argument(kind, value)] }, false))
    }

    #[test]
    fn words_are_those_that_argparse_reads() {
        let text = |text: &str| ArgumentValue::Text(text.to_owned());
        assert_eq!(shown(FlagKind::Value, ArgumentValue::Float(1e-6)), "--f 1e-6");
        assert_eq!(shown(FlagKind::Value, ArgumentValue::Float(0.95)), "--f 0.95");
        assert_eq!(shown(FlagKind::Value, ArgumentValue::Float(-1e-6)), "--f=-1e-6");
        assert_eq!(shown(FlagKind::Value, ArgumentValue::Int(19_073_486)), "--f 19073486");
        assert_eq!(shown(FlagKind::Value, text("969, 30, 1")), "--f '969, 30, 1'");
        assert_eq!(shown(FlagKind::Value, text("it's")), r"--f 'it'\''s'");
        assert_eq!(shown(FlagKind::Value, text("")), "--f ''");
        assert_eq!(shown(FlagKind::Many, ArgumentValue::List(vec![text("0.5"), text("a b")])), "--f 0.5 'a b'");
        assert_eq!(shown(FlagKind::StoreTrue, ArgumentValue::Bool(true)), "--f");
        assert_eq!(shown(FlagKind::StoreTrue, ArgumentValue::Bool(false)), "");
        assert_eq!(shown(FlagKind::StoreFalse, ArgumentValue::Bool(false)), "--f");
        assert_eq!(shown(FlagKind::Value, ArgumentValue::None), "");
    }

    #[test]
    fn what_the_target_does_by_itself_is_left_out() {
        let default = Argument { is_default: true, ..argument(FlagKind::Value, ArgumentValue::Int(1)) };
        let set = ArgumentSet { arguments: vec![default] };
        assert_eq!(args(&set, false), Vec::<String>::new());
        assert_eq!(args(&set, true), ["--f", "1"]);
    }
}
