//! How messages are worded: lower case, no full stop, names in backticks.

use dlm::diag::Diagnostic;

/// What is wrong with the words of a diagnostic.
pub fn complaints(diagnostic: &Diagnostic) -> Vec<String> {
    let labels = diagnostic.labels.iter().map(|label| label.text.as_str()).filter(|text| !text.is_empty());
    let titles = diagnostic.fixes.iter().map(|fix| fix.title.as_str());
    let texts =
        std::iter::once(diagnostic.message.as_str()).chain(labels).chain(diagnostic.help.as_deref()).chain(titles);
    let mut complaints = Vec::new();
    if diagnostic.message.contains('\n') {
        complaints.push("the message has several lines".to_owned());
    }
    complaints.extend(texts.filter_map(|text| Some(format!("{}: {text:?}", fault(text)?))));
    complaints.iter().map(|complaint| format!("{}: {complaint}", diagnostic.code)).collect()
}

/// What is wrong with one text.
pub fn fault(text: &str) -> Option<&'static str> {
    let first = text.split_whitespace().next()?;
    let mut letters = first.trim_end_matches([',', ':', ';']).chars();
    // `GPU`, `FlashAttention` and `FP8` are names; `Unknown` is a word that begins a sentence.
    let capital = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    match text {
        text if text.trim() != text => Some("blanks around the text"),
        _ if capital => Some("begins with a capital letter"),
        text if text.ends_with('.') && !text.ends_with("...") => Some("ends with a full stop"),
        text if text.matches('`').count() % 2 == 1 => Some("a backtick has no partner"),
        _ => None,
    }
}

#[test]
fn finds_what_is_worded_badly() {
    assert_eq!(fault("Unknown field"), Some("begins with a capital letter"));
    assert_eq!(fault("A field is missing"), Some("begins with a capital letter"));
    assert_eq!(fault("there is no such field."), Some("ends with a full stop"));
    assert_eq!(fault("there is no field `a"), Some("a backtick has no partner"));
    assert_eq!(fault("there is none "), Some("blanks around the text"));
    for good in
        ["`Model` has no field `a`", "FP8 needs compute capability 9.0", "15: leaves 8 over", "FlashAttention is off"]
    {
        assert_eq!(fault(good), None, "{good}");
    }
}
