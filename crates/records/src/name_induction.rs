//! Learning attribute names from a corpus: names that stand beside changing values on several sites.

use std::collections::{BTreeMap, HashMap, HashSet};

use gristmill_html::{Doc, LocalName};
use gristmill_page::Page;

use crate::candidate::PairLayout;
use crate::dictionary::{Dictionary, fold};
use crate::readers;
use crate::view::RecordView;

/// A name that the corpus suggests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnedName {
    /// As written most often.
    pub name: String,
    /// Pages that have it as a name.
    pub n_pages: usize,
    /// Sites that have it as a name, in order.
    pub sites: Vec<String>,
    /// Distinct values seen beside it.
    pub n_values: usize,
    /// Its group, if the dictionary knows it already.
    pub known: Option<String>,
}

#[derive(Default)]
struct Seen {
    spellings: HashMap<String, usize>,
    values: HashSet<u64>,
    pages: usize,
    last_page: usize,
    sites: BTreeMap<String, usize>,
    link_pages: usize,
}

/// Most distinct names that are counted, and most values of one name.
const MAX_NAMES: usize = 200_000;
const MAX_VALUES: usize = 1_000;

/// Gathers names page by page.
///
/// Taken in the end: a left side with at least two different values on at least two sites, or on at least five pages of
/// one site; of at most five words and 30 characters, with a letter and without a sentence mark; not those that are
/// link text on more than a fifth of their pages. Memory is bounded by 200,000 names.
///
/// Source: the bootstrapping of the attribute dictionary, Zhang et al. 2018, §4.3.2, which the paper mentions without a rule.
#[derive(Default)]
pub struct Learner {
    seen: HashMap<u64, Seen>,
    n_pages: usize,
}

impl Learner {
    /// One that has seen nothing.
    pub fn new() -> Learner {
        Learner::default()
    }

    /// Reads the tables, lists and repeated element pairs of a page. O(candidates).
    pub fn read_page(&mut self, site: &str, doc: &Doc) {
        let page = Page::new(doc);
        let view = RecordView::new(&page);
        let links = link_texts(&view);
        let candidates = readers::read(&view, &Dictionary::empty()).candidates;
        let plain = candidates.iter().filter(|candidate| {
            matches!(
                candidate.layout,
                PairLayout::Row | PairLayout::FourCells | PairLayout::List | PairLayout::TwoCells
            )
        });
        let pairs: Vec<(&str, &str)> =
            plain.map(|candidate| (view.slice(candidate.name), view.slice(candidate.value))).collect();
        self.read(site, &pairs, &links);
    }

    /// Takes the pairs of a page that were found already.
    pub fn read_pairs(&mut self, site: &str, pairs: &[(&str, &str)]) {
        self.read(site, pairs, &HashSet::new());
    }

    fn read(&mut self, site: &str, pairs: &[(&str, &str)], links: &HashSet<u64>) {
        self.n_pages += 1;
        for &(name, value) in pairs.iter().filter(|(name, _)| is_plain(name)) {
            let key = fold(name);
            if self.seen.len() >= MAX_NAMES && !self.seen.contains_key(&key) {
                continue;
            }
            let entry = self.seen.entry(key).or_default();
            if entry.last_page != self.n_pages {
                entry.last_page = self.n_pages;
                entry.pages += 1;
                *entry.sites.entry(site.to_owned()).or_insert(0) += 1;
                entry.link_pages += usize::from(links.contains(&key));
                *entry.spellings.entry(name.to_owned()).or_insert(0) += 1;
            }
            if entry.values.len() < MAX_VALUES {
                entry.values.insert(fold(value));
            }
        }
    }

    /// What is to be learnt; names of most sites first, then of most pages. `dictionary` tells what is known already.
    pub fn finish(self, dictionary: &Dictionary) -> Vec<LearnedName> {
        let mut learnt: Vec<LearnedName> =
            self.seen.into_values().filter_map(|seen| accept(seen, dictionary)).collect();
        learnt.sort_by(|a, b| {
            b.sites.len().cmp(&a.sites.len()).then(b.n_pages.cmp(&a.n_pages)).then(a.name.cmp(&b.name))
        });
        learnt
    }
}

