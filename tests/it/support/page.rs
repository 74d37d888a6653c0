//! Pages of the book about diagnostics: one form for all of them.
//!
//! ````text
//! # `dlm::resolve::unknown_field`
//!
//! What it means, and why it matters.
//!
//! ## Rejected
//!
//! ```dlm
//! an example that gives exactly this code
//! ```
//!
//! ## Mended
//!
//! ```dlm
//! the same, and nothing to complain about
//! ```
//! ````

/// The folder of the pages.
pub const FOLDER: &str = "book/src/diagnostics";

/// A page in its parts.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// `dlm::<stage>::<name>`
    pub code: String,
    /// A case (see `ui.rs`) that gives this code.
    pub rejected: String,
    /// The same case, mended.
    pub mended: String,
}

impl Page {
    /// Reads a page, or says where it departs from the form.
    pub fn parse(text: &str) -> Result<Page, String> {
        let (title, rest) = text.split_once('\n').ok_or("the page has one line only")?;
        let code = title.strip_prefix("# `").and_then(|title| title.trim_end().strip_suffix('`'));
        let code = code.ok_or("the first line is not a title that holds the code in backticks")?.to_owned();
        let (about, rest) = rest.split_once("\n## Rejected\n").ok_or("there is no section `## Rejected`")?;
        let (rejected, mended) =
            rest.split_once("\n## Mended\n").ok_or("no section `## Mended` follows `## Rejected`")?;
        if about.trim().is_empty() {
            return Err("nothing is said between the title and `## Rejected`".to_owned());
        }
        Ok(Page { code, rejected: block(rejected)?, mended: block(mended)? })
    }
}

/// The one block of `dlm` in a section.
fn block(section: &str) -> Result<String, String> {
    let mut blocks = section.split("```dlm\n").skip(1);
    let body = blocks.next().ok_or("a section has no block of `dlm`")?;
    if blocks.next().is_some() {
        return Err("a section has two blocks of `dlm`".to_owned());
    }
    let (body, _) = body.split_once("```").ok_or("a block of `dlm` does not end")?;
    Ok(body.to_owned())
}

#[test]
fn reads_pages_of_the_form_alone() {
    let good = "# `dlm::a::b`\n\nText.\n\n## Rejected\n\n```dlm\nx\n```\n\n## Mended\n\nSo:\n\n```dlm\ny\n```\n";
    let page = Page { code: "dlm::a::b".to_owned(), rejected: "x\n".to_owned(), mended: "y\n".to_owned() };
    assert_eq!(Page::parse(good), Ok(page));
    for (from, to) in [
        ("# `dlm::a::b`", "# dlm::a::b"),
        ("Text.\n\n", ""),
        ("## Rejected", "## Wrong"),
        ("## Mended", "## Right"),
        ("```dlm\ny", "```\ny"),
        ("So:", "```dlm\nz\n```"),
    ] {
        assert!(Page::parse(&good.replacen(from, to, 1)).is_err(), "without {from:?}");
    }
}
