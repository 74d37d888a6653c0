//! The standard library as the build script left it: texts, and declarations with their names resolved.

use std::sync::LazyLock;

use crate::base::SourceMap;
use crate::resolve::Program;

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/std.bin"));

/// The texts and declarations of the library.
pub(super) struct Library {
    pub(super) sources: SourceMap,
    pub(super) program: Program,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    // The image was written by the build script from these very types, so it reads back; were it damaged, an empty
    // library would make every import of it an error with a place, which beats a panic.
    let (texts, program): (Vec<(String, String)>, Program) = postcard::from_bytes(IMAGE).unwrap_or_default();
    let mut sources = SourceMap::default();
    for (name, text) in texts {
        sources.add(name, text);
    }
    Library { sources, program }
});

/// The library, read once a process.
pub(super) fn library() -> &'static Library {
    &LIBRARY
}
