//! Beacon payload fields of frame versions 0 and 1 (802.15.4-2006 7.2.2.1).

/// Length of superframe specification, GTS fields and pending addresses at the start of a beacon's MAC
/// payload, octets; the beacon payload is behind them. The whole length where the payload is too short for them.
///
/// ```text
/// +------------------------+-----------+-----------------+----------------+---------+-------------+
/// | superframe spec. (16)  | GTS (8)   | directions (8), | descriptors,   | pending | addresses,  |
/// |                        | count 0-2 | if count > 0    | 3 octets each  | (8)     | 2 or 8 each |
/// +------------------------+-----------+-----------------+----------------+---------+-------------+
/// ```
#[must_use]
pub fn beacon_fields_len(payload: &[u8]) -> usize {
    /// Octets of the superframe specification.
    const SUPERFRAME: usize = 2;
    let gts_count = payload.get(SUPERFRAME).map_or(0, |gts| usize::from(gts & 7));
    let gts = if gts_count > 0 { gts_count.saturating_mul(3).saturating_add(2) } else { 1 };
    let pending_at = SUPERFRAME.saturating_add(gts);
    let pending = payload.get(pending_at).map_or(0, |pending| {
        let (short, extended) = (usize::from(pending & 7), usize::from(pending >> 4 & 7));
        short.saturating_mul(2).saturating_add(extended.saturating_mul(8))
    });
    pending_at.saturating_add(1).saturating_add(pending).min(payload.len())
}
