//! Crunch: link lists are found by the number of links per word and lose their links and text.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, is_dropped,
    parameters,
};

use crate::containers::is_container;

/// Which elements can be link lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkLists {
    /// Table cells, outermost first and each with all that is in it: the authors' code of 2003.
    Td,
    /// Containers, and lists of three items or more, innermost first, what was removed not counting further out.
    All,
}

choices!(LinkLists { Td "td", All "all" });

/// Crunch 2.0 with its standard settings.
///
/// 1. `noscript` (besides what is no text anyway), links to advertisement servers and links around images go.
/// 2. An element that can be a link list loses its text if links / words > `ratio`; words are characters outside of
///    links / `letters`; no words → it loses its links too. With `containers=all` an element with over half of the
///    page's text outside of links is never a link list.
/// 3. A table left without image, link and text area, and with under 12 characters, goes.
///
/// O(nodes).
///
/// Source: Gupta et al., *DOM-based content extraction of HTML documents*, 2003, as Gottron measured it (§5.1). Ours:
/// the published code is the line before 2.0 and tests table cells only (`containers=td` is what it does, without its
/// alternative texts in the place of images); which containers 2.0 tested is not published. Its list of
/// advertisement servers is replaced by a short one of our own, which also matches subdomains.
#[derive(Debug, Clone, Copy)]
pub struct Crunch {
    /// What can be a link list.
    pub containers: LinkLists,
    /// Most links per word.
    pub ratio: f64,
    /// Characters of a word.
    pub letters: f64,
}

/// A table with fewer characters is empty.
const MIN_TABLE_CHARS: u32 = 12;
/// A list with fewer items is no link list.
const MIN_ITEMS: u32 = 3;

impl Crunch {
    /// The shipped settings.
    pub const PAPER: Crunch = Crunch { containers: LinkLists::All, ratio: 0.25, letters: 5.0 };
}

impl MainTextExtractor for Crunch {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "crunch", paper: "Gupta et al., Crunch, 2003; Gottron, §5.1", cost: "O(n)" }
    }

    parameters! {
        "containers" containers, "what can be a link list: td (code of 2003) or all";
        "ratio" ratio in 0.0..=100.0, "most links per word";
        "letters" letters in 1.0..=100.0, "characters of a word";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let doc = page.doc;
        let mut removed: Vec<bool> = doc.ids().map(|id| is_ignored(doc, id)).collect();
        let sums = match self.containers {
            LinkLists::Td => self.cells(page, &mut removed),
            LinkLists::All => self.lists(page, &mut removed),
        };
        remove_empty_tables(page, &mut removed);
        // From here on an element is removed with all above it.
        let mut selection = Selection::none(page);
        for id in doc.ids().skip(1) {
            let above = doc.parent(id).is_some_and(|parent| removed[parent.index()]);
            removed[id.index()] |= above;
        }
        for (at, _) in page.leaves.iter().enumerate().filter(|(_, leaf)| !removed[leaf.node.index()]) {
            selection.keep_leaf(at);
        }
        trace.note("ratios", || TraceValue::Series(sums.iter().map(|sum| self.links_per_word(sum).min(1e9)).collect()));
        trace.note("removed", || {
            TraceValue::Series(removed.iter().map(|&removed| f64::from(u8::from(removed))).collect())
        });
        selection
    }
}

/// What lies below an element.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    links: u32,
    /// Characters outside of links.
    chars: u32,
    items: u32,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.links += other.links;
        self.chars += other.chars;
    }
}

impl Crunch {
    fn links_per_word(&self, sum: &Sum) -> f64 {
        match sum {
            Sum { links: 0, .. } => 0.0,
            Sum { chars: 0, .. } => f64::INFINITY,
            Sum { links, chars, .. } => f64::from(*links) / (f64::from(*chars) / self.letters),
        }
    }

