//! Alike sibling containers as one, the best of them, and how far they are from each other.

use std::collections::HashMap;

use gristmill_html::LocalName;
use gristmill_page::Page;
use gristmill_text::hash;

use crate::containers::Containers;

/// One or more sibling containers that are judged as one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContainerGroup {
    /// The first of its containers.
    pub(super) first: u32,
    /// Characters of own text.
    pub(super) chars: u32,
    pub(super) marks: u32,
    pub(super) score: f64,
}

pub(super) struct Groups {
    pub(super) all: Vec<ContainerGroup>,
    /// The group of each container; `None` for the body when some container has text.
    pub(super) of_container: Vec<Option<u32>>,
}

impl Groups {
    /// O(containers + attributes).
    pub(super) fn new(page: &Page<'_>, containers: &Containers, scores: &[f64], merge: bool) -> Groups {
        let only_body = containers.all[1..].iter().all(|container| container.chars == 0);
        let mut groups = Groups { all: Vec::new(), of_container: Vec::with_capacity(scores.len()) };
        let mut known: HashMap<(u32, LocalName, u64), u32> = HashMap::new();
        for (at, container) in containers.all.iter().enumerate() {
            if at == 0 && !only_body {
                groups.of_container.push(None);
                continue;
            }
            let next = groups.all.len() as u32;
            let look = if merge && at > 0 { look(page, container.id) } else { None };
            let group = match look {
                Some(look) => *known.entry((container.parent, page.doc.name(container.id), look)).or_insert(next),
                None => next,
            };
            if group == next {
                groups.all.push(ContainerGroup { first: at as u32, chars: 0, marks: 0, score: 0.0 });
            }
            let sums = &mut groups.all[group as usize];
            sums.chars += container.chars;
            sums.marks += container.marks;
            sums.score += scores[at];
            groups.of_container.push(Some(group));
        }
        groups
    }

    /// The `n` groups with text that score highest, best first; ties: document order.
    pub(super) fn top(&self, n: usize) -> Vec<usize> {
        let mut top: Vec<usize> = (0..self.all.len()).filter(|&at| self.all[at].chars > 0).collect();
        top.sort_by(|&a, &b| self.all[b].score.total_cmp(&self.all[a].score));
        top.truncate(n);
        top
    }

    /// Path distance (eq. 6) of the nearest containers of two groups: containers that only one path has, less one.
    /// Siblings 1, parent and child 0, a group to itself 0. O(depth).
    pub(super) fn distance(&self, containers: &Containers, a: usize, b: usize) -> u32 {
        let [a_first, b_first] = [self.all[a].first, self.all[b].first];
        let [a_level, b_level] = [a_first, b_first].map(|at| containers.all[at as usize].level);
        if a == b {
            return 0;
        }
        // All containers of a group have the same parent, hence the same level. If one of them lies around the other
        // group, its level is what the two share; else they share what their first containers share.
        let around = |group: usize, level: u32, other: u32| {
            let mut at = other;
            while containers.all[at as usize].level > level {
                at = containers.all[at as usize].parent;
            }
            self.of_container[at as usize] == Some(group as u32)
        };
        let shared = match () {
            () if around(a, a_level, b_first) => a_level,
            () if around(b, b_level, a_first) => b_level,
            () => containers.shared(a_first, b_first).min(a_level.min(b_level).saturating_sub(1)),
        };
        (a_level - shared + (b_level - shared)).saturating_sub(1)
    }

    /// For each of `groups`: whether it holds three phrases of a copyright line and no punctuation mark.
    pub(super) fn copyright_lines(&self, page: &Page<'_>, containers: &Containers, groups: &[usize]) -> Vec<bool> {
        let mut texts = vec![String::new(); groups.len()];
        for (leaf, &container) in page.leaves.iter().zip(&containers.of_leaf) {
            let of = self.of_container[container as usize];
            if let Some(at) = groups.iter().position(|&group| of == Some(group as u32))
                && self.all[groups[at]].marks == 0
            {
                texts[at].push_str(page.leaf_text(leaf));
                texts[at].push('\n');
            }
        }
        texts.iter().map(|text| is_copyright_line(text)).collect()
    }
}

fn is_copyright_line(text: &str) -> bool {
    !text.is_empty() && {
        let lower = text.to_lowercase();
        PHRASES.iter().filter(|phrase| lower.contains(**phrase)).count() >= 3
    }
}

/// What stands at the foot of pages.
const PHRASES: &[&str] = &[
    "版权所有",
    "备案",
    "icp",
    "联系我们",
    "关于我们",
    "网站地图",
    "友情链接",
    "免责声明",
    "隐私",
    "copyright",
    "©",
    "all rights reserved",
    "privacy",
    "terms",
    "sitemap",
    "contact us",
    "about us",
    "cookies",
];

/// What makes siblings alike besides their tag: class, else inline style; `None` without both.
fn look(page: &Page<'_>, id: gristmill_html::NodeId) -> Option<u64> {
    let value = |name| page.doc.attr(id, name).map(str::trim).filter(|value| !value.is_empty());
    value(LocalName::CLASS).map(|class| hash(class.as_bytes())).or_else(|| {
        // A style never equals a class.
        value(LocalName::STYLE).map(|style| !hash(style.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_phrases_make_a_copyright_line() {
        assert!(is_copyright_line("Copyright © 2024 Mill\nPrivacy"));
        assert!(is_copyright_line("关于我们 联系我们 京ICP备案"));
        assert!(!is_copyright_line("Our privacy terms") && !is_copyright_line(""));
    }
}
