//! What browsers added to the pages of a site so far, by the form of their addresses.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Forms of addresses that are remembered; beyond, all are forgotten and learnt anew. Some 10 MB.
const MAX_FORMS: usize = 200_000;

/// Drawings of one form that must have been in vain, one after the other, before no more are asked for.
const PATIENCE: u32 = 4;

/// Of pages that would not be drawn, one in so many is all the same, so that errors of the model and sites that change are noticed.
const AUDIT: u64 = 50;

/// After so many audits of one form that were in vain, one after the other, only half as many pages of it are audited, and so on.
const PER_HALVING: u32 = 2;

/// So rare may audits of a form become: one page in 50 · 2^10.
const MAX_HALVINGS: u32 = 10;

/// What browsers added, by host and form of the address. It is lost with the process: nothing depends on it but time.
#[derive(Debug, Default)]
pub struct RenderHistory {
    /// Drawings of a form that were in vain since the last that added something.
    in_vain: HashMap<u64, u32>,
}

/// Why a browser is asked to draw a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderReason {
    /// The page looks as if it needed one.
    Model,
    /// To see whether those that look otherwise need none.
    Audit,
    /// The settings say so.
    Always,
}

impl RenderReason {
    /// All of them.
    pub const ALL: [RenderReason; 3] = [RenderReason::Model, RenderReason::Audit, RenderReason::Always];

    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            RenderReason::Model => "model",
            RenderReason::Audit => "audit",
            RenderReason::Always => "always",
        }
    }
}

impl RenderHistory {
    /// A browser drew the page at `host` and `path`.
    pub fn learn(&mut self, host: &str, path: &str, added: bool) {
        if self.in_vain.len() >= MAX_FORMS {
            self.in_vain.clear();
        }
        let in_vain = self.in_vain.entry(form(host, path)).or_default();
        *in_vain = if added { 0 } else { in_vain.saturating_add(1) };
    }

    /// Whether to ask a browser for the page at `host` and `path`, which has scripts, when the page itself says `needs`.
    ///
    /// Where the last four drawings of its form were in vain, it is not asked for by what it says. One page in fifty is, whatever is
    /// known, and fewer with every two drawings of its form that were in vain. Which they are depends on the address alone, so that the
    /// same page has the same fate after a crash.
    pub fn asks(&self, host: &str, path: &str, needs: bool, may_audit: bool) -> Option<RenderReason> {
        let in_vain = self.in_vain.get(&form(host, path)).copied().unwrap_or_default();
        if needs && in_vain < PATIENCE {
            return Some(RenderReason::Model);
        }
        let rarer = (in_vain / PER_HALVING).min(MAX_HALVINGS);
        (may_audit && hash(&(host, path)).is_multiple_of(AUDIT << rarer)).then_some(RenderReason::Audit)
    }
}

/// A host with the form of a path: its words stay, what tells one page from another does not.
fn form(host: &str, path: &str) -> u64 {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.len().saturating_sub(1);
    let is_name = |segment: &str| segment.len() > 24 || segment.bytes().any(|byte| byte.is_ascii_digit());
    let mut hasher = DefaultHasher::new();
    host.hash(&mut hasher);
    segments.len().hash(&mut hasher);
    for (at, segment) in segments.iter().enumerate() {
        // The last one names the page, unless it is all there is.
        if is_name(segment) || at == last && at > 0 { 0u8.hash(&mut hasher) } else { segment.hash(&mut hasher) }
    }
    let names = query.split('&').filter_map(|pair| pair.split('=').next());
    names.for_each(|name| name.hash(&mut hasher));
    hasher.finish()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audited(memory: &RenderHistory, needs: bool) -> usize {
        let path = |n: u32| format!("/news/{n}-storm");
        (0..10_000).filter(|n| memory.asks("a.test", &path(*n), needs, true) == Some(RenderReason::Audit)).count()
    }

    #[test]
    fn a_form_of_address_that_was_drawn_in_vain_four_times_is_left_alone_but_for_audits() {
        let mut memory = RenderHistory::default();
        let path = |n: u32| format!("/news/{n}-storm");
        for n in 0..4 {
            assert_eq!(memory.asks("a.test", &path(n), true, true), Some(RenderReason::Model));
            memory.learn("a.test", &path(n), false);
        }
        assert!((20..100).contains(&audited(&memory, true)), "{} of 10,000", audited(&memory, true));
        assert!((0..5_000).all(|n| memory.asks("a.test", &path(n), true, false).is_none()), "no audits");
        assert!(memory.asks("b.test", &path(9), true, false).is_some(), "another host");
        assert!(memory.asks("a.test", "/shop/9-lamp", true, false).is_some(), "another form");
        memory.learn("a.test", &path(7), true);
        assert_eq!(
            memory.asks("a.test", &path(8), true, false),
            Some(RenderReason::Model),
            "an audit found that it changed"
        );
    }

    #[test]
    fn two_pages_in_a_hundred_that_need_none_are_audited_and_fewer_the_more_of_them_were_in_vain() {
        let mut memory = RenderHistory::default();
        let at_first = audited(&memory, false);
        assert!((150..250).contains(&at_first), "{at_first} of 10,000");
        (0..6).for_each(|n| memory.learn("a.test", &format!("/news/{n}"), false));
        let later = audited(&memory, false);
        assert!((10..50).contains(&later), "{later} of 10,000");
        (0..1_000).for_each(|n| memory.learn("a.test", &format!("/news/{n}"), false));
        assert!(audited(&memory, false) <= 2);
        memory.learn("a.test", "/news/7", true);
        assert_eq!(audited(&memory, false), at_first);
    }

    #[test]
    fn any_address_has_a_form() {
        for path in ["", "/", "?", "//?&=&", "/a?b", "/?id=1&id=2", "/été/日本"] {
            assert_eq!(form("h", path), form("h", path));
        }
        assert_eq!(form("h", "/p?id=1&c=2"), form("h", "/p?id=33&c=x"));
        assert_ne!(form("h", "/p?id=1"), form("h", "/p"));
        assert_eq!(form("h", "/c/abc"), form("h", "/c/def"));
        assert_ne!(form("h", "/abc"), form("h", "/def"));
    }
}
