//! Fast paths: what can be switched off, and the table that `model` itself has.

mod times;

pub(crate) use times::Times;

/// Switches of the fast paths. Each of them computes what its plain form computes, sooner: results are equal, but for
/// [`FastPaths::kernel_sums`], whose weights are less than a hundredth off. `npm run bench -- replicates` times every
/// one; one that saves less than a fifth everywhere is not kept (`docs/building.md` has the table).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FastPaths {
    /// Whether kernel weights come from prefix sums and a table of the exponential (`channel/fast/kernel_weights.rs`).
    /// Plain: every neighbour is weighed (`channel/kernel.rs`).
    pub kernel_sums: bool,
    /// Whether searches by time are fast: the rank of a moment among recorded copies from a table over time, found once
    /// per copy sent (`model/fast/times.rs`), and the donor of the background among those where it must be
    /// (`estimate/statistics/fast/near_search.rs`). Plain: a binary search in every list.
    pub searches: bool,
    /// Whether first copies that several timers send at the same moment meet one draw
    /// (`channel/fast/first_copy_cache.rs`). Plain: a draw each.
    pub first_copies: bool,
    /// Whether a client with one open exchange is simulated without events (`engine/fast/single_client.rs`). Plain: the
    /// event loop.
    pub single_client: bool,
    /// Whether scenarios over the same channel run together and share its draws (`run/fast/batch.rs`). Plain: one after
    /// the other.
    pub batches: bool,
}

impl FastPaths {
    /// Every fast path switched on.
    pub const ALL: Self =
        Self { kernel_sums: true, searches: true, first_copies: true, single_client: true, batches: true };

    /// Every fast path switched off: the plain forms only.
    pub const NONE: Self =
        Self { kernel_sums: false, searches: false, first_copies: false, single_client: false, batches: false };

    /// All fast paths but one, each with the name of the one that is switched off.
    pub const BUT_ONE: [(&'static str, Self); 5] = [
        ("kernel_sums", Self { kernel_sums: false, ..Self::ALL }),
        ("searches", Self { searches: false, ..Self::ALL }),
        ("first_copies", Self { first_copies: false, ..Self::ALL }),
        ("single_client", Self { single_client: false, ..Self::ALL }),
        ("batches", Self { batches: false, ..Self::ALL }),
    ];
}
