//! The search for the best matches finds the same hits, in the same order and with the same scores, as a visit to every match.

use std::sync::LazyLock;

use gristmill_index::{
    DocumentKind, IndexConfig, IndexDocument, IndexReader, IndexWriter, Positions, ProductAttribute, SearchFilter,
    SearchQuery, SearchResults, Sort,
};
use proptest::prelude::*;

const WORDS: [&str; 14] = [
    "the",
    "a",
    "of",
    "mill",
    "stone",
    "river",
    "grain",
    "wheel",
    "的",
    "机器",
    "学习",
    "和服",
    "产品",
    "state-of-the-art",
];

/// A pseudo-random sequence (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }

    /// Words of which the first ones are much more frequent.
    fn words(&mut self, n: u64) -> String {
        let mut text = String::new();
        for _ in 0..n {
            let at = self.below(WORDS.len() as u64).min(self.below(WORDS.len() as u64));
            text.push_str(WORDS[at as usize]);
            text.push(' ');
        }
        text
    }

    fn document(&mut self, key: u64) -> IndexDocument {
        let (n_title, n_text, n_anchor) = (self.below(6), self.below(60), self.below(3));
        let site = format!("site{}.example", self.below(4));
        IndexDocument {
            key: format!("{:032x}", u128::from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64),
            url: format!("https://{site}/{key}"),
            title: self.words(n_title),
            text: self.words(n_text),
            anchor_title: self.words(n_anchor),
            host: format!("www.{site}"),
            language: ["en", "zh"][self.below(2) as usize].into(),
            kind: [DocumentKind::Article, DocumentKind::Listing][(self.below(5) == 0) as usize],
            published: match self.below(4) {
                0 => None,
                1 => Some(1_600_000_003),
                _ => Some(1_500_000_000 + self.below(300) as i64 * 86_400),
            },
            attributes: (0..self.below(2))
                .map(|_| ProductAttribute {
                    number: Some(self.below(50) as f64 / 4.0),
                    ..ProductAttribute::new("price", "some")
                })
                .collect(),
            simhash: self.below(20) << (6 * self.below(10)),
            simhash_version: gristmill_text::FINGERPRINT_VERSION,
            site,
            ..IndexDocument::default()
        }
    }

    /// A word of one term: debug builds of tantivy 0.27 fail over phrases that must not be there.
    fn word(&mut self) -> &'static str {
        WORDS[self.below(9) as usize]
    }

    fn atom(&mut self) -> String {
        let mut word = || WORDS[self.below(WORDS.len() as u64) as usize];
        let (one, two) = (word(), word());
        match self.below(9) {
            0 => format!("\"{one} {two}\""),
            1 => format!("title:{one}"),
            2 => format!("title:\"{one} {two}\""),
            3 => "\"the of\"".into(),
            _ => one.into(),
        }
    }

    fn query(&mut self) -> SearchQuery {
        let mut text = String::new();
        for _ in 0..self.below(4) {
            let clause = match self.below(12) {
                0 => format!("-{}", self.word()),
                1 | 2 => format!("{} OR {}", self.atom(), self.atom()),
                3 => format!("{} OR -{}", self.atom(), self.word()),
                4 => "date:>=2017-09".into(),
                5 => format!("site:site{}.example", self.below(5)),
                _ => self.atom(),
            };
            text.push_str(&clause);
            text.push(' ');
        }
        let mut filter = SearchFilter::default();
        match self.below(8) {
            0 => filter.site = Some("site1.example".into()),
            1 => filter.language = Some("zh".into()),
            2 => filter.kind = Some(DocumentKind::Listing),
            3 => filter.from = Some(1_510_000_000),
            _ => {}
        }
        SearchQuery {
            text,
            filter,
            limit: [1, 3, 10, 1000][self.below(4) as usize],
            offset: [0, 0, 7, 150][self.below(4) as usize],
            sort: [Sort::Score, Sort::Score, Sort::Date, Sort::Updated, Sort::Price, Sort::PriceDescending]
                [self.below(6) as usize],
            collapse: self.below(6) == 0,
            count_up_to: [0, 3, 40, 10_000][self.below(4) as usize],
            now: None,
            time_limit: None,
        }
    }
}

/// An index of several shards with several segments each, some documents of which are deleted or written again.
fn library(dice: &mut Dice, n_shards: u64, n_documents: u64) -> (tempfile::TempDir, IndexReader) {
    let dir = tempfile::tempdir().unwrap();
    for shard in 0..n_shards {
        let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        let mut writer = IndexWriter::open(&dir.path().join(format!("p{shard:04}")), &config).unwrap();
        for commit in 0..3 {
            for n in 0..n_documents {
                writer.upsert(&dice.document((shard * 3 + commit) * n_documents + n)).unwrap();
            }
            for _ in 0..dice.below(1 + n_documents / 4) {
                let key = (shard * 3 + dice.below(commit + 1)) * n_documents + dice.below(n_documents);
                let document = dice.document(key);
                if dice.below(2) == 0 {
                    writer.upsert(&document).unwrap()
                } else {
                    writer.remove(&document.key).unwrap()
                }
            }
            writer.commit(&Positions::new()).unwrap();
        }
        writer.close().unwrap();
    }
    let reader = IndexReader::open(dir.path()).unwrap();
    (dir, reader)
}

fn ranked(results: &SearchResults) -> Vec<(&str, u32, u64)> {
    results.hits.iter().map(|hit| (hit.key.as_str(), hit.score.to_bits(), hit.duplicates)).collect()
}

