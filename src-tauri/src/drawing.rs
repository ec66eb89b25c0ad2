//! Choice of the renderer. WebKitGTK hands canvases and layers to GL, which pays with a graphics processor. Without
//! one, GL is a program (llvmpipe) on the very processors that run the page: a frame of a large Timeline then costs
//! five times as much processor time as without it, and stutters where that program translates itself for a kind of
//! mark that is met for the first time. So WebKit paints by itself there, which it does on one thread and with the same
//! result.

use std::path::Path;

use tauri::{Runtime, WebviewWindow};

/// Variable by which a user forces GL; WebKitGTK reads it, too.
const FORCE_GL: &str = "WEBKIT_FORCE_COMPOSITING_MODE";
/// Variable of Mesa by which GL is drawn by the processor, whatever devices there are.
const SOFTWARE_GL: &str = "LIBGL_ALWAYS_SOFTWARE";
/// Folder and name prefix of each kind of graphics device: the kernel's, and that of NVIDIA's own driver.
const DEVICES: [(&str, &str); 2] = [("/dev/dri", "renderD"), ("/dev", "nvidiactl")];

/// Facts from which the renderer follows: GL is forced, software GL is asked for, a graphics device is there.
#[derive(Clone, Copy, Debug)]
struct Known {
    forced: bool,
    software_asked: bool,
    device: bool,
}

impl Known {
    fn of_this_machine() -> Self {
        let says_yes = |name| std::env::var(name).is_ok_and(|said| !matches!(said.as_str(), "" | "0" | "false"));
        let device = DEVICES.iter().any(|&(folder, name)| holds(Path::new(folder), name));
        Self { forced: says_yes(FORCE_GL), software_asked: says_yes(SOFTWARE_GL), device }
    }

    /// Whether WebKit shall paint without GL.
    const fn without_gl(self) -> bool {
        !self.forced && (self.software_asked || !self.device)
    }
}

/// Whether something in `folder` has a name that begins with `name`.
fn holds(folder: &Path, name: &str) -> bool {
    let named = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(name);
    std::fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(named))
}

/// Makes WebKit paint the page of `window` without GL where GL would run on the processor. Fails where the page cannot
/// be reached.
pub(crate) fn without_software_gl<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};
    if !Known::of_this_machine().without_gl() {
        return Ok(());
    }
    window.with_webview(|webview| {
        if let Some(settings) = webview.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gl_is_left_to_a_graphics_processor_and_to_who_asks_for_it() {
        let known = |forced, software_asked, device| Known { forced, software_asked, device };
        assert!(known(false, false, false).without_gl());
        assert!(known(false, true, true).without_gl(), "there is one, and it is not to be used");
        assert!(!known(false, false, true).without_gl());
        assert!(!known(true, true, false).without_gl());
    }

    #[test]
    fn a_device_is_known_by_how_its_name_begins() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(holds(here, "Cargo"));
        assert!(!holds(here, "renderD"));
        assert!(!holds(&here.join("no such folder"), "renderD"));
    }
}