    /// Removes link lists innermost first.
    fn lists(&self, page: &Page<'_>, removed: &mut [bool]) -> Vec<Sum> {
        let page_chars: u32 = page.leaves.iter().filter(|leaf| !leaf.in_link).map(|leaf| leaf.chars).sum();
        bottom_up(page, removed, |name, sum| {
            let candidate = match name {
                LocalName::UL | LocalName::OL => sum.items >= MIN_ITEMS,
                name => is_container(name),
            };
            candidate && 2 * u64::from(sum.chars) <= u64::from(page_chars) && self.links_per_word(sum) > self.ratio
        })
    }

    /// Removes table cells by all that is in them.
    fn cells(&self, page: &Page<'_>, removed: &mut [bool]) -> Vec<Sum> {
        let sums = bottom_up(page, removed, |_, _| false);
        for id in page.doc.ids().filter(|&id| page.doc.name(id) == LocalName::TD) {
            removed[id.index()] |= self.links_per_word(&sums[id.index()]) > self.ratio;
        }
        sums
    }
}

/// Sums of every element; what `removes` says yes to is removed and counts no further out.
fn bottom_up(page: &Page<'_>, removed: &mut [bool], removes: impl Fn(LocalName, &Sum) -> bool) -> Vec<Sum> {
    let doc = page.doc;
    let mut sums = vec![Sum::default(); doc.len()];
    for leaf in page.leaves.iter().filter(|leaf| !leaf.in_link) {
        sums[leaf.node.index()].chars = leaf.chars;
    }
    // A descendant has the larger number, so each element is complete when its turn comes.
    for id in doc.ids().skip(1).rev() {
        let name = doc.name(id);
        let mut sum = sums[id.index()];
        if name == LocalName::A && doc.attr(id, LocalName::HREF).is_some() {
            sum.links += 1;
        }
        if !removed[id.index()] && removes(name, &sum) {
            removed[id.index()] = true;
        }
        let Some(parent) = doc.parent(id).filter(|_| !removed[id.index()]) else { continue };
        let above = &mut sums[parent.index()];
        above.add(sum);
        above.items += u32::from(name == LocalName::LI);
    }
    sums
}

/// Tables that are left with nothing of substance.
fn remove_empty_tables(page: &Page<'_>, removed: &mut [bool]) {
    let doc = page.doc;
    if !doc.ids().any(|id| doc.name(id) == LocalName::TABLE) {
        return;
    }
    let mut chars = vec![0u32; doc.len()];
    page.leaves.iter().for_each(|leaf| chars[leaf.node.index()] = leaf.chars);
    for id in doc.ids().skip(1).rev() {
        let at = id.index();
        let name = doc.name(id);
        if matches!(name, LocalName::IMG | LocalName::A | LocalName::TEXTAREA) {
            chars[at] = chars[at].saturating_add(MIN_TABLE_CHARS);
        }
        removed[at] |= name == LocalName::TABLE && chars[at] < MIN_TABLE_CHARS;
        if let Some(parent) = doc.parent(id).filter(|_| !removed[at]) {
            chars[parent.index()] = chars[parent.index()].saturating_add(chars[at]);
        }
    }
}

/// Elements that the settings remove wherever they stand.
fn is_ignored(doc: &Doc, id: NodeId) -> bool {
    match doc.name(id) {
        LocalName::A => doc.attr(id, LocalName::HREF).is_some_and(|href| {
            is_advertisement(href) || doc.children(id).any(|child| doc.name(child) == LocalName::IMG)
        }),
        LocalName::NOSCRIPT => true,
        name => is_dropped(name),
    }
}

