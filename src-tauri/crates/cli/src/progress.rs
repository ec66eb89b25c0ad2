//! Progress bar on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ops::ControlFlow;

/// Progress bar of one step of work, removed when it is dropped. Shows nothing unless standard error is a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// Returns an empty bar labelled `what`, a present participle such as `reading`.
    pub fn new(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} % {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        Self(bar)
    }
}

impl api::Progress for Bar {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self.0.set_length(total);
        self.0.set_position(done);
        ControlFlow::Continue(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
