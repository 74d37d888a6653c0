//! Writes the place of libtorch into the executables, where the feature `runtime` brings it.
#![allow(clippy::disallowed_methods, reason = "a build script is told by its environment what to do")]

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DEP_TCH_LIBTORCH_LIB");
    if let Ok(folder) = std::env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
