//! The app: one window around [`api::Session`], and nothing else. [`commands`] are all that the page may call.

mod channel;
pub mod commands;
#[cfg(target_os = "linux")]
mod drawing;
mod window;
mod wireshark;

use std::ffi::OsString;
use std::fmt;
use std::path::absolute;
use std::sync::Arc;

use api::Session;
use tauri::{Builder, Manager as _, RunEvent, Runtime};

use commands::{Jobs, OpenedWith};

/// The program and its commit, to which rows of studies belong: as the command line has it, so that each goes on with
/// the other's.
const PROGRAM: &str = concat!("rtoscope ", env!("RTOSCOPE_VERSION"));

/// Adds plugins, state and commands of the app to a Tauri builder. The window and the tests, which use Tauri's mock
/// runtime, start from here.
pub fn builder<R: Runtime>(from: Builder<R>, session: Session, opened_with: OpenedWith) -> Builder<R> {
    from.plugin(tauri_plugin_dialog::init())
        .manage(Arc::new(session))
        .manage(Jobs::default())
        .manage(opened_with)
        .manage(wireshark::Written::default())
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::cancel,
            commands::opened_with,
            wireshark::open_in_wireshark
        ])
}

/// Failure to open the window.
#[derive(Debug)]
pub enum Failure {
    /// No display to open it on.
    NoDisplay,
    /// Error of Tauri.
    Tauri(tauri::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay => f.write_str(
                "there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY lead to none); `rtoscope` on the command \
                 line needs none.",
            ),
            Self::Tauri(error) => write!(f, "the window cannot be opened: {error}."),
        }
    }
}

impl std::error::Error for Failure {}

/// Opens the window and returns when it is closed. `captures` are the paths given on the command line.
///
/// # Errors
/// [`Failure`], before anything is shown.
pub fn run(captures: impl Iterator<Item = OsString>) -> Result<(), Failure> {
    // Asked first, since Tauri panics without one.
    #[cfg(target_os = "linux")]
    gtk::init().map_err(|_| Failure::NoDisplay)?;
    let paths = captures.map(|path| absolute(&path).map_or(path, OsString::from));
    let opened_with = OpenedWith(paths.map(|path| path.to_string_lossy().into_owned()).collect());
    let session = Session::default().with_report_page(page::REPORT).with_program(PROGRAM);
    builder(Builder::default(), session, opened_with)
        .setup(|app| {
            let main = app.get_webview_window("main");
            #[cfg(target_os = "linux")]
            main.as_ref().map_or(Ok(()), drawing::without_software_gl)?;
            main.as_ref().and_then(window::restore);
            Ok(())
        })
        .on_window_event(window::remember)
        .build(tauri::generate_context!())
        .map_err(Failure::Tauri)?
        .run(|app, event| {
            // A study that is under way keeps the rows of whole groups in any case; stopped here, it leaves no file
            // half written beside them.
            if matches!(event, RunEvent::Exit) {
                app.state::<Jobs>().end();
            }
        });
    Ok(())
}
