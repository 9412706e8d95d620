//! Training of supervised MSS: counts of features inside and outside of main text, by fold.

use std::collections::HashMap;

use gristmill_page::{Page, tokens::StreamToken};
use gristmill_text::hash;

use crate::labels::gold_rows;
use crate::mss::features::features;
use crate::mss::model::{MssModel, STEPS};

/// Counts features over pages whose main text is known, and makes models of them.
///
/// Domains are dealt to [`MssTrainer::FOLDS`] folds, so that a model of all folds but one can be judged on pages of
/// sites that it has not seen. Memory: some 50 bytes for each distinct trigram.
#[derive(Debug, Default)]
pub struct MssTrainer {
    trigrams: HashMap<u32, Counts>,
    tags: HashMap<Box<str>, Counts>,
    tokens: Counts,
    pages: usize,
    fingerprint: u64,
}

/// By fold: tokens outside and inside of main text.
type Counts = [[u32; 2]; MssTrainer::FOLDS];

/// What a model may hold.
#[derive(Debug, Clone, Copy)]
pub struct MssLimits {
    /// Trigrams seen less often are left out; they are mostly names.
    pub min_count: u32,
    /// Most trigrams; those that are seen often and say much come first. 5 bytes each.
    pub max_trigrams: usize,
}

impl Default for MssLimits {
    fn default() -> Self {
        MssLimits { min_count: 4, max_trigrams: 78_000 }
    }
}

impl MssTrainer {
    /// Folds of the cross-validation.
    pub const FOLDS: usize = 3;

    /// Which fold a domain belongs to.
    pub fn fold_of(domain: &str) -> usize {
        (hash(domain.as_bytes()) % Self::FOLDS as u64) as usize
    }

    /// Adds one page and its main text. Words are labelled by their row ([`gold_rows`]); a tag is inside when the words
    /// around it are. Pages in which no row is found are left out, and the answer is false. O(page + gold).
    pub fn add(&mut self, page: &Page<'_>, gold: &str, domain: &str) -> bool {
        let rows = gold_rows(page, gold);
        if !rows.contains(&true) {
            return false;
        }
        let (stream, fold) = (&page.tokens().stream, Self::fold_of(domain));
        let features = features(page, stream);
        for (features, inside) in features.iter().zip(labels(page, stream, &rows)) {
            let side = usize::from(inside);
            self.tokens[fold][side] += 1;
            self.trigrams.entry(features.trigram).or_default()[fold][side] += 1;
            if let Some(tag) = features.tag {
                let name = page.doc.name_str(tag);
                match self.tags.get_mut(name) {
                    Some(counts) => counts[fold][side] += 1,
                    None => self.tags.entry(name.into()).or_default()[fold][side] += 1,
                }
            }
        }
        self.pages += 1;
        // A sum, so that the order of pages does not matter.
        self.fingerprint =
            self.fingerprint.wrapping_add(hash(&[page.text.as_bytes(), b"\0", gold.as_bytes()].concat()));
        true
    }

    /// Pages counted.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Identifies the set of pages and gold texts, in any order.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The model of all folds but `held_out`.
    ///
    /// Log-odds of a feature: `ln((inside + 1) / (outside + 1)) − ln(all inside / all outside)`.
    pub fn model(&self, held_out: Option<usize>, limits: MssLimits) -> MssModel {
        let sum = |counts: &Counts| {
            let folds = counts.iter().enumerate().filter(|&(fold, _)| Some(fold) != held_out);
            folds.fold([0u32; 2], |sum, (_, counts)| [sum[0] + counts[0], sum[1] + counts[1]])
        };
        let log_odds = |[out, inside]: [u32; 2]| (f64::from(inside + 1) / f64::from(out + 1)).ln();
        let prior = log_odds(sum(&self.tokens));
        let mut trigrams: Vec<(f64, u32, i8)> = Vec::new();
        for (&hash, counts) in &self.trigrams {
            let counts = sum(counts);
            let n = counts[0] + counts[1];
            let odds = log_odds(counts) - prior;
            if n >= limits.min_count && quantised(odds) != 0 {
                trigrams.push((f64::from(n) * odds.abs(), hash, quantised(odds)));
            }
        }
        trigrams.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        trigrams.truncate(limits.max_trigrams);
        let mut trigrams: Vec<(u32, i8)> = trigrams.into_iter().map(|(_, hash, odds)| (hash, odds)).collect();
        trigrams.sort_unstable();
        let tag = |name: &str, counts: &Counts| {
            let counts = sum(counts);
            let rare = counts[0] + counts[1] < 100 || name.is_empty() || name.len() > 20;
            (!rare).then(|| (name.into(), quantised(log_odds(counts) - prior)))
        };
        let mut tags: Vec<(Box<str>, i8)> = self.tags.iter().filter_map(|(name, counts)| tag(name, counts)).collect();
        tags.sort_unstable();
        MssModel::new(quantised(prior), tags, &trigrams)
    }
}

