//! Dates and authors that are a site's and not a page's: the day on which all pages of a manual were built, whoever built a shop.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, OnceLock};

use tantivy::Term;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::document::{DocumentKind, IndexDocument};
use crate::schema::Fields;
use crate::shards::ShardsSnapshot;

/// A moment that is the same to the second on half of so many pages is no page's own.
const PAGES_OF_A_MOMENT: u64 = 20;
/// A day may well be that of many pages, as where only today's news were fetched.
const PAGES_OF_A_DAY: u64 = 50;
/// An author on four fifths of so many pages is the site's.
const PAGES_OF_AN_AUTHOR: u64 = 20;
const SECONDS_A_DAY: i64 = 86_400;
/// Facts of sites whose judgement is remembered; beyond, all are forgotten.
const MAX_KNOWN: usize = 10_000;
/// Most dates that queries are told of; beyond, they find some pages by a date that is not theirs.
const MAX_DATES: usize = 1_000;
/// Words of names that no person has. A name with one of them is no author of an article that all of a site has.
const NO_PERSON: [&str; 22] = [
    "inc",
    "gmbh",
    "ltd",
    "llc",
    "corp",
    "corporation",
    "company",
    "team",
    "group",
    "foundation",
    "project",
    "developers",
    "contributors",
    "community",
    "editors",
    "redaktion",
    "redaction",
    "admin",
    "webmaster",
    "公司",
    "编辑部",
    "编辑",
];

/// Judges what documents say of themselves by all documents of one snapshot, and remembers what it found.
#[derive(Default)]
pub(crate) struct SiteFacts {
    dates: Judged<(String, i64)>,
    authors: Judged<(String, String)>,
    /// All dates of sites, for queries.
    all_dates: OnceLock<Vec<(String, i64)>>,
}

impl SiteFacts {
    /// Takes the date and the author off a document whose site has them on most of its pages: a moment on half of at least 20, a day
    /// without a time or an author on four fifths of at least 50 or 20. A date that the page declares is its own, and those of
    /// others do not count, either. On an article such an author stays, unless the name says that
    /// it is no person's: all of a weblog may be by one writer.
    ///
    /// Two look-ups in the postings for each new pair of site and fact. O(pages of the site with it).
    pub fn clear(
        &self,
        document: &mut IndexDocument,
        snapshot: &ShardsSnapshot,
        fields: &Fields,
    ) -> tantivy::Result<()> {
        if let Some(published) = document.published
            && !document.published_declared
            && self.is_date(&document.site, published, snapshot, fields)?
        {
            document.published = None;
            document.published_of_site = true;
        }
        let doubtful = document.kind != DocumentKind::Article || !may_be_person(&document.author);
        if doubtful && !document.author.is_empty() {
            let pair = (document.site.clone(), document.author.clone());
            let found = || is_author_of_site(&document.site, &document.author, snapshot, fields);
            if self.authors.get(pair, found)? {
                document.author.clear();
            }
        }
        Ok(())
    }

    /// All dates of sites with most of their pages, with the sites. The first call reads two columns of the whole index.
    pub fn all_dates(&self, snapshot: &ShardsSnapshot, fields: &Fields) -> &[(String, i64)] {
        // What cannot be read takes nothing out of what a query finds.
        self.all_dates.get_or_init(|| self.find_dates(snapshot, fields).unwrap_or_default())
    }

    fn find_dates(&self, snapshot: &ShardsSnapshot, fields: &Fields) -> tantivy::Result<Vec<(String, i64)>> {
        let mut dates = Vec::new();
        for (site, candidates) in frequent_dates(snapshot)? {
            for date in candidates {
                if dates.len() < MAX_DATES && self.is_date(&site, date, snapshot, fields)? {
                    dates.push((site.clone(), date));
                }
            }
        }
        Ok(dates)
    }

    fn is_date(&self, site: &str, published: i64, snapshot: &ShardsSnapshot, fields: &Fields) -> tantivy::Result<bool> {
        self.dates.get((site.to_owned(), published), || is_date_of_site(site, published, snapshot, fields))
    }
}

/// What was judged before.
#[derive(Default)]
struct Judged<K> {
    known: Mutex<HashMap<K, bool>>,
}

impl<K: Hash + Eq> Judged<K> {
    fn get(&self, key: K, judge: impl FnOnce() -> tantivy::Result<bool>) -> tantivy::Result<bool> {
        if let Some(known) = self.known.lock().ok().and_then(|known| known.get(&key).copied()) {
            return Ok(known);
        }
        let found = judge()?;
        if let Ok(mut known) = self.known.lock() {
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            known.insert(key, found);
        }
        Ok(found)
    }
}

