//! The desktop window: `rtoscope-app [CAPTURE...]`.
#![cfg_attr(windows, windows_subsystem = "windows")]

fn main() -> tauri::Result<()> {
    rtoscope_app::run(std::env::args_os().skip(1))
}
