//! Data that every other module sees: the record, the sender's rules, the workload, the channel asked for, and random
//! numbers.

mod bootstrap_words;
mod channel_spec;
mod fast;
mod first_answer;
mod index;
mod medium;
mod policy;
mod random;
mod record;
mod workload;
mod workload_model;

pub use bootstrap_words::bootstrap_words;
pub use channel_spec::{Base, ChannelSpec, LoadResponse};
pub use fast::FastPaths;
pub(crate) use fast::Times;
pub(crate) use first_answer::FirstAnswers;
pub(crate) use index::{Index, Moment, Path, RecordedCopy};
pub use medium::{Hops, Medium, Node};
pub(crate) use medium::{Load, USUAL};
pub use policy::{Aggregate, Application, Blind, Policy, Server, WorkloadChoice};
pub(crate) use random::{Dithers, Purpose, RandomStream, WORDS, normals, unit};
pub use record::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Record, Workload};
pub(crate) use workload::{NONE, Trigger, WorkloadPlan, recorded_timeout, unexplained_close};
pub(crate) use workload_model::{DrawnWorkload, Keep, WorkloadModel};
