//! Square matrices over nodes.

use super::NodeId;

/// One value for every ordered pair of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix<T> {
    nodes: usize,
    values: Vec<T>,
}

impl<T: Copy + Default> Matrix<T> {
    /// Creates a matrix over `nodes` nodes, every value the default.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { nodes, values: vec![T::default(); nodes * nodes] }
    }

    /// Returns the value of row `from` and column `to`; the default outside.
    #[inline]
    #[must_use]
    pub fn get(&self, from: NodeId, to: NodeId) -> T {
        self.place(from, to).and_then(|at| self.values.get(at)).copied().unwrap_or_default()
    }

    /// Returns the value of row `from` and column `to`, to be changed; `None` outside.
    pub fn get_mut(&mut self, from: NodeId, to: NodeId) -> Option<&mut T> {
        let at = self.place(from, to)?;
        self.values.get_mut(at)
    }

    /// Sets the value of row `from` and column `to`; outside nothing happens.
    pub fn set(&mut self, from: NodeId, to: NodeId, value: T) {
        if let Some(slot) = self.get_mut(from, to) {
            *slot = value;
        }
    }

    /// Returns all ordered pairs with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, NodeId, T)> {
        let pairs = (0..self.nodes).flat_map(|from| (0..self.nodes).map(move |to| (from, to)));
        pairs.zip(&self.values).map(|((from, to), &value)| (from as NodeId, to as NodeId, value))
    }

    /// Returns the matrix of `convert(from, to, value)`.
    pub fn map<U: Copy + Default>(&self, mut convert: impl FnMut(NodeId, NodeId, T) -> U) -> Matrix<U> {
        let values = self.iter().map(|(from, to, value)| convert(from, to, value)).collect();
        Matrix { nodes: self.nodes, values }
    }

    fn place(&self, from: NodeId, to: NodeId) -> Option<usize> {
        let (from, to) = (usize::from(from), usize::from(to));
        (from < self.nodes && to < self.nodes).then_some(from * self.nodes + to)
    }
}
