//! Parses and resolves the standard library once, so that no start of dlm has to; and writes the place of libtorch into
//! the executables, where the feature `runtime` brings it.
//!
//! The front half of the compiler is compiled in here a second time, by path: what reads the library is what reads the
//! user's files, and a mistake in the library stops the build at its line.
#![allow(dead_code, unreachable_pub, unused_imports, reason = "a part of the crate's own modules is used here")]
#![allow(clippy::disallowed_methods, reason = "a build script reads files")]
#![allow(clippy::expect_used, reason = "a build script that can't go on stops the build")]

#[path = "src/base/mod.rs"]
mod base;
#[path = "src/diag/mod.rs"]
mod diag;
#[path = "src/resolve/mod.rs"]
mod resolve;
#[path = "src/syntax/mod.rs"]
mod syntax;
#[path = "src/types/mod.rs"]
mod types;

use std::path::{Path, PathBuf};

fn main() {
    for input in ["build.rs", "stdlib", "grammar", "src/base", "src/diag", "src/resolve", "src/syntax", "src/types"] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    if let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    standard_library();
}

fn standard_library() {
    let mut files = Vec::new();
    collect(Path::new("stdlib"), &mut files);
    files.sort();
    let mut map = base::SourceMap::default();
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut modules = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a file of the library is UTF-8 text");
        let inside = path.strip_prefix("stdlib").expect("collected below stdlib").with_extension("");
        let parts: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let shown = format!("std/{}", path.strip_prefix("stdlib").expect("collected below stdlib").display());
        let file = map.add(shown.as_str(), text.as_str());
        texts.push((shown, text.clone()));
        modules.push((format!("std.{}", parts.join(".")), file, text));
    }
    let modules: Vec<_> = modules.iter().map(|(name, file, text)| (name.clone(), *file, text.as_str())).collect();
    let mut program = resolve::Program::default();
    let mut sink = diag::Sink::default();
    resolve::load_library(&mut program, &modules, &mut sink);
    for diagnostic in sink.finish() {
        let (file, line, column) = map.place(diagnostic.span().unwrap_or(base::Span::start_of(base::FileId(0))));
        let level = if diagnostic.severity == diag::Severity::Error { "error" } else { "warning" };
        let message = format!("{file}:{line}:{column}: {}: {}", diagnostic.code, diagnostic.message);
        println!("cargo::{level}={}", message.replace('\n', " "));
    }
    let image = postcard::to_stdvec(&(texts, program)).expect("declarations are plain data");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("std.bin"), image).expect("OUT_DIR can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "dlm") {
            files.push(path);
        }
    }
}
