//! What one page may cost, and which of those bounds it ran into.

/// Bounds on the tree that a page may become. Whatever lies beyond is left out or flattened and the
/// [`LimitHit`] is recorded; parsing itself never fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeLimits {
    /// Longest input in bytes; the rest is cut off at a character boundary. Default: 16 MiB.
    pub max_bytes: usize,
    /// Most nodes (elements and text); later tags and text are ignored. Default: 500 000.
    pub max_nodes: usize,
    /// Most elements open at once. Deeper elements are left out while their text stays in place. The tree
    /// builder walks its stack for many tags, so this bound is what keeps it linear. Default: 512, which is
    /// where Blink flattens too.
    pub max_depth: usize,
    /// Most attributes of one element; later ones are left out. Default: 256.
    pub max_attributes: usize,
    /// Most steps of work; when they are spent the rest of the page is ignored. A step is one token, one attribute, or one look
    /// of the tree builder at an open element: a count, so that a page gives the same document on any machine.
    /// Pages of the web take some two a byte. Default: 200 million.
    pub max_steps: u64,
}

impl Default for TreeLimits {
    fn default() -> Self {
        TreeLimits {
            max_bytes: 16 << 20,
            max_nodes: 500_000,
            max_depth: 512,
            max_attributes: 256,
            max_steps: 200_000_000,
        }
    }
}

/// A bound of [`TreeLimits`] that a page ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitHit {
    /// `max_bytes`: the page was cut off.
    Bytes,
    /// `max_nodes`: the end of the page was ignored.
    Nodes,
    /// `max_depth`: some elements were flattened.
    Depth,
    /// `max_attributes`: some attributes were left out.
    Attributes,
    /// `max_steps`: the end of the page was ignored.
    Steps,
}

impl LimitHit {
    /// One sentence for the `warnings` of a document.
    pub fn message(self) -> &'static str {
        match self {
            LimitHit::Bytes => "page cut off at `max_bytes`",
            LimitHit::Nodes => "end of the page ignored after `max_nodes`",
            LimitHit::Depth => "elements nested beyond `max_depth` flattened",
            LimitHit::Attributes => "attributes beyond `max_attributes` left out",
            LimitHit::Steps => "end of the page ignored after `max_steps` of work",
        }
    }

    pub(crate) const ALL: [LimitHit; 5] =
        [LimitHit::Bytes, LimitHit::Nodes, LimitHit::Depth, LimitHit::Attributes, LimitHit::Steps];

    pub(crate) fn bit(self) -> u8 {
        1 << self as u8
    }
}
