//! Sets `RTOSCOPE_VERSION` as the command line has it, since a study belongs to the version that began it, and what
//! macOS's linker has to know of modules of Python.

#[path = "../cli/build.rs"]
mod version;

fn main() {
    version::main();
    pyo3_build_config::add_extension_module_link_args();
}
