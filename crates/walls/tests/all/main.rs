//! Pages that stand in the way, and pages that only look so.

mod hostile;
mod pages;
mod walls;
