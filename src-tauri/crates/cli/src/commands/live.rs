//! Commands that record what sniffers hear, and watch what is recorded.

pub(crate) mod extcap;
pub(crate) mod record;
pub(crate) mod watch;
