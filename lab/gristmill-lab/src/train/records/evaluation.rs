//! Judges models on pages of shops that they have not seen: scores by threshold, causes of misses, calibration.

use std::collections::{BTreeMap, HashMap};

use gristmill_eval::records::Score;
use gristmill_records::THRESHOLD;
use gristmill_records::training::{PairLabel, select};

use super::set::{self, TrainingSet, key};

/// The scores at one threshold, of pairs alone: whether the page sells something is not asked here. Of the pages as they are, or
/// of their copies.
pub fn line(set: &TrainingSet, opinions: &[Vec<f32>], copies: bool, threshold: f32) -> String {
    let (mut all, mut n_false, mut n_taken) = (Score::default(), 0, 0);
    let (mut sites, mut languages): (BTreeMap<&str, Score>, BTreeMap<&str, Score>) = Default::default();
    for n in set.part(copies) {
        let (page, samples, labels) =
            (&set.pages[set.page_of[n]], &set.examples[n].samples.samples, &set.examples[n].labels);
        let kept = select(samples, &opinions[n], threshold);
        if !page.is_product {
            n_false += kept.len();
            n_taken += usize::from(kept.len() >= 2);
            continue;
        }
        let counted = kept.into_iter().filter(|&k| labels[k] != PairLabel::Open);
        let found: HashMap<(String, String), bool> =
            counted.map(|k| (key(&samples[k]), labels[k] == PairLabel::Right)).collect();
        let right = found.values().filter(|&&right| right).count();
        let score = Score { right, found: found.len(), gold: set::pairs(&page.gold).len() };
        all.add(score);
        sites.entry(&page.site).or_default().add(score);
        languages.entry(page.document.language.as_deref().unwrap_or("unknown")).or_default().add(score);
    }
    let show = |score: Score| format!("P {:.3} R {:.3} F1 {:.3}", score.precision(), score.recall(), score.f1());
    let mean =
        |groups: BTreeMap<&str, Score>| groups.values().map(|score| score.f1()).sum::<f64>() / groups.len() as f64;
    format!(
        "threshold {threshold:.2}: {}, mean F1 of sites {:.3}, of languages {:.3}; other pages: {n_false} pairs, {n_taken} with two",
        show(all),
        mean(sites),
        mean(languages)
    )
}

/// Why a gold pair is missed; a later cause needs that the earlier ones do not hold.
const CAUSES: [&str; LOST] = [
    "no reader proposes them",
    "stand where a rule excludes them",
    "are thought improbable, or lose their text to another reading",
];
const LOST: usize = 3;

/// Why gold pairs are missed at the shipped threshold, with the number of pairs.
pub fn causes(set: &TrainingSet, opinions: &[Vec<f32>], copies: bool) -> String {
    let mut causes = CAUSES.map(|cause| (cause, 0));
    let mut n_gold = 0;
    for n in set.part(copies).filter(|&n| set.pages[set.page_of[n]].is_product) {
        let (samples, labels) = (&set.examples[n].samples.samples, &set.examples[n].labels);
        let kept = select(samples, &opinions[n], THRESHOLD);
        let mut pairs: HashMap<(String, String), usize> = HashMap::new();
        for k in (0..samples.len()).filter(|&k| labels[k] == PairLabel::Right) {
            let cause = match () {
                () if kept.contains(&k) => LOST,
                () if !samples[k].is_elsewhere => 2,
                () => 1,
            };
            let known = pairs.entry(key(&samples[k])).or_insert(cause);
            *known = cause.max(*known);
        }
        let gold = set::pairs(&set.pages[set.page_of[n]].gold).len();
        n_gold += gold;
        causes[0].1 += gold - pairs.len().min(gold);
        for cause in pairs.into_values().filter(|&cause| cause < LOST) {
            causes[cause].1 += 1;
        }
    }
    let line = |(cause, n): (&str, usize)| format!("missed of {n_gold} pairs: {n} {cause}\n");
    causes.map(line).concat()
}

/// How many of the candidates of a probability are right, in ten bins.
pub fn bins(set: &TrainingSet, opinions: &[Vec<f32>], copies: bool) -> String {
    let mut bins = [(0, 0, 0.0); 10];
    for n in set.part(copies).filter(|&n| set.pages[set.page_of[n]].is_product) {
        let judged = opinions[n].iter().zip(&set.examples[n].labels).filter(|(_, label)| **label != PairLabel::Open);
        for (&probability, label) in judged {
            let bin = &mut bins[((probability * 10.0) as usize).min(9)];
            *bin = (bin.0 + 1, bin.1 + usize::from(*label == PairLabel::Right), bin.2 + probability);
        }
    }
    let line = |(n, right, sum): (usize, usize, f32)| {
        let n_candidates = n.max(1) as f32;
        format!("{n} candidates: expected {:.2}, right {:.2}\n", sum / n_candidates, right as f32 / n_candidates)
    };
    bins.map(line).concat()
}