fn quantised(log_odds: f64) -> i8 {
    (log_odds * STEPS).round().clamp(-127.0, 127.0) as i8
}

/// Whether each token is inside of main text.
fn labels(page: &Page<'_>, stream: &[StreamToken], rows: &[bool]) -> Vec<bool> {
    let word = |token: &StreamToken| match *token {
        StreamToken::Word { leaf, .. } => Some(rows[page.leaves[leaf as usize].row as usize]),
        StreamToken::Open(_) | StreamToken::Close(_) => None,
    };
    let mut before = false;
    let mut labels: Vec<bool> = Vec::with_capacity(stream.len());
    for token in stream {
        before = word(token).unwrap_or(before);
        labels.push(before);
    }
    let mut after = false;
    for (label, token) in labels.iter_mut().zip(stream).rev() {
        after = word(token).unwrap_or(after);
        *label &= after;
    }
    labels
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    const STORY: &str = "The mill turned for a hundred years before the river fell and the wheel stood still.";

    fn html(n: usize) -> String {
        let menu = "<li><a href=x>Read more news</a></li>".repeat(6);
        format!("<ul>{menu}</ul><article><p>{STORY}</p><p>It was number {n} of the mills.</p></article><ul>{menu}</ul>")
    }

    fn gold(n: usize) -> String {
        format!("{STORY}\nIt was number {n} of the mills.")
    }

    fn trained(pages: impl Iterator<Item = usize>) -> MssTrainer {
        let mut trainer = MssTrainer::default();
        for n in pages {
            let doc = Doc::parse(&html(n), &TreeLimits::default());
            assert!(trainer.add(&Page::new(&doc), &gold(n), &format!("site{n}.example")));
        }
        trainer
    }

    #[test]
    fn a_tag_is_inside_when_the_words_around_it_are() {
        let doc = Doc::parse("<body><p>menu</p><p>one <b>two</b></p><p>three</p><p>foot", &TreeLimits::default());
        let page = Page::new(&doc);
        // <p> menu </p> <p> one <b> two </b> </p> <p> three </p> <p> foot </p>
        let labels = labels(&page, &page.tokens().stream, &[false, true, true, false]);
        let expected = "000011111110000".chars().map(|c| c == '1').collect::<Vec<_>>();
        assert_eq!(labels, expected);
    }

    #[test]
    fn a_model_of_some_sites_finds_the_story_of_another() {
        let trainer = trained(0..12);
        let held_out = MssTrainer::fold_of("site3.example");
        let model = trainer.model(Some(held_out), MssLimits { min_count: 2, max_trigrams: 1000 });
        let doc = Doc::parse(&html(3), &TreeLimits::default());
        let page = Page::new(&doc);
        let selection = model.select(&page, &mut gristmill_page::Trace::default());
        let rows = page.rows.iter().filter(|row| selection.keeps_whole(row)).map(|row| page.row_text(row));
        assert_eq!(rows.collect::<Vec<_>>().join("\n"), gold(3));
    }

    #[test]
    fn the_order_of_pages_does_not_matter() {
        let (a, b) = (trained(0..6), trained((0..6).rev()));
        assert_eq!((a.pages(), a.fingerprint()), (b.pages(), b.fingerprint()));
        let model = |trainer: &MssTrainer| trainer.model(None, MssLimits::default());
        assert_eq!(model(&a), model(&b));
        assert_ne!(a.fingerprint(), trained(1..7).fingerprint());
    }

    #[test]
    fn a_page_without_its_gold_text_is_left_out() {
        let mut trainer = MssTrainer::default();
        let doc = Doc::parse("<p>something else", &TreeLimits::default());
        assert!(!trainer.add(&Page::new(&doc), &gold(1), "site.example"));
        assert_eq!(trainer.pages(), 0);
    }
}