fn term(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

/// Pages of a site, and those of them that have a term, if the site has at least so many.
fn shared(site: Term, least: u64, same: Term, snapshot: &ShardsSnapshot) -> tantivy::Result<Option<(u64, u64)>> {
    let n_pages = snapshot.n_matches(term(site.clone()).as_ref())?;
    if n_pages < least {
        return Ok(None);
    }
    let n_same = snapshot.n_matches(&BooleanQuery::intersection(vec![term(site), term(same)]))?;
    Ok(Some((n_pages, n_same)))
}

fn is_date_of_site(site: &str, published: i64, snapshot: &ShardsSnapshot, fields: &Fields) -> tantivy::Result<bool> {
    let is_day = published.rem_euclid(SECONDS_A_DAY) == 0;
    let least = if is_day { PAGES_OF_A_DAY } else { PAGES_OF_A_MOMENT };
    let date = Term::from_field_i64(fields.published_shown, published);
    let counts = shared(Term::from_field_text(fields.site, site), least, date, snapshot)?;
    Ok(counts.is_some_and(|(n_pages, n_same)| if is_day { 5 * n_same >= 4 * n_pages } else { 2 * n_same >= n_pages }))
}

fn is_author_of_site(site: &str, author: &str, snapshot: &ShardsSnapshot, fields: &Fields) -> tantivy::Result<bool> {
    let counts =
        shared(Term::from_field_text(fields.site, site), PAGES_OF_AN_AUTHOR, fields.author_term(author), snapshot)?;
    Ok(counts.is_some_and(|(n_pages, n_same)| 5 * n_same >= 4 * n_pages))
}

fn may_be_person(author: &str) -> bool {
    let author = author.to_lowercase();
    let mut words = author.split(|c: char| !c.is_alphanumeric());
    !words.any(|word| NO_PERSON.iter().any(|no| word == *no || !no.is_ascii() && word.ends_with(no)))
}

/// The two dates of each site with enough pages that may stand on a third of them or more (Misra and Gries, 1982).
#[derive(Default)]
struct Frequent {
    n_pages: u64,
    dates: [(i64, u64); 2],
    /// How often every date may have been counted too low.
    missed: u64,
}

impl Frequent {
    fn count(&mut self, date: i64) {
        if let Some((_, count)) = self.dates.iter_mut().find(|(known, count)| *count > 0 && *known == date) {
            *count += 1;
        } else if let Some(free) = self.dates.iter_mut().find(|(_, count)| *count == 0) {
            *free = (date, 1);
        } else {
            self.dates.iter_mut().for_each(|(_, count)| *count -= 1);
            self.missed += 1;
        }
    }

    /// The dates that may stand on half of the pages.
    fn candidates(&self) -> Vec<i64> {
        let may = |count: u64| count > 0 && 2 * (count + self.missed) >= self.n_pages;
        self.dates.iter().filter(|(_, count)| may(*count)).map(|(date, _)| *date).collect()
    }
}

/// Reads site and date of every document; memory is by the number of sites.
fn frequent_dates(snapshot: &ShardsSnapshot) -> tantivy::Result<Vec<(String, Vec<i64>)>> {
    // By the hash of a name; with where the name stands.
    let mut numbers: HashMap<u64, (usize, u32, u64)> = HashMap::new();
    let mut sites: Vec<Frequent> = Vec::new();
    for ord in 0..snapshot.n_segments() {
        let segment = snapshot.segment(ord);
        let columns = segment.fast_fields();
        let (Some(names), published) = (columns.str("site")?, columns.i64("published_shown")?) else { continue };
        let hashes = snapshot.known.hashes.get("site", &names, segment)?;
        let mut number_of: Vec<Option<usize>> = vec![None; names.num_terms()];
        for id in segment.doc_ids_alive() {
            let Some(name) = names.ords().first(id) else { continue };
            let number = *number_of[name as usize].get_or_insert_with(|| {
                let known = numbers.entry(hashes[name as usize]).or_insert_with(|| {
                    sites.push(Frequent::default());
                    (sites.len() - 1, ord, name)
                });
                known.0
            });
            sites[number].n_pages += 1;
            if let Some(date) = published.first(id) {
                sites[number].count(date);
            }
        }
    }
    let mut found = Vec::new();
    for (number, ord, name) in numbers.into_values() {
        let candidates = sites[number].candidates();
        if candidates.is_empty() || sites[number].n_pages < PAGES_OF_A_MOMENT {
            continue;
        }
        let mut site = String::new();
        if let Some(names) = snapshot.segment(ord).fast_fields().str("site")? {
            names.ord_to_str(name, &mut site)?;
        }
        found.push((site, candidates));
    }
    found.sort_unstable();
    Ok(found)
}
