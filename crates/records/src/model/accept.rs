//! Weights of the accept model.
use crate::trees::{ForestRef, Node};
pub(super) const FIRST: ForestRef<'static> = ForestRef { bias: 0.0, roots: &ROOTS, nodes: &NODES };
pub(super) const SECOND: ForestRef<'static> = FIRST;
const ROOTS: [u16; 0] = [];
const NODES: [Node; 0] = [];
