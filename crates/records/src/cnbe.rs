//! The paper's baseline CNBE: naive Bayes for names and for values, co-trained from the dictionary, and the block
//! that holds most names.
//!
//! After Wu B. et al. 2009 as the VSSE paper (Zhang et al. 2018, §5.3) describes it; the features and the measure of a block are a reconstruction.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_html::Doc;
use gristmill_models::{CNBE, ModelError, ModelFile};
use gristmill_page::Page;

use crate::accept;
use crate::candidate::{Candidate, PairLayout};
use crate::dictionary::{Dictionary, NameKind, fold};
use crate::readers;
use crate::records::Chosen;
use crate::view::{ByteRange, RecordView};

/// To three digits, which keeps the file the same when sums are added in another order.
fn rounded(ratio: f32) -> f32 {
    ((f64::from(ratio) * 1e3).round() / 1e3) as f32
}

/// Log-likelihood ratios of features for one side of a pair; both classes count as equally likely beforehand.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairSide {
    ratios: HashMap<u64, f32>,
}

/// The two classifiers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cnbe {
    names: PairSide,
    values: PairSide,
}

static SHIPPED: LazyLock<Cnbe> = LazyLock::new(|| CNBE.load(Cnbe::read));

impl PairSide {
    fn posterior(&self, features: &[u64]) -> f32 {
        let sum: f32 = features.iter().filter_map(|feature| self.ratios.get(feature)).sum::<f32>();
        1.0 / (1.0 + (-sum).exp())
    }

    /// Laplace-smoothed ratios from counted features of the class and of everything else.
    fn fit(positive: &[&Vec<u64>], negative: &[&Vec<u64>]) -> PairSide {
        let mut counts: HashMap<u64, (f32, f32)> = HashMap::new();
        for features in positive {
            features.iter().for_each(|&feature| counts.entry(feature).or_default().0 += 1.0);
        }
        for features in negative {
            features.iter().for_each(|&feature| counts.entry(feature).or_default().1 += 1.0);
        }
        let (p, n) = (positive.len() as f32 + 2.0, negative.len() as f32 + 2.0);
        let ratio = |(a, b): (f32, f32)| ((a + 0.5) / p).ln() - ((b + 0.5) / n).ln();
        let ratios =
            counts.into_iter().filter(|(_, (a, b))| a + b >= 3.0).map(|(feature, count)| (feature, ratio(count)));
        PairSide { ratios: ratios.collect() }
    }
}

impl Cnbe {
    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else.
    pub fn read(file: &ModelFile) -> Result<Cnbe, ModelError> {
        let side = |features: &str, ratios: &str| {
            let features = file.table::<u64>(features)?.iter().copied();
            Ok::<_, ModelError>(PairSide { ratios: features.zip(file.table::<f32>(ratios)?.iter().copied()).collect() })
        };
        Ok(Cnbe { names: side("name.features", "name.ratios")?, values: side("value.features", "value.ratios")? })
    }

    /// The strongest 500 features of each side with their log ratios to three digits, as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        let sides = [("name", &self.names), ("value", &self.values)];
        sides.into_iter().fold(ModelFile::new(card), |file, (name, side)| {
            let mut ratios: Vec<(u64, f32)> = side.ratios.iter().map(|(&feature, &ratio)| (feature, ratio)).collect();
            ratios.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
            ratios.truncate(500);
            ratios.sort_by_key(|&(feature, _)| feature);
            let (features, ratios) = ratios.into_iter().map(|(feature, ratio)| (feature, rounded(ratio))).unzip();
            file.with(format!("{name}.features"), features).with(format!("{name}.ratios"), ratios)
        })
    }

    /// Co-trains on pages without gold: pairs whose name the dictionary knows begin; in each of ten rounds up to 50
    /// pairs that one classifier is at least 90 % sure of are added to the examples of the other.
    pub fn train<'d>(docs: impl IntoIterator<Item = &'d Doc>, dictionary: &Dictionary) -> Cnbe {
        let mut pool: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
        let mut rest: Vec<Vec<u64>> = Vec::new();
        let mut known: Vec<bool> = Vec::new();
        for doc in docs {
            let page = Page::new(doc);
            let view = RecordView::new(&page);
            for candidate in readers::read(&view, dictionary).candidates.iter().filter(|c| c.layout != PairLayout::Dash)
            {
                known.push(dictionary.kind(view.slice(candidate.name)) == Some(NameKind::Spec));
                pool.push((side(&view, candidate.name), side(&view, candidate.value)));
            }
            let leaves = (0..view.leaves.len()).step_by(7).map(|n| side(&view, view.span(n, n + 1)));
            rest.extend(leaves);
        }
        co_train(&pool, &rest, &known)
    }
}

fn co_train(pool: &[(Vec<u64>, Vec<u64>)], rest: &[Vec<u64>], known: &[bool]) -> Cnbe {
    let seeds: Vec<usize> = (0..pool.len()).filter(|&n| known[n]).collect();
    let (mut names, mut values) = (seeds.clone(), seeds);
    let negative: Vec<&Vec<u64>> = rest.iter().collect();
    let mut model = Cnbe::default();
    for _ in 0..=10 {
        model.names = PairSide::fit(&names.iter().map(|&n| &pool[n].0).collect::<Vec<_>>(), &negative);
        model.values = PairSide::fit(&values.iter().map(|&n| &pool[n].1).collect::<Vec<_>>(), &negative);
        let by_name = surest(pool.iter().map(|pair| model.names.posterior(&pair.0)), &values);
        let by_value = surest(pool.iter().map(|pair| model.values.posterior(&pair.1)), &names);
        values.extend(by_name);
        names.extend(by_value);
    }
    model
}