fn assert_same(reader: &IndexReader, query: &SearchQuery) {
    let (best, all) = (reader.search(query).unwrap(), reader.sweep(query).unwrap());
    assert_eq!(ranked(&best), ranked(&all), "{query:?}");
    assert_eq!(best.more, all.more, "{query:?}");
    assert_eq!(best.warnings, all.warnings, "{query:?}");
    assert!(!best.partial && !all.at_least);
    if !best.at_least {
        assert_eq!(best.total, all.total, "{query:?}");
    } else {
        assert!(best.total < all.total, "{} of {}: {query:?}", best.total, all.total);
    }
    if !best.facets_sampled {
        assert_eq!(best.facets, all.facets, "{query:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]
    #[test]
    fn the_best_are_those_of_a_visit_to_every_match(seed in any::<u64>(), n_shards in 1_u64..4, n_documents in 1_u64..400) {
        let mut dice = Dice(seed);
        let (_dir, reader) = library(&mut dice, n_shards, n_documents);
        for _ in 0..30 {
            assert_same(&reader, &dice.query());
        }
    }
}

/// An index in three parts, a third of whose documents has the first word, a half the second, and none the two in a row. The open reader
/// needs the names of its files no more.
static HALVES: LazyLock<IndexReader> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
    let mut writer = IndexWriter::open(dir.path(), &config).unwrap();
    for n in 0..30_000_u64 {
        let (stone, mill) = (if n % 3 == 0 { "stone" } else { "river" }, if n % 2 == 0 { "mill" } else { "wheel" });
        writer
            .upsert(&IndexDocument {
                key: format!("{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
                text: format!("{mill} and {stone}{}", " grain".repeat(n as usize % 7)),
                site: format!("site{}.example", (n / 100) % 5),
                language: if n < 9_000 { "zh" } else { "en" }.into(),
                published: (n % 4 > 0).then(|| 86_400 * (n * 7919 % 30_011) as i64 + 1),
                ..IndexDocument::default()
            })
            .unwrap();
        if n % 10_000 == 9_999 {
            writer.commit(&Positions::new()).unwrap();
        }
    }
    writer.close().unwrap();
    IndexReader::open(dir.path()).unwrap()
});

#[test]
fn totals_are_exact_up_to_a_bound_and_beyond_where_they_are_known_anyway() {
    let reader = &*HALVES;
    let total = |text: &str, count_up_to: u64| {
        let results = reader.search(&SearchQuery { text: text.into(), count_up_to, ..SearchQuery::default() }).unwrap();
        (results.total, results.at_least)
    };
    assert_eq!(total("stone mill", 5_000), (5_000, false));
    assert_eq!(total("stone mill", 4_999), (5_000, false), "the sample for the facets came to have all");
    assert_eq!(total("stone", 100), (10_000, false), "a word of one field alone");
    assert_eq!(total("", 100), (30_000, false));
    assert_eq!(total("lang:zh", 100), (9_000, false));
    assert_eq!(total("stone OR mill", 100), (100, true));
    // The two are never in a row: counting ends after 10 times as many documents that have both, and then all are known.
    assert_eq!(total("\"mill stone\"", 1_000), (0, false));
    assert_eq!(total("\"and stone\" OR wheel", 10), (10, true));
}

#[test]
fn facets_of_many_matches_are_near_the_counts_and_the_same_each_time() {
    let reader = &*HALVES;
    let query = SearchQuery { text: "stone OR mill".into(), count_up_to: 10_000, ..SearchQuery::default() };
    let (some, all) = (reader.search(&query).unwrap(), reader.sweep(&query).unwrap());
    assert!(some.facets_sampled && !all.facets_sampled);
    let near = |some: &[(String, u64)], all: &[(String, u64)]| {
        for (value, count) in all {
            let estimate = some.iter().find(|(name, _)| name == value).map_or(0, |(_, count)| *count);
            assert!(
                estimate.abs_diff(*count) * 50 < all.iter().map(|(_, count)| count).sum::<u64>(),
                "{some:?} {all:?}"
            );
        }
    };
    near(&some.facets.languages, &all.facets.languages);
    near(&some.facets.sites, &all.facets.sites);
    assert_eq!(reader.search(&query).unwrap().facets, some.facets);
}

#[test]
fn a_large_index_gives_the_same_best_hits_in_every_order() {
    let reader = &*HALVES;
    for text in ["stone mill", "stone", "", "grain", "stone OR mill", "grain -stone", "\"and stone\"", "lang:zh wheel"]
    {
        for (sort, offset) in [(Sort::Score, 0), (Sort::Score, 2_000), (Sort::Date, 0), (Sort::Date, 500)] {
            for count_up_to in [0, 500] {
                assert_same(
                    reader,
                    &SearchQuery { text: text.into(), sort, offset, count_up_to, ..SearchQuery::default() },
                );
            }
        }
    }
}

#[test]
fn a_search_for_the_best_alone_ends_in_time_and_says_so() {
    let reader = &*HALVES;
    for (text, sort) in [("stone mill", Sort::Score), ("\"mill stone\"", Sort::Score), ("", Sort::Date)] {
        let time_limit = Some(std::time::Duration::ZERO);
        let query = SearchQuery { text: text.into(), sort, count_up_to: 100, time_limit, ..SearchQuery::default() };
        assert!(reader.search(&query).unwrap().partial, "{text}");
    }
}
