//! What became of a page of the corpus, for those who follow it.

use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum ChangeKind {
    /// The corpus did not have the page.
    New,
    /// A reader sees something else than before.
    Changed,
    /// The page left the corpus.
    Gone,
}

impl ChangeKind {
    /// Every kind.
    pub const ALL: [ChangeKind; 3] = [ChangeKind::New, ChangeKind::Changed, ChangeKind::Gone];

    /// The word for it in JSON and in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Gone => "gone",
        }
    }
}

/// What became of one page. The indexer appends it before it commits the document, so it may come more than once.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Change {
    /// Of key and time of the capture: the same when the change is told again.
    pub id: String,
    pub kind: ChangeKind,
    /// URL key, 32 hexadecimal digits: the identity in the index.
    pub key: String,
    pub url: String,
    /// Registrable domain.
    pub site: String,
    /// `article`, `product`, `listing` or `other`.
    pub document_kind: String,
    /// When the capture was made that shows it, in Unix milliseconds.
    pub at: u64,
    /// The page before; none where it is new.
    pub before: Option<PageState>,
    /// The page now; none where it is gone.
    pub after: Option<PageState>,
    /// Words that came and went in the text, where this is an edit of it.
    pub words_added: u64,
    pub words_removed: u64,
    /// Of the document in the same partition of `documents`: once the index has committed past it, the document can be found.
    pub position: u64,
}

/// What a change may be about.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct PageState {
    pub title: String,
    pub price: Option<f64>,
    /// ISO 4217.
    pub currency: Option<String>,
    /// `InStock`, `OutOfStock` …, as in schema.org.
    pub availability: Option<String>,
}

impl Message for Change {
    const KIND: MessageKind = MessageKind::Change;
    const VERSION: u8 = 1;
}
