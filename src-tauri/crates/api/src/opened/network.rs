//! Network of a capture, and the list of nodes beside it; both are read when they are first requested.

use super::{Opened, path_of, samples::samples};
use crate::view::{PlanView, PlannedNode, PositionView};
use base::{Cancelled, ExchangeId, Part, Progress, Silent};
use std::path::{Path, PathBuf};
use trace::network::Network;
use trace::{NodeList, Places, Trace};

/// A list of nodes that belongs to a capture.
#[derive(Debug)]
pub struct ListBeside {
    /// Path of the list; `None` for a bundled one.
    pub path: Option<PathBuf>,
    /// Names, addresses and places of nodes, as the list has them.
    pub list: NodeList,
}

impl ListBeside {
    /// Returns the first list beside the capture at `path` that names nodes of `network`; passes over unreadable files.
    /// `None` without such a list.
    #[must_use]
    pub fn find(path: &Path, network: &Network) -> Option<Self> {
        trace::node_lists_beside(path).into_iter().find_map(|path| {
            let list = trace::open_node_list(&path, &mut Silent).ok()?;
            network.is_of(&list).then_some(Self { path: Some(path), list })
        })
    }

    /// Returns the list that is bundled with the sample whose file is called `file`.
    fn bundled(file: &str, network: &Network) -> Option<Self> {
        let octets = samples().iter().find(|sample| sample.file == file)?.plan?;
        let list = trace::read_node_list("nodes.csv", octets, u64::try_from(octets.len()).ok(), &mut Silent).ok()?;
        network.is_of(&list).then_some(Self { path: None, list })
    }
}

/// Describes `list` for the window and the command line, with those of its nodes that `network` has.
#[must_use]
pub fn plan_view(network: &Network, list: &NodeList) -> PlanView {
    let located = network.locate(list);
    let planned = |&(node, at): &(usize, usize)| {
        let listed = list.nodes.get(at)?;
        let place = listed.place.map(|[x, y]| PositionView { x, y });
        Some(PlannedNode { node: u32::try_from(node).unwrap_or(u32::MAX), place, name: listed.name.clone() })
    };
    let sentence = |note: &base::NoteCount| match note.count {
        1 => note.first_text.clone(),
        count => format!("{} ({count} such)", note.first_text),
    };
    PlanView {
        file: list.name.clone(),
        kind: list.kind,
        nodes: located.nodes.iter().filter_map(planned).collect(),
        unknown: u32::try_from(located.unknown.len()).unwrap_or(u32::MAX),
        notes: list.notes.kinds().iter().map(sentence).collect(),
    }
}

/// Returns the network of `trace`, with the copies that the recorded timeline shows as needless.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn network_of(trace: &Trace, places: &Places, progress: &mut dyn Progress) -> Result<Network, Cancelled> {
    trace::network::of(trace, places, &needless(trace), progress)
}

fn needless(trace: &Trace) -> impl Fn(ExchangeId, usize) -> bool {
    |exchange, copy| trace.exchanges.get(exchange.index()).is_some_and(|exchange| table::needless(exchange, copy))
}

impl Opened {
    /// Returns the network of the capture, computed when it is first requested.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(crate) fn network(&self, progress: &mut dyn Progress) -> Result<&Network, Cancelled> {
        self.network.get_or_try_init(progress, |progress| {
            // Matching frames to messages takes a tenth of the time.
            let places = self.lists.places(&self.trace, &mut Part::new(progress, 0, 10, 100))?;
            trace::network::of(&self.trace, places, &needless(&self.trace), &mut Part::new(progress, 10, 100, 100))
        })
    }

    /// Returns the list of nodes beside the capture, or bundled with it; `None` without one.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(crate) fn list_beside(&self, progress: &mut dyn Progress) -> Result<Option<&ListBeside>, Cancelled> {
        let network = self.network(progress)?;
        Ok(self
            .list
            .get_or_init(|| match (path_of(&self.files), self.files.first()) {
                (Some(path), _) => ListBeside::find(path, network),
                (None, Some(file)) if file.path.is_none() => ListBeside::bundled(&file.name, network),
                _ => None,
            })
            .as_ref())
    }
}
