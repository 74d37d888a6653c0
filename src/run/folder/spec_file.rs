//! Reading `run.json`, with the place of every fault.

use serde::Deserialize;

use crate::spec::RunSpec;

/// Reads a run specification. An error says line, column and field.
pub fn parse_spec(text: &str) -> Result<RunSpec, String> {
    #[derive(Deserialize)]
    struct Versioned {
        version: Option<serde_json::Value>,
    }
    let in_words = |fault: serde_json::Error| describe(text, &fault);
    // The version first: a specification of another version may hold fields that this one does not know.
    let Versioned { version } = serde_json::from_str(text).map_err(in_words)?;
    match version.as_ref().map(|version| (version, version.as_u64())) {
        None => return Err("field `version` is missing, so this is no run specification".to_owned()),
        Some((_, Some(number))) if number == u64::from(RunSpec::VERSION) => {}
        Some((found, _)) => {
            return Err(format!(
                "`version` is {found}, and this build of dlm reads version {}: run `dlm run` again to write it anew",
                RunSpec::VERSION
            ));
        }
    }
    serde_json::from_str(text).map_err(in_words)
}

/// An error of serde_json with its place in front: `line 12, column 9, `plan.batch`: missing field `micro``.
fn describe(text: &str, fault: &serde_json::Error) -> String {
    let whole = fault.to_string();
    let what = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(what, _)| what);
    let field = match path_at(text, fault.line(), fault.column()) {
        path if path.is_empty() => String::new(),
        path => format!(", `{path}`"),
    };
    format!("line {}, column {}{field}: {what}", fault.line(), fault.column())
}

/// One level of nesting: an object with the key that was read last, or a list with the number of its element.
enum Level {
    Object(Option<String>),
    List(usize),
}

/// The dotted path of the value at a place: `graph.root.children[0].name`. Works on broken text as far as it goes.
fn path_at(text: &str, line: usize, column: usize) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = before.saturating_add(column).min(text.len());
    let mut levels: Vec<Level> = Vec::new();
    let mut last_text = String::new();
    let mut bytes = text.bytes().take(end);
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                let mut content = Vec::new();
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => content.extend(bytes.next()),
                        _ => content.push(byte),
                    }
                }
                last_text = String::from_utf8_lossy(&content).into_owned();
            }
            b':' => {
                if let Some(Level::Object(key)) = levels.last_mut() {
                    *key = Some(std::mem::take(&mut last_text));
                }
            }
            b'{' => levels.push(Level::Object(None)),
            b'[' => levels.push(Level::List(0)),
            b'}' | b']' => {
                levels.pop();
            }
            b',' => match levels.last_mut() {
                Some(Level::Object(key)) => *key = None,
                Some(Level::List(number)) => *number += 1,
                None => {}
            },
            _ => {}
        }
    }
    let mut path = String::new();
    for level in &levels {
        match level {
            Level::Object(Some(key)) if path.is_empty() => path.push_str(key),
            Level::Object(Some(key)) => {
                path.push('.');
                path.push_str(key);
            }
            Level::Object(None) => {}
            Level::List(number) => path.push_str(&format!("[{number}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{parse_spec, path_at};

    #[test]
    fn paths() {
        let text = "{\n  \"a\": {\"b\": [1, {\"c\\\"d\": 7, \"e\": 8}]},\n  \"f\": \"x,{y\"\n}";
        let at = |needle: &str| {
            let offset = text.find(needle).unwrap() + needle.len();
            let line = text.get(..offset).unwrap().matches('\n').count() + 1;
            let column = offset - text.get(..offset).unwrap().rfind('\n').map_or(0, |at| at + 1);
            path_at(text, line, column)
        };
        assert_eq!(at("[1"), "a.b[0]");
        assert_eq!(at(": 7"), "a.b[1].c\"d");
        assert_eq!(at(": 8"), "a.b[1].e");
        assert_eq!(at("x,{y\""), "f");
        assert_eq!(path_at("", 9, 9), "");
    }

    #[test]
    fn faults_have_their_place() {
        assert_eq!(parse_spec("").unwrap_err(), "line 1, column 0: EOF while parsing a value");
        assert_eq!(parse_spec("{}").unwrap_err(), "field `version` is missing, so this is no run specification");
        assert!(parse_spec("{\"version\": 99}").unwrap_err().contains("`version` is 99"));
        assert!(parse_spec("{\"version\": \"1\"}").unwrap_err().contains("`version` is \"1\""));
        let unknown = parse_spec("{\"version\": 1,\n \"experimant\": 3}").unwrap_err();
        assert!(unknown.starts_with("line 2, column 13: unknown field `experimant`"), "{unknown}");
        let wrong = parse_spec("{\"version\": 1,\n \"experiment\": 3}").unwrap_err();
        assert!(wrong.starts_with("line 2, column 16, `experiment`: invalid type: integer `3`"), "{wrong}");
    }
}
