//! Commands that record what sniffers hear.

pub(crate) mod extcap;
pub(crate) mod record;
