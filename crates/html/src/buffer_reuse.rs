//! The arrays of a document that is gone, for the next page of the thread. They are some 100 kB to a megabyte and live for
//! milliseconds: asked of the system for each page, their memory would be cleared by the kernel each time.

use std::cell::Cell;

use crate::doc::{Attr, Doc, Node};

/// Most bytes that a thread keeps.
const MOST_KEPT: usize = 4 << 20;

/// Empty arrays with room.
#[derive(Default)]
pub(crate) struct DocBuffers {
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<Attr>,
    pub(crate) text: String,
}

thread_local! {
    static SPARE: Cell<Option<DocBuffers>> = const { Cell::new(None) };
}

impl DocBuffers {
    /// Those of the last document that was dropped on this thread, or new ones.
    pub(crate) fn take() -> DocBuffers {
        let mut arrays = SPARE.take().unwrap_or_default();
        arrays.nodes.clear();
        arrays.attributes.clear();
        arrays.text.clear();
        arrays
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.attributes.capacity() * size_of::<Attr>()
            + self.text.capacity()
    }
}

impl Drop for Doc {
    fn drop(&mut self) {
        let arrays = DocBuffers {
            nodes: std::mem::take(&mut self.nodes),
            attributes: std::mem::take(&mut self.attributes),
            text: std::mem::take(&mut self.text),
        };
        if arrays.bytes() <= MOST_KEPT {
            // At the end of a thread there is nobody to keep them for.
            let _ = SPARE.try_with(|spare| spare.set(Some(arrays)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeLimits;

    #[test]
    fn the_arrays_of_a_page_serve_the_next_one_unless_they_are_large() {
        let page = |text: &str| Doc::parse(&format!("<p class=a>{text}"), &TreeLimits::default());
        let first = page(&"one ".repeat(1000));
        let place = first.nodes.as_ptr();
        drop(first);
        let second = page("two");
        assert_eq!(second.nodes.as_ptr(), place);
        assert_eq!((second.text_content(crate::NodeId::DOCUMENT).as_str(), second.n_attributes()), ("two", 1));
        drop(second);
        SPARE.take();
        drop(page(&"x".repeat(3 * MOST_KEPT)));
        assert!(SPARE.take().is_none());
    }
}
