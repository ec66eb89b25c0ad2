//! Density of events over the whole capture.

use crate::columns::{FateKind, NAVIGATOR_COLUMNS};
use crate::frame::{Data, Sheet, TableError};
use crate::timeline::Timeline;
use base::Instant;
use trace::Trace;

/// Counts frames, and copies, needless and lost ones of the recorded behaviour, in `bins` equal parts (1 to 4096) of
/// the capture, as [`NAVIGATOR_COLUMNS`].
///
/// # Errors
/// [`TableError`] when the columns do not match their declaration.
pub fn navigator(trace: &Trace, recorded: &Timeline, bins: u32) -> Result<Sheet, TableError> {
    // Chosen here: as many parts as the widest usual screen has columns (4,096 px); it bounds the reply.
    let bins = bins.clamp(1, 4_096) as usize;
    let (start, end) = trace.capture.window().unwrap_or((Instant::ZERO, Instant::ZERO));
    let span = i128::from((end - start).nanos()).max(1);
    let bin = |at: Instant| {
        let offset = i128::from((at - start).nanos()).clamp(0, span);
        usize::try_from(offset * bins as i128 / (span + 1)).unwrap_or(0).min(bins - 1)
    };
    let zero = || vec![0.0_f32; bins];
    let (mut frames, mut copies, mut needless, mut lost) = (zero(), zero(), zero(), zero());
    let add = |column: &mut Vec<f32>, at: Instant| {
        if let Some(count) = column.get_mut(bin(at)) {
            *count += 1.0;
        }
    };
    for frame in &trace.capture.frames {
        add(&mut frames, frame.at);
    }
    for copy in recorded.exchanges().flat_map(|e| &e.copies) {
        add(&mut copies, copy.sent);
        if copy.needless {
            add(&mut needless, copy.sent);
        }
        if matches!(copy.fate, FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost) {
            add(&mut lost, copy.sent);
        }
    }
    let t0 = (0..bins).map(|b| start.nanos() as f64 + (span * b as i128 / bins as i128) as f64).collect();
    Sheet::new(
        NAVIGATOR_COLUMNS,
        vec![Data::F64(t0), Data::F32(frames), Data::F32(copies), Data::F32(needless), Data::F32(lost)],
    )
}
