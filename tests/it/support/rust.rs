//! Rust source as far as the tests over sources have to understand it: comments and strings out, then words.

/// The text with comments, strings and character literals made blank; every line stays where it is.
pub fn strip(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < letters.len() {
        let end = end_of_text(&letters, at);
        // What is no code becomes blank, but for its line breaks; all else stays.
        let blank = |&letter: &char| if letter == '\n' { '\n' } else { ' ' };
        match end {
            Some(end) => out.extend(letters[at..end].iter().map(blank)),
            None => out.push(letters[at]),
        }
        at = end.unwrap_or(at + 1);
    }
    out
}

/// Where the comment or literal that begins at `at` ends; none if none begins there.
fn end_of_text(letters: &[char], at: usize) -> Option<usize> {
    let rest = &letters[at..];
    let from = |offset: usize| letters.get(at + offset).copied();
    let word_before = at > 0 && (letters[at - 1].is_alphanumeric() || letters[at - 1] == '_');
    match rest[0] {
        '/' if from(1) == Some('/') => Some(at + rest.iter().position(|&letter| letter == '\n').unwrap_or(rest.len())),
        '/' if from(1) == Some('*') => {
            let (mut depth, mut end) = (0, at);
            while end < letters.len() {
                match (letters[end], letters.get(end + 1)) {
                    ('/', Some('*')) => (depth, end) = (depth + 1, end + 2),
                    ('*', Some('/')) => (depth, end) = (depth - 1, end + 2),
                    _ => end += 1,
                }
                if depth == 0 {
                    break;
                }
            }
            Some(end)
        }
        'r' if !word_before || letters[at - 1] == 'b' => {
            let hashes = rest[1..].iter().take_while(|&&letter| letter == '#').count();
            let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            if from(1 + hashes) != Some('"') {
                return None;
            }
            let body = at + hashes + 2;
            let length = letters[body..].windows(close.len()).position(|window| window == close);
            Some(length.map_or(letters.len(), |length| body + length + close.len()))
        }
        '"' => Some(quoted(letters, at, '"')),
        // `'a'` and `'\n'` are letters, `'a` is a lifetime.
        '\'' if from(1) == Some('\\') || from(2) == Some('\'') => Some(quoted(letters, at, '\'')),
        _ => None,
    }
}

fn quoted(letters: &[char], at: usize, quote: char) -> usize {
    let mut end = at + 1;
    while end < letters.len() && letters[end] != quote {
        end += if letters[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(letters.len())
}

/// A word, `::`, or any other letter, with its line from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// The tokens of stripped text.
pub fn tokens(stripped: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, text) in (1..).zip(stripped.lines()) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                word => word,
            };
            let (text, behind) = rest.split_at(length);
            tokens.push(Token { text, line });
            rest = behind.trim_start();
        }
    }
    tokens
}

#[test]
fn leaves_code_alone() {
    let text =
        "let a = \"x // \\\" y\"; // b\nlet c = 'd'; /* e /* f */ g */ h::<'i>('\\'', br#\"j\"#, r\"k\");\nwriter(l)";
    let stripped = strip(text);
    let words = tokens(&stripped).into_iter().map(|token| token.text);
    let words: Vec<&str> = words.filter(|text| text.chars().all(char::is_alphabetic)).collect();
    assert_eq!(words, ["let", "a", "let", "c", "h", "i", "b", "writer", "l"]);
    assert_eq!(stripped.lines().count(), 3);
}
