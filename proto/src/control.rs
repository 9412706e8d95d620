//! What an operator tells a running crawl.

use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind};

/// A command to the schedulers, in the topic `links`: under the domain that it is about, or in each partition.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct ControlCommand {
    pub action: ControlAction,
    /// The canonical URL of a page, or a host; empty for the whole crawl.
    pub target: String,
    /// Unix milliseconds.
    pub at: u64,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum ControlAction {
    /// No further order to the site, or to any.
    Pause,
    /// The end of a pause; of all where the target is empty.
    Resume,
    /// The page or site leaves the corpus for good.
    TakeDown,
}

impl Message for ControlCommand {
    const KIND: MessageKind = MessageKind::Control;
    const VERSION: u8 = 1;
}
