//! WFFTE: containers weighed by their place, by the title's words and by punctuation, and what lies near the best.

mod groups;
mod title_words;

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, ParameterValues, Selection, Trace, TraceValue, parameters,
};

use crate::containers::{Containers, TextContainer};

use groups::{ContainerGroup, Groups};
use title_words::TitleWordCounts;

/// Base of the place weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WeightBase {
    /// This number.
    Number(f64),
    /// One more than the largest number of containers side by side, so that order along the page never breaks.
    Auto,
}

/// Web page text extraction by weights of features of containers.
///
/// A container's own text excludes that of nested containers; paragraphs, lists and headings are no containers.
/// With ranks rd among sibling containers along the path (from 1), words outside (NC) and inside of links (HC),
/// and the counts FW and SW of the two title words that the page repeats most:
///
/// * place `DSD = 1 / Σ rd_i · q^(1−i)` (eq. 2), title `TSD = α·FW + β·SW` (eq. 3),
///   punctuation `PSD = FP · NC / (HC + 1)` with FP = 0.001, 0.1 from 3 marks on, 0.5 from 6 on (eq. 4, 5),
/// * score `SD = DSD · (TSD + PSD)` (eq. 1).
///
/// Sibling containers with the same tag and the same class (else the same inline style) are merged, scores added.
/// Of the best `top` those within path distance JULI of the best one are main text, JULI being `juli_short` if the
/// best holds at least half of the characters of them all and `juli_long` if not. If more than one is left, those
/// with three phrases of a copyright line and no punctuation go.
///
/// O(nodes + text). Text outside of every container is kept only when no container has text.
///
/// Source: Wang & Wei, WFFTE. Ours: exponents of q are 1 − i (the printed i − 1 contradicts the worked value 1/1.1);
/// HC + 1 because HC = 0 is undefined; containers without class and style are not merged; the distance of the
/// example (…/div[1]/div[0] and …/div[1]/div[2]/div[1]) is 2 by formula 6, not the 3 printed beside it.
#[derive(Debug, Clone, Copy)]
pub struct Wffte {
    /// α: worth of the most repeated title word.
    pub alpha: f64,
    /// β: worth of the second.
    pub beta: f64,
    /// q: base of the place weights.
    pub q: WeightBase,
    /// Whether alike siblings are merged.
    pub merge: bool,
    /// How many containers are looked at in the end.
    pub top: usize,
    /// Largest path distance to a best container that holds at least half of the text.
    pub juli_short: u32,
    /// The same if it holds less.
    pub juli_long: u32,
}

impl Wffte {
    /// The paper's parameters.
    pub const PAPER: Wffte =
        Wffte { alpha: 0.5, beta: 1.0, q: WeightBase::Number(10.0), merge: true, top: 7, juli_short: 2, juli_long: 4 };
}

impl MainTextExtractor for Wffte {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "wffte", paper: "Wang & Wei, WFFTE", cost: "O(n + words)" }
    }

    parameters! {
        "alpha" alpha in 0.0..=100.0, "α: worth of the title word that the page repeats most";
        "beta" beta in 0.0..=100.0, "β: worth of the second such word";
        "q" q, "q: base of the place weights, a number or auto";
        "merge" merge, "whether sibling containers with the same tag and class are one";
        "top" top in 1..=100, "how many of the best containers are looked at";
        "juli_short" juli_short in 0..=1000, "JULI when the best container holds at least half of the text of them";
        "juli_long" juli_long in 0..=1000, "JULI when it holds less";
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let mut words = TitleWordCounts::new(page, query);
        let containers = Containers::new(page, |container, word| words.see(container, word));
        let counts = words.counts(containers.all.len(), trace);
        let scores = self.scores(&containers, &counts, trace);
        let groups = Groups::new(page, &containers, &scores, self.merge);
        let top = groups.top(self.top);
        let mut selection = Selection::none(page);
        let Some(&best) = top.first() else { return selection };
        let chars = |group: &ContainerGroup| u64::from(group.chars);
        let share = chars(&groups.all[best]) as f64 / top.iter().map(|&at| chars(&groups.all[at])).sum::<u64>() as f64;
        let juli = if share >= 0.5 { self.juli_short } else { self.juli_long };
        let distances: Vec<u32> = top.iter().map(|&at| groups.distance(&containers, at, best)).collect();
        let near = top.iter().zip(&distances).filter(|(_, distance)| **distance <= juli);
        let mut last: Vec<usize> = near.map(|(&at, _)| at).collect();
        if last.len() > 1 {
            let flags = groups.copyright_lines(page, &containers, &last);
            let mut flags = flags.iter();
            last.retain(|_| !flags.next().expect("one flag each"));
        }
        trace.note("top", || series(top.iter().map(|&at| groups.all[at].first as f64)));
        trace.note("top_scores", || series(top.iter().map(|&at| groups.all[at].score)));
        trace.note("best_share", || TraceValue::Number(share));
        trace.note("juli", || TraceValue::Number(f64::from(juli)));
        trace.note("distances", || series(distances.iter().map(|&distance| f64::from(distance))));
        let mut kept = vec![false; groups.all.len()];
        last.iter().for_each(|&at| kept[at] = true);
        for (leaf, &container) in containers.of_leaf.iter().enumerate() {
            if groups.of_container[container as usize].is_some_and(|group| kept[group as usize]) {
                selection.keep_leaf(leaf);
            }
        }
        selection
    }
}

