//! Lists of hosts, addresses and words whose pages are not wanted.

use std::collections::HashSet;

use gristmill_text::{WordRuns, hash};

/// Hosts with all that is below them, addresses with all that begins so, and words.
///
/// Memory: about 16 bytes an entry, whatever its length.
///
/// ```
/// use gristmill_urls::BlockList;
///
/// let mut list = BlockList::default();
/// list.add_lines("# comment\nads.example\nfree spins\n");
/// assert_eq!(list.blocks_url("www.ads.example", "/x"), Some("host"));
/// assert!(list.blocks_text("Win FREE spins now!"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct BlockList {
    hosts: HashSet<u64>,
    /// Host and path.
    paths: HashSet<u64>,
    words: WordRuns,
}

impl BlockList {
    /// Adds the lines of a list: a host, an address, or a word or phrase on each.
    ///
    /// What has a dot and no blank is a host; with a slash, an address. Also read are hosts files (`0.0.0.0 ads.example`) and
    /// the plain rules of filter lists (`||ads.example^`). `#` and `!` begin a comment.
    pub fn add_lines(&mut self, list: &str) {
        list.trim_start_matches('\u{feff}').lines().for_each(|line| self.add(line));
    }

    fn add(&mut self, line: &str) {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with(['#', '!', '[']) {
            return;
        }
        let host_of_file = ["0.0.0.0", "127.0.0.1", "::1", "::"]
            .iter()
            .find_map(|address| line.strip_prefix(address).filter(|rest| rest.starts_with(char::is_whitespace)));
        let entry = host_of_file.unwrap_or(line).trim();
        let entry = entry.strip_prefix("||").map_or(entry, |rule| rule.trim_end_matches('^'));
        let address = entry.strip_prefix("https://").or(entry.strip_prefix("http://")).unwrap_or(entry);
        let is_address = !address.contains(char::is_whitespace) && address.contains('.');
        if !is_address {
            return self.words.add_phrase(entry);
        }
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let host = plain_host(host);
        let path = path.trim_end_matches('/');
        if path.is_empty() {
            self.hosts.insert(hash(host.as_bytes()));
        } else {
            self.paths.insert(hash(format!("{host}/{path}").as_bytes()));
        }
    }

    /// Whether nothing is blocked.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.paths.is_empty() && self.words.is_empty()
    }

    /// Whether pages of this address are blocked, and by what: `host` or `address`. The path begins with `/`, and a query
    /// belongs to it.
    pub fn blocks_url(&self, host: &str, path: &str) -> Option<&'static str> {
        let host = plain_host(host);
        if self.above(&host).any(|host| self.hosts.contains(&hash(host.as_bytes()))) {
            return Some("host");
        }
        if self.paths.is_empty() {
            return None;
        }
        let ends = path.match_indices(['/', '?', '&']).map(|(at, _)| at).skip(1).chain([path.len()]);
        let paths = ends.map(|end| path[..end].trim_end_matches('/')).take(64);
        let is_blocked =
            |path: &str| self.above(&host).any(|host| self.paths.contains(&hash(format!("{host}{path}").as_bytes())));
        paths.into_iter().any(is_blocked).then_some("address")
    }

    /// A host and those above it.
    fn above<'h>(&self, host: &'h str) -> impl Iterator<Item = &'h str> {
        std::iter::successors(Some(host), |host| host.split_once('.').map(|(_, above)| above))
    }

    /// Whether a text has one of the words.
    pub fn blocks_text(&self, text: &str) -> bool {
        self.words.count_in(text) > 0
    }
}

fn plain_host(host: &str) -> String {
    let host = host.trim_start_matches("*.").trim_matches('.');
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(host, |(host, _)| host);
    let host = host.to_ascii_lowercase();
    host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list(lines: &str) -> BlockList {
        let mut list = BlockList::default();
        list.add_lines(lines);
        list
    }

    #[test]
    fn a_host_blocks_what_is_below_it_and_nothing_beside_it() {
        let list = list("ads.example\n0.0.0.0 tracker.test # x\n||pop.test^\nhttps://www.Bank.test/\n10.0.0.9\n");
        for host in [
            "ads.example",
            "a.b.ads.example",
            "ADS.example.",
            "tracker.test",
            "pop.test",
            "bank.test",
            "www.bank.test",
            "10.0.0.9",
        ] {
            assert_eq!(list.blocks_url(host, "/"), Some("host"), "{host}");
        }
        for host in ["example", "badads.example", "ads.example.test", "test", "0.0.0.0"] {
            assert_eq!(list.blocks_url(host, "/"), None, "{host}");
        }
    }

    #[test]
    fn an_address_blocks_what_begins_with_it() {
        let list = list("host.test/~user\nhost.test/a/b/\n");
        let blocked = |path| list.blocks_url("www.host.test", path).is_some();
        assert!(blocked("/~user") && blocked("/~user/x.html") && blocked("/a/b/c/d") && blocked("/a/b?x=1"));
        assert!(!blocked("/") && !blocked("/~users") && !blocked("/a/bc") && !blocked("/x/~user"));
    }

    #[test]
    fn comments_and_empty_lines_block_nothing() {
        assert!(list("# a.test\n! b.test\n[Adblock]\n\n   \n").is_empty());
    }

    proptest! {
        #[test]
        fn any_list_is_read_and_asked(lines in "(\\PC{0,20}\n){0,9}", host in "\\PC{0,12}", path in "/\\PC{0,12}") {
            let list = list(&lines);
            list.blocks_url(&host, &path);
            list.blocks_text(&lines);
            WordRuns::of_test_set(lines.lines()).count_in(&lines);
        }
    }
}
