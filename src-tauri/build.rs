//! Checks tauri.conf.json and the capabilities, and prepares what `generate_context!` embeds. Sets `RTOSCOPE_VERSION`
//! as the command line has it, since a study belongs to the version that began it.

#[path = "crates/cli/build.rs"]
mod version;

fn main() {
    version::main();
    tauri_build::build();
}