fn link_texts(view: &RecordView) -> HashSet<u64> {
    let links = (0..view.doc.len()).filter(|&node| view.name(node) == LocalName::A);
    links.map(|node| fold(view.slice(view.span_of(node)))).collect()
}

fn is_plain(name: &str) -> bool {
    name.chars().count() <= 30
        && name.split_whitespace().count() <= 5
        && name.chars().any(char::is_alphabetic)
        && !name.contains(['.', '!', '?', '。', '！', '？', '\n'])
}

fn accept(seen: Seen, dictionary: &Dictionary) -> Option<LearnedName> {
    let wide = seen.values.len() >= 2 && seen.sites.len() >= 2;
    let deep = seen.sites.values().any(|&pages| pages >= 5);
    if !(wide || deep) || seen.link_pages * 5 > seen.pages {
        return None;
    }
    let name = seen.spellings.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))?.0;
    Some(LearnedName {
        known: dictionary.canonical(&name).map(str::to_owned),
        name,
        n_pages: seen.pages,
        sites: seen.sites.into_keys().collect(),
        n_values: seen.values.len(),
    })
}

/// Lines for a dictionary file: every new name a group of its own, kind `spec`, language `und`, with counts above.
pub fn to_file(learnt: &[LearnedName]) -> String {
    let mut out = String::new();
    for one in learnt.iter().filter(|one| one.known.is_none()) {
        let canonical = one.name.to_lowercase().replace(char::is_whitespace, "_");
        out.push_str(&format!("# {} pages, {} values, sites: {}\n", one.n_pages, one.n_values, one.sites.join(" ")));
        out.push_str(&format!("{canonical}\tspec\tund\t{}\n", one.name.replace('|', " ")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;

    fn page(rows: &[(&str, &str)], rest: &str) -> Doc {
        let rows: String = rows.iter().map(|(a, b)| format!("<tr><td>{a}</td><td>{b}</td></tr>")).collect();
        Doc::parse(&format!("<table>{rows}</table>{rest}"), &TreeLimits::default())
    }

    fn learn(pages: &[(&str, &Doc)], dictionary: &Dictionary) -> Vec<LearnedName> {
        let mut learner = Learner::new();
        pages.iter().for_each(|(site, doc)| learner.read_page(site, doc));
        learner.finish(dictionary)
    }

    #[test]
    fn names_with_changing_values_on_two_sites_are_learnt_and_menus_are_not() {
        let one = page(&[("Zorblax", "3"), ("Same", "x"), ("Help", "now"), ("Brand", "A")], "<a href=/h>Help</a>");
        let two = page(&[("zorblax:", "4"), ("Same", "x"), ("Help", "here"), ("Brand", "B")], "<a href=/h>Help</a>");
        let learnt = learn(&[("a.example", &one), ("b.example", &two)], &Dictionary::built_in());
        let names: Vec<(&str, Option<&str>)> =
            learnt.iter().map(|one| (one.name.as_str(), one.known.as_deref())).collect();
        assert_eq!(names, [("Brand", Some("brand")), ("Zorblax", None)]);
        assert_eq!((learnt[1].n_pages, learnt[1].n_values, learnt[1].sites.len()), (2, 2, 2));
        let extended = Dictionary::built_in().extended(&to_file(&learnt)).unwrap();
        assert_eq!(extended.canonical("ZORBLAX"), Some("zorblax"));
    }

    #[test]
    fn five_pages_of_one_site_suffice() {
        let docs: Vec<Doc> = (0..5).map(|_| page(&[("Zorblax", "3")], "")).collect();
        let pages: Vec<(&str, &Doc)> = docs.iter().map(|doc| ("a.example", doc)).collect();
        assert_eq!(learn(&pages, &Dictionary::empty()).len(), 1);
        assert_eq!(learn(&pages[..4], &Dictionary::empty()), []);
    }

    #[test]
    fn pairs_found_earlier_teach_as_pages_do() {
        let mut learner = Learner::new();
        learner.read_pairs("a.example", &[("Zorblax", "3"), ("Alone", "1")]);
        learner.read_pairs("b.example", &[("zorblax", "4")]);
        let [learnt] = &learner.finish(&Dictionary::empty())[..] else { panic!() };
        assert_eq!((learnt.name.as_str(), learnt.n_pages, learnt.n_values), ("Zorblax", 2, 2));
    }
}
