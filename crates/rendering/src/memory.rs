//! What browsers added to the pages of a site so far, by the form of their addresses.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Forms of addresses that are remembered; beyond, all are forgotten and learnt anew. Some 10 MB.
const MAX_FORMS: usize = 200_000;

/// Drawings of one form that must have been in vain, one after the other, before no more are asked for.
const PATIENCE: u32 = 4;

/// Of pages that would not be drawn, one in so many is all the same, so that a site that changes is noticed.
const AUDIT: u64 = 50;

/// What browsers added, by host and form of the address. It is lost with the process: nothing depends on it but time.
#[derive(Debug, Default)]
pub struct Memory {
    forms: HashMap<u64, Past>,
}

/// What became of the drawings of one form.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    /// In vain since the last that added something.
    in_vain: u32,
    /// Whether any ever did.
    added: bool,
}

impl Memory {
    /// A browser drew the page at `host` and `path`.
    pub fn learn(&mut self, host: &str, path: &str, added: bool) {
        if self.forms.len() >= MAX_FORMS {
            self.forms.clear();
        }
        let past = self.forms.entry(form(host, path)).or_default();
        past.in_vain = if added { 0 } else { past.in_vain.saturating_add(1) };
        past.added |= added;
    }

    /// Whether to ask a browser for the page at `host` and `path`, when the page itself says `needs`.
    ///
    /// Where the last four drawings of its form were in vain, it is not asked for. One page in fifty is, whatever is known: by the
    /// address alone, so that the same page has the same fate after a crash.
    pub fn asks(&self, host: &str, path: &str, needs: bool, may_audit: bool) -> bool {
        let past = self.forms.get(&form(host, path)).copied().unwrap_or_default();
        if needs && past.in_vain < PATIENCE {
            return true;
        }
        // Elsewhere an audit would only cost: the model is surer of pages that never needed a browser.
        let is_doubtful = needs || past.added;
        may_audit && is_doubtful && hash(&(host, path)).is_multiple_of(AUDIT)
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

    #[test]
    fn a_form_of_address_that_was_drawn_in_vain_four_times_is_left_alone_but_for_audits() {
        let mut memory = Memory::default();
        let path = |n: u32| format!("/news/{n}-storm");
        for n in 0..4 {
            assert!(memory.asks("a.test", &path(n), true, true));
            memory.learn("a.test", &path(n), false);
        }
        let asked = (0..5_000).filter(|n| memory.asks("a.test", &path(*n), true, true)).count();
        assert!((50..200).contains(&asked), "{asked} of 5000");
        assert!(!(0..5_000).any(|n| memory.asks("a.test", &path(n), true, false)), "no audits");
        assert!(memory.asks("b.test", &path(9), true, false), "another host");
        assert!(memory.asks("a.test", "/shop/9-lamp", true, false), "another form");
        memory.learn("a.test", &path(7), true);
        assert!(memory.asks("a.test", &path(8), true, false), "an audit found that it changed");
        assert!(memory.asks("a.test", &path(0), false, true) == memory.asks("a.test", &path(0), false, true));
    }

    #[test]
    fn pages_that_need_none_are_audited_only_where_browsers_added_something() {
        let mut memory = Memory::default();
        let audited =
            |memory: &Memory| (0..5_000).filter(|n| memory.asks("a.test", &format!("/p/{n}"), false, true)).count();
        assert_eq!(audited(&memory), 0);
        memory.learn("a.test", "/p/1", true);
        assert!((50..200).contains(&audited(&memory)));
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