/// Servers that serve nothing but advertisements.
const AD_SERVERS: &[&str] = &[
    "2mdn.net",
    "adform.net",
    "adnxs.com",
    "adsrvr.org",
    "advertising.com",
    "amazon-adsystem.com",
    "atdmt.com",
    "bluestreak.com",
    "burstnet.com",
    "casalemedia.com",
    "criteo.com",
    "doubleclick.net",
    "fastclick.net",
    "googleadservices.com",
    "googlesyndication.com",
    "mgid.com",
    "openx.net",
    "outbrain.com",
    "pubmatic.com",
    "revcontent.com",
    "rubiconproject.com",
    "smartadserver.com",
    "taboola.com",
    "tribalfusion.com",
    "zedo.com",
];

fn is_advertisement(href: &str) -> bool {
    let href = href.trim_start();
    let Some((scheme, rest)) = href.split_once("//") else { return false };
    if !matches!(scheme, "" | "http:" | "https:") {
        return false;
    }
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or("");
    AD_SERVERS
        .iter()
        .any(|server| host.strip_suffix(server).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn select(crunch: Crunch, html: &str) -> String {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let selection = crunch.select(&page, &MethodInput::default(), &mut Trace::default());
        let kept = page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at));
        kept.map(|(_, leaf)| page.leaf_text(leaf)).collect::<Vec<_>>().join("|")
    }

    const TD: Crunch = Crunch { containers: LinkLists::Td, ..Crunch::PAPER };

    fn cell(n_links: usize, chars: usize) -> String {
        let links = "<a href=x>link</a>".repeat(n_links);
        format!("<table><tr><td>{}{links}</td></tr></table>", "t".repeat(chars))
    }

    #[test]
    fn a_cell_with_a_third_of_a_link_per_word_is_emptied_and_one_with_a_sixth_stays() {
        assert_eq!(select(TD, &cell(4, 60)), "");
        assert_eq!(select(TD, &cell(2, 60)).len(), "|link|link".len() + 60);
        assert_eq!(select(TD, &cell(3, 60)).len(), "|link|link|link".len() + 60, "exactly the ratio stays");
        assert_eq!(select(TD, &cell(1, 0)), "", "no words");
        assert_eq!(select(Crunch { ratio: 0.1, ..TD }, &cell(2, 60)), "");
        assert_eq!(select(Crunch { letters: 10.0, ..TD }, &cell(2, 60)), "");
    }

    const LIST: &str = "<p>The text of the page, long enough to be more than half of it all.</p>
        <div><div>Some words here<ul><li><a href=1>One</a><li><a href=2>Two</a><li><a href=3>Three</a></ul></div></div>
        <ul><li><a href=4>Four</a><li><a href=5>Five</a></ul>";

    #[test]
    fn lists_and_containers_are_tested_innermost_first() {
        assert_eq!(
            select(Crunch::PAPER, LIST),
            "The text of the page, long enough to be more than half of it all.|Some words here|Four|Five"
        );
        assert!(select(TD, LIST).contains("One"), "the old code looks at table cells only");
    }

    #[test]
    fn what_holds_half_of_the_text_is_no_link_list() {
        let html = format!("<div>{}ten letters</div>", "<a href=x>l</a> ".repeat(10));
        assert!(select(Crunch::PAPER, &html).ends_with("ten letters"));
        assert_eq!(select(Crunch::PAPER, &format!("{html}<p>much more text than that")), "much more text than that");
    }

    #[test]
    fn ignored_elements_and_empty_tables_go() {
        let html = "<body><noscript>a</noscript><a href=x><img src=i>b</a><a href=//ad.doubleclick.net/c>c</a>
            <a href=https://notdoubleclick.net>d</a><table><tr><td>short</table><table><tr><td>long enough text</table>
            <table><tr><td>img<img></table>";
        assert_eq!(select(TD, html), "d|long enough text|img");
    }

    #[test]
    fn only_hosts_are_compared() {
        assert!(is_advertisement("http://doubleclick.net") && is_advertisement("//a.b.taboola.com?x"));
        assert!(!is_advertisement("/x?u=http://doubleclick.net/") && !is_advertisement("mailto:a@zedo.com"));
    }
}
