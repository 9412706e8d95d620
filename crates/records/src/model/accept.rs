//! Weights of the accept model.
use crate::trees::{ForestRef, Node};
pub(super) const FOREST: ForestRef<'static> = ForestRef { bias: 0.0, roots: &ROOTS, nodes: &NODES };
const ROOTS: [u16; 0] = [];
const NODES: [Node; 0] = [];
