//! Restores the window as it was left: its size, its place where that is still on a screen, and whether it was
//! maximised. Errors are ignored: the window then opens as tauri.conf.json says.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tauri::{Manager, PhysicalPosition, PhysicalSize, Runtime, WebviewWindow, Window, WindowEvent};

/// Name of the file with the place, in the app's folder of configuration.
const FILE: &str = "window.json";

/// Place and size of a window that is not maximised, physical pixels of the desktop, and whether it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Place {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    maximized: bool,
}

/// A screen of the desktop, in the same pixels.
#[derive(Clone, Copy, Debug)]
struct Screen {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

impl Screen {
    fn holds(self, x: i64, y: i64) -> bool {
        let inside = |at: i64, from: i32, long: u32| (i64::from(from)..i64::from(from) + i64::from(long)).contains(&at);
        inside(x, self.x, self.width) && inside(y, self.y, self.height)
    }
}

impl Place {
    /// Returns width and height, at most those of the widest and the highest screen; `None` for an empty window or
    /// without screens.
    fn size_on(self, screens: &[Screen]) -> Option<(u32, u32)> {
        let widest = screens.iter().map(|screen| screen.width).max()?;
        let highest = screens.iter().map(|screen| screen.height).max()?;
        (self.width > 0 && self.height > 0).then_some((self.width.min(widest), self.height.min(highest)))
    }

    /// Returns the upper left corner if the middle of the upper edge, by which a person can move the window, is on a
    /// screen.
    fn position_on(self, screens: &[Screen]) -> Option<(i32, i32)> {
        let middle = i64::from(self.x) + i64::from(self.width) / 2;
        screens.iter().any(|screen| screen.holds(middle, i64::from(self.y))).then_some((self.x, self.y))
    }
}

fn file<R: Runtime>(manager: &impl Manager<R>) -> Option<PathBuf> {
    Some(manager.path().app_config_dir().ok()?.join(FILE))
}

/// Reads the place that was written down; `None` without one.
fn left<R: Runtime>(manager: &impl Manager<R>) -> Option<Place> {
    serde_json::from_slice(&fs::read(file(manager)?).ok()?).ok()
}

/// Puts `window` where it was left; `None` where that is not known or refused.
pub(crate) fn restore<R: Runtime>(window: &WebviewWindow<R>) -> Option<()> {
    let place = left(window)?;
    let screens = window.available_monitors().ok()?;
    let screens: Vec<Screen> = screens
        .iter()
        .map(|screen| {
            let (at, size) = (screen.position(), screen.size());
            Screen { x: at.x, y: at.y, width: size.width, height: size.height }
        })
        .collect();
    let (width, height) = place.size_on(&screens)?;
    window.set_size(PhysicalSize::new(width, height)).ok()?;
    if let Some((x, y)) = place.position_on(&screens) {
        window.set_position(PhysicalPosition::new(x, y)).ok()?;
    }
    if place.maximized {
        window.maximize().ok()?;
    }
    Some(())
}

/// Writes down the place of a window that is about to close.
pub(crate) fn remember<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    if matches!(event, WindowEvent::CloseRequested { .. }) {
        write_down(window);
    }
}

/// Writes down the place of `window`. A maximised window has the size of the screen, so the place known before stays in
/// the file. `None` where it is minimised or the file cannot be written.
fn write_down<R: Runtime>(window: &Window<R>) -> Option<()> {
    if window.is_minimized().ok()? {
        return None;
    }
    let (at, size) = (window.outer_position().ok()?, window.inner_size().ok()?);
    let here = Place { x: at.x, y: at.y, width: size.width, height: size.height, maximized: false };
    let place =
        if window.is_maximized().ok()? { Place { maximized: true, ..left(window).unwrap_or(here) } } else { here };
    let path = file(window)?;
    fs::create_dir_all(path.parent()?).ok()?;
    api::replace_file(&path, &serde_json::to_vec(&place).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::{Place, Screen};

    const LAPTOP: Screen = Screen { x: 0, y: 0, width: 1366, height: 768 };
    const BESIDE: Screen = Screen { x: 1366, y: -200, width: 2560, height: 1440 };
    const LEFT_BESIDE: Place = Place { x: 1500, y: -100, width: 1900, height: 1200, maximized: false };

    #[test]
    fn a_window_returns_to_the_screen_it_was_on() {
        assert_eq!(LEFT_BESIDE.size_on(&[LAPTOP, BESIDE]), Some((1900, 1200)));
        assert_eq!(LEFT_BESIDE.position_on(&[LAPTOP, BESIDE]), Some((1500, -100)));
    }

    #[test]
    fn a_window_whose_screen_is_gone_stays_in_reach() {
        assert_eq!(LEFT_BESIDE.size_on(&[LAPTOP]), Some((1366, 768)));
        assert_eq!(LEFT_BESIDE.position_on(&[LAPTOP]), None);
        assert_eq!(LEFT_BESIDE.size_on(&[]), None);
    }

    #[test]
    fn nonsense_in_the_file_is_not_a_place() {
        assert_eq!(Place { width: 0, ..LEFT_BESIDE }.size_on(&[LAPTOP]), None);
        let far = Place { x: i32::MAX, y: i32::MIN, width: u32::MAX, ..LEFT_BESIDE };
        assert_eq!(far.position_on(&[LAPTOP, BESIDE]), None);
        assert_eq!(far.size_on(&[LAPTOP]), Some((1366, 768)));
    }
}
