//! The formatter: its style, and that it changes nothing but blanks.

use dlm::fmt::format;
use proptest::prelude::*;

use crate::support::dlm_files;

/// The text without blanks, line by line: what the formatter must keep.
fn pieces(text: &str) -> Vec<String> {
    let squeezed = text.lines().map(|line| line.split_whitespace().collect::<String>());
    squeezed.filter(|line| !line.is_empty()).collect()
}

#[test]
fn one_style() {
    let written = "\n\ndlm 1\n\n\n# Head.\nuse std.recipes.{ a,b }\nuse \"x.dlm\" {Y}\n\n## Doc.\nschema S{\n a : int>0=1 flag \"--a\"\n\
        \x20b: list < string > ?\n\n\n c: tokens|samples = 10T tokens\n  check d: a%2==0 when b is set\n else \"{a}\"\n  help \"h\"\n}\n\
        experiment e extends S\nwith a , b over a.x{\n\n  a=- 1   # one\n  longer  ?= [1,2]# two\n  group={\n x = max( 1,2 )+-1\n  }\n  \
        y = 1 +\n2\n  z = [\n1,\n2,\n]\n inline {a = 1;b = 2}\n\n}\n\n\n";
    let wanted = "dlm 1\n\n# Head.\nuse std.recipes.{a, b}\nuse \"x.dlm\" { Y }\n\n## Doc.\nschema S {\n  a: int > 0 = 1   flag \"--a\"\n  \
        b: list<string>?\n\n  c: tokens | samples = 10T tokens\n  check d: a % 2 == 0 when b is set\n    else \"{a}\"\n    help \"h\"\n}\n\
        experiment e extends S\n  with a, b over a.x {\n\n";
    let formatted = format(written).unwrap();
    let head: String = formatted.lines().take(18).map(|line| format!("{line}\n")).collect();
    assert_eq!(head, wanted.trim_end_matches('\n').to_owned() + "\n");
    assert!(formatted.contains("  a       = -1      # one\n"), "`=` stands under the `=` of `?=`:\n{formatted}");
    assert!(formatted.contains("  longer ?= [1, 2]  # two\n"), "{formatted}");
    assert!(formatted.contains("  group = {\n    x = max(1, 2) + -1\n  }\n"), "{formatted}");
    assert!(formatted.contains("  y = 1 +\n      2\n"), "{formatted}");
    assert!(formatted.contains("  z = [\n    1,\n    2,\n  ]\n"), "{formatted}");
    assert!(formatted.ends_with("  inline { a = 1; b = 2 }\n}\n"), "{formatted}");
}

#[test]
fn everything_in_the_repository_is_formatted() {
    let unformatted: Vec<String> =
        dlm_files().into_iter().filter(|(_, text)| format(text).as_deref() != Ok(text)).map(|(path, _)| path).collect();
    assert_eq!(unformatted, Vec::<String>::new(), "`dlm fmt` does it");
}

#[test]
fn broken_files_are_left_alone() {
    assert!(format("dlm 1\nexperiment {\n").is_err());
}

proptest! {
    /// Blanks thrown in anywhere between pieces change nothing.
    #[test]
    fn blanks_do_not_matter(seed in prop::collection::vec(0_usize..4, 1..50), which in 0_usize..1000) {
        let files = dlm_files();
        let (_, text) = &files[which % files.len()];
        let mut blanks = seed.iter().cycle();
        let mangled: String = text
            .lines()
            .map(|line| {
                let indent = " ".repeat(*blanks.next().unwrap());
                let empty = if *blanks.next().unwrap() == 0 && !line.trim_start().starts_with("##") { "\n" } else { "" };
                // Not before documentation: an empty line there would be kept, and is no blank.
                format!("{indent}{}{}\n", line.trim(), if line.is_empty() { empty } else { "" })
            })
            .collect();
        let once = format(&mangled).unwrap();
        prop_assert_eq!(pieces(&once), pieces(text));
        prop_assert_eq!(&format(&once).unwrap(), &once);
    }
}