fn series(values: impl Iterator<Item = f64>) -> TraceValue {
    TraceValue::Series(values.collect())
}

impl Wffte {
    /// SD of each container.
    fn scores(&self, containers: &Containers, counts: &[(u32, u32)], trace: &mut Trace) -> Vec<f64> {
        let dsd = places(containers, self.q.of(containers));
        let tsd: Vec<f64> = counts
            .iter()
            .map(|&(first, second)| self.alpha * f64::from(first) + self.beta * f64::from(second))
            .collect();
        let psd: Vec<f64> = containers.all.iter().map(punctuation).collect();
        let scores: Vec<f64> = (0..dsd.len()).map(|at| dsd[at] * (tsd[at] + psd[at])).collect();
        trace.note("dsd", || TraceValue::Series(dsd));
        trace.note("tsd", || TraceValue::Series(tsd));
        trace.note("psd", || TraceValue::Series(psd));
        trace.note("sd", || TraceValue::Series(scores.clone()));
        scores
    }
}

/// DSD of each container; 1 for the body.
fn places(containers: &Containers, q: f64) -> Vec<f64> {
    // (Σ rd_i · q^(1−i), q^(1−n)) along the path of n containers.
    let mut sums: Vec<(f64, f64)> = Vec::with_capacity(containers.all.len());
    for container in &containers.all {
        sums.push(match container.level {
            0 => (0.0, q),
            _ => {
                let (sum, weight) = sums[container.parent as usize];
                let weight = weight / q;
                (sum + f64::from(container.rank) * weight, weight)
            }
        });
    }
    sums.iter().map(|&(sum, _)| if sum == 0.0 { 1.0 } else { 1.0 / sum }).collect()
}

/// PSD.
fn punctuation(container: &TextContainer) -> f64 {
    let fp = match container.marks {
        0..3 => 0.001,
        3..6 => 0.1,
        _ => 0.5,
    };
    fp * f64::from(container.plain_words) / (f64::from(container.link_words) + 1.0)
}

impl WeightBase {
    fn of(self, containers: &Containers) -> f64 {
        match self {
            WeightBase::Number(q) => q,
            WeightBase::Auto => {
                let most = containers.all.iter().map(|container| container.children).max().unwrap_or(0);
                f64::from(most) + 1.0
            }
        }
    }
}

impl std::str::FromStr for WeightBase {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.parse() {
            // Below 1 a deeper container would weigh more than the one around it.
            Ok(q) if (1.0..=1e6).contains(&q) => Ok(WeightBase::Number(q)),
            _ if text == "auto" => Ok(WeightBase::Auto),
            _ => Err(()),
        }
    }
}

impl std::fmt::Display for WeightBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WeightBase::Number(q) => q.fmt(f),
            WeightBase::Auto => f.write_str("auto"),
        }
    }
}

impl ParameterValues for WeightBase {
    fn choices() -> String {
        "a number from 1 to 1000000, or `auto`".to_owned()
    }
}

#[cfg(test)]
mod tests;
