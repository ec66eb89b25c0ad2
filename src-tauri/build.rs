//! Checks tauri.conf.json and the capabilities, and prepares what `generate_context!` embeds.
fn main() {
    tauri_build::build();
}