/// Up to 50 examples with a posterior of at least 0.9 that are not `taken`, the surest first.
fn surest(posteriors: impl Iterator<Item = f32>, taken: &[usize]) -> Vec<usize> {
    let taken: std::collections::HashSet<usize> = taken.iter().copied().collect();
    let mut sure: Vec<(usize, f32)> = posteriors.enumerate().filter(|(n, p)| *p >= 0.9 && !taken.contains(n)).collect();
    sure.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sure.into_iter().take(50).map(|(n, _)| n).collect()
}

/// Features of one side: its words, length bucket, digit share, delimiter, tag and parent tag.
fn side(view: &RecordView, span: ByteRange) -> Vec<u64> {
    let text = view.slice(span);
    let salted = |salt: u64, value: u64| (value ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut features: Vec<u64> = text.split_whitespace().take(6).map(|word| salted(1, fold(word))).collect();
    let chars = text.chars().count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    features.push(salted(2, (usize::BITS - chars.leading_zeros()).into()));
    features.push(salted(3, (digits * 4 / chars.max(1)) as u64));
    features.push(salted(4, u64::from(text.contains([':', '：']))));
    let leaf = &view.leaves[view.leaf_at(span.start)];
    let parent = view.parent(leaf.node.index());
    features.push(salted(5, view.name(parent).index() as u64));
    features.push(salted(6, view.name(view.parent(parent)).index() as u64));
    features
}

/// The pairs of the block with the largest (names)²/leaves whose two sides are likelier than not.
pub(crate) fn choose(view: &RecordView, candidates: &[Candidate], dictionary: &Dictionary) -> Vec<Chosen> {
    let model = &*SHIPPED;
    let posteriors: Vec<f32> = candidates
        .iter()
        .map(|candidate| {
            let name = model.names.posterior(&side(view, candidate.name));
            let known = dictionary.kind(view.slice(candidate.name)) == Some(NameKind::Spec);
            let name = if known { name.max(0.9) } else { name };
            name.min(model.values.posterior(&side(view, candidate.value)))
        })
        .collect();
    let spans: Vec<accept::Spans> = candidates
        .iter()
        .map(|candidate| {
            let both = [candidate.name, candidate.value].map(|span| (span.start, span.end));
            (both, candidate.layout.shares_names())
        })
        .collect();
    let kept = accept::select(&spans, &posteriors, &posteriors, 0.5);
    let Some(block) = block(view, kept.iter().map(|&n| candidates[n].element as usize)) else { return Vec::new() };
    let inside = block..view.end(block);
    let kept: Vec<usize> = kept.into_iter().filter(|&n| inside.contains(&(candidates[n].element as usize))).collect();
    if kept.len() < 2 { Vec::new() } else { kept.into_iter().map(|n| (n, posteriors[n])).collect() }
}

/// The node that maximises (number of `marks` below)² / leaves. One reverse pass.
fn block(view: &RecordView, marks: impl Iterator<Item = usize>) -> Option<usize> {
    let mut counts = vec![0u32; view.doc.len()];
    marks.for_each(|node| counts[node] += 1);
    let mut best: Option<(f64, usize)> = None;
    for node in (1..view.doc.len()).rev() {
        let parent = view.parent(node);
        counts[parent] += counts[node];
        if counts[node] > 0 {
            let value = f64::from(counts[node]).powi(2) / view.n_leaves(node).max(1) as f64;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, node));
            }
        }
    }
    best.map(|(_, node)| node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::TreeLimits;

    fn page(rows: &[(&str, &str)]) -> Doc {
        let rows: String = rows.iter().map(|(a, b)| format!("<tr><td>{a}</td><td>{b}</td></tr>")).collect();
        let html = format!(
            "<nav><a>Home</a><a>Shop</a><a>Help me now</a></nav><p>Some words of no use at all.<table>{rows}</table>"
        );
        Doc::parse(&html, &TreeLimits::default())
    }

    #[test]
    fn co_training_finds_names_that_the_dictionary_does_not_know() {
        let rows: Vec<(&str, &str)> =
            vec![("Brand", "Acme"), ("Weight", "3 kg"), ("Zorblax level", "7 kg"), ("Color", "red")];
        let docs: Vec<Doc> = (0..12).map(|_| page(&rows)).collect();
        let model = Cnbe::train(&docs, &Dictionary::built_in());
        let page = Page::new(&docs[0]);
        let view = RecordView::new(&page);
        let posterior = |text: &str| {
            let at = view.text.find(text).unwrap() as u32;
            model.names.posterior(&side(&view, ByteRange { start: at, end: at + text.len() as u32 }))
        };
        assert!(posterior("Zorblax level") > 0.5 && posterior("Help me now") < 0.5);
        let again = Cnbe::read(&model.to_file("card")).unwrap();
        assert_eq!(again.names.ratios.len(), model.names.ratios.len().min(500));
    }

    #[test]
    fn the_block_with_most_names_for_its_size_wins() {
        let doc = page(&[("Brand", "Acme"), ("Weight", "3 kg")]);
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let rows = doc.ids().filter(|&id| doc.name(id) == gristmill_html::LocalName::TR).map(|id| id.index());
        let block = block(&view, rows).unwrap();
        assert_eq!(view.slice(view.span_of(block)), "Brand\nAcme\nWeight\n3 kg");
    }
}
