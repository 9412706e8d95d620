//! The text of an element as a reader sees it.

use crate::{BLOCKS, DROPPED, Doc, LocalName, NodeId};

impl Doc {
    /// The text below `id` with a space where a block or cell begins or ends and where a line breaks, without scripts,
    /// styles and the like; white space otherwise as in the source. At most some `max_bytes`. O(nodes below `id`).
    pub fn readable(&self, id: NodeId, max_bytes: usize) -> String {
        let mut text = String::new();
        // The ends of the blocks that are open.
        let mut ends: Vec<usize> = Vec::new();
        let mut at = id.index();
        while at < self.end(id) && text.len() < max_bytes {
            let node = self.id(at);
            let name = self.name(node);
            if DROPPED.contains(&name) {
                at = self.end(node);
                continue;
            }
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
                text.push(' ');
            }
            if name == LocalName::BR {
                text.push(' ');
            } else if BLOCKS.contains(&name) {
                text.push(' ');
                ends.push(self.end(node));
            }
            let piece = self.text(node);
            text.push_str(&piece[..piece.floor_char_boundary(max_bytes)]);
            at += 1;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::{Doc, LocalName, TreeLimits};

    #[test]
    fn blocks_cells_and_breaks_are_spaces_and_inline_elements_are_not() {
        let of = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            let text = doc.readable(doc.body().unwrap(), 1_000);
            text.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("<h1><div>One</div><div>two</div>three</h1>"), "One two three");
        assert_eq!(of("<p>a<br>b<i>c</i><script>s</script></p>d<table><td>e<td>f</table>g"), "a bc d e f g");
        let doc = Doc::parse("<h1>Title</h1>", &TreeLimits::default());
        assert_eq!(doc.readable(doc.first(LocalName::H1).unwrap(), 3).trim(), "Tit");
    }
}
