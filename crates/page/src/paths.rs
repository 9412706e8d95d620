//! Tag paths: the names from `html` down to an element, shared as a tree of prefixes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use gristmill_html::{Doc, LocalName, NodeId};

/// Number of a distinct tag path of one page; a prefix has a smaller number than what it begins.
pub type PathId = u32;

/// Every distinct tag path of a page. The empty path is number 0.
#[derive(Debug, Clone)]
pub struct TagPaths {
    parent: Vec<PathId>,
    name: Vec<LocalName>,
    len: Vec<u32>,
    of_node: Vec<PathId>,
}

/// Numbers that we gave ourselves need no hash that strangers cannot guess.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u32(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(21) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl TagPaths {
    /// O(nodes).
    pub fn new(doc: &Doc) -> TagPaths {
        let mut paths =
            TagPaths { parent: vec![0], name: vec![LocalName::DOCUMENT], len: vec![0], of_node: Vec::new() };
        let mut known: HashMap<(PathId, LocalName), PathId, BuildHasherDefault<Mixed>> = HashMap::default();
        // Most elements have the path of one shortly before, which needs no hash.
        const LATELY: usize = 128;
        let mut lately = [(PathId::MAX, LocalName::DOCUMENT, 0); LATELY];
        paths.of_node = vec![0; doc.len()];
        for id in doc.ids().skip(1) {
            let parent = doc.parent(id).map_or(0, |parent| paths.of_node[parent.index()]);
            if !doc.is_element(id) {
                // A text node has the path of its parent, which is the path that leaves are compared by.
                paths.of_node[id.index()] = parent;
                continue;
            }
            let name = doc.name(id);
            let place = &mut lately[(parent as usize * 7 + name.index()) % LATELY];
            if (place.0, place.1) != (parent, name) {
                let path = *known.entry((parent, name)).or_insert_with(|| {
                    paths.parent.push(parent);
                    paths.name.push(name);
                    paths.len.push(paths.len[parent as usize] + 1);
                    paths.parent.len() as PathId - 1
                });
                *place = (parent, name, path);
            }
            paths.of_node[id.index()] = place.2;
        }
        paths
    }

    /// The path of an element, or of the parent of a text node.
    #[inline]
    pub fn of(&self, id: NodeId) -> PathId {
        self.of_node[id.index()]
    }

    /// How many distinct paths there are; numbers are below it.
    pub fn count(&self) -> usize {
        self.parent.len()
    }

    /// Number of tags.
    pub fn len(&self, path: PathId) -> u32 {
        self.len[path as usize]
    }

    /// The longest path that both begin with. O(length).
    pub fn common_prefix(&self, mut a: PathId, mut b: PathId) -> PathId {
        // A prefix has the smaller number, so the larger of two different paths is never a prefix of the other.
        while a != b {
            if a > b {
                a = self.parent[a as usize];
            } else {
                b = self.parent[b as usize];
            }
        }
        a
    }

    /// The first `len` tags of a path.
    pub fn prefix(&self, mut path: PathId, len: u32) -> PathId {
        while self.len(path) > len {
            path = self.parent[path as usize];
        }
        path
    }

    /// Which paths begin with `prefix`: one flag for each path number.
    pub fn below(&self, prefix: PathId) -> Vec<bool> {
        let mut below = vec![false; self.parent.len()];
        for path in 0..below.len() {
            below[path] = path as PathId == prefix || (path > 0 && below[self.parent[path] as usize]);
        }
        below
    }

    /// The names of a path from the top.
    pub fn names(&self, path: PathId) -> Vec<LocalName> {
        self.names_below(path, 0)
    }

    /// The names of a path after its first `skip`.
    pub fn names_below(&self, mut path: PathId, skip: u32) -> Vec<LocalName> {
        let mut names = Vec::with_capacity(self.len(path).saturating_sub(skip) as usize);
        while self.len(path) > skip {
            names.push(self.name[path as usize]);
            path = self.parent[path as usize];
        }
        names.reverse();
        names
    }

    /// The path as `html body div`.
    pub fn to_text(&self, doc: &Doc, path: PathId) -> String {
        self.names(path).iter().map(|&name| doc.name_str(name)).collect::<Vec<_>>().join(" ")
    }
}

/// Length of the longest common subsequence of two paths. O(|a|·|b|).
pub fn lcs(a: &[LocalName], b: &[LocalName]) -> u32 {
    let mut lengths = vec![0u32; a.len() + 1];
    for name in b {
        let mut diagonal = 0;
        for (at, other) in a.iter().enumerate() {
            let above = lengths[at + 1];
            lengths[at + 1] = if name == other { diagonal + 1 } else { above.max(lengths[at]) };
            diagonal = above;
        }
    }
    lengths[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;

    const X: [LocalName; 5] = [LocalName::HTML, LocalName::BODY, LocalName::DIV, LocalName::DIV, LocalName::P];
    const Y: [LocalName; 6] =
        [LocalName::HTML, LocalName::BODY, LocalName::DIV, LocalName::SECTION, LocalName::DIV, LocalName::P];
    const Z: [LocalName; 6] =
        [LocalName::HTML, LocalName::BODY, LocalName::SECTION, LocalName::DIV, LocalName::DIV, LocalName::P];

    #[test]
    fn common_subsequence_and_common_prefix_differ() {
        let html = "<body><div><div><p>x</p></div><section><div><p>y</p></div></section></div>
            <section><div><div><p>z</p></div></div></section>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let paths = TagPaths::new(&doc);
        let of = |text: &str| paths.of(doc.ids().find(|&id| doc.text(id) == text).unwrap());
        let (x, y, z) = (of("x"), of("y"), of("z"));
        assert_eq!(paths.names(x), X);
        assert_eq!((lcs(&X, &Y), paths.len(paths.common_prefix(x, y))), (5, 3));
        assert_eq!((lcs(&X, &Z), paths.len(paths.common_prefix(x, z))), (5, 2));
        assert_eq!(paths.to_text(&doc, paths.prefix(y, 4)), "html body div section");
        assert!(paths.below(paths.prefix(y, 3))[x as usize] && !paths.below(paths.prefix(y, 3))[z as usize]);
    }
}
