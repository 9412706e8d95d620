//! CETR: lines of the source whose ratio of text to tags is high, alone or with their surroundings.

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, choices, parameters,
};

use crate::blur::smooth;
use crate::kmeans::{Point, pinned_clusters};
use crate::lines::{LineRules, SourceLines};

/// How content lines are told from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CetrModel {
    /// Clusters of (smoothed ratio, smoothed difference to what follows).
    TwoD,
    /// Clusters of the smoothed ratio.
    OneD,
    /// Smoothed ratio of at least λ standard deviations.
    Threshold,
}

choices!(CetrModel { TwoD "2d", OneD "1d", Threshold "threshold" });

/// Content Extraction via Tag Ratios (Weninger, Hsu & Han 2010).
///
/// The ratio TR of a line is its characters over its tags (at least 1), smoothed by a Gaussian to T'. The second axis G is
/// the distance of T' to the mean of the next three lines, smoothed likewise. Three clusters with one centre pinned at
/// the origin (`model` = `2d` or `1d`); lines outside of the pinned cluster are content. `threshold` keeps lines with
/// T' ≥ λ · standard deviation of T'.
///
/// O(source + lines · 100). All ratios zero: nothing distinguishes lines, so all are kept.
///
/// Ours: lines are rebuilt from the tree (line breaks inside of tags and comments are lost, end tags that were left out
/// count); a source of fewer than `min_lines` lines is broken after every tag, and a giant line every 2,000 characters;
/// the kernel is the Gaussian that the paper means, not the constant that its formula yields; centres start at the line of
/// median norm and at the one of largest norm, where the paper leaves the start to chance.
#[derive(Debug, Clone, Copy)]
pub struct Cetr {
    /// Name in the list of methods.
    pub name: &'static str,
    /// How content lines are told from others.
    pub model: CetrModel,
    /// σ of the Gaussian, in lines.
    pub sigma: f64,
    /// λ of the threshold.
    pub lambda: f64,
    /// Whether G is scaled to the norm of T'.
    pub rescale: bool,
    /// Fewest lines of a source that is taken as it is.
    pub min_lines: usize,
    /// Characters after which a line is wrapped, 0 for never.
    pub wrap: usize,
    /// Whether lines end around block tags as well.
    pub pretty: bool,
    /// Whether blank lines count.
    pub blank: bool,
}

impl Cetr {
    /// Two dimensions: the method's main form.
    pub const TWO_D: Cetr = Cetr {
        name: "cetr",
        model: CetrModel::TwoD,
        sigma: 1.0,
        lambda: 1.0,
        rescale: false,
        min_lines: 20,
        wrap: 0,
        pretty: false,
        blank: false,
    };
    /// Clusters of the ratio alone.
    pub const K_MEANS: Cetr = Cetr { name: "cetr-km", model: CetrModel::OneD, ..Cetr::TWO_D };
    /// A threshold on the ratio.
    pub const THRESHOLD: Cetr = Cetr { name: "cetr-tm", model: CetrModel::Threshold, ..Cetr::TWO_D };
}

/// Neighbours on each side that the Gaussian reaches.
const RADIUS: usize = 3;
/// Lines ahead whose mean ratio a line is compared with (α).
const AHEAD: usize = 3;

impl MainTextExtractor for Cetr {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: self.name,
            paper: "Weninger, Hsu & Han, CETR, 2010",
            cost: match self.model {
                CetrModel::Threshold => "O(source)",
                CetrModel::TwoD | CetrModel::OneD => "O(source + lines · iterations)",
            },
        }
    }

    parameters! {
        "model" model, "`2d` and `1d`: k-means with a centre pinned at the origin; `threshold`";
        "sigma" sigma in 0.0..=200.0, "σ of the Gaussian over lines, cut at three";
        "lambda" lambda in 0.0..=100.0, "λ: standard deviations of the threshold";
        "rescale" rescale, "whether the second axis is scaled to the norm of the first";
        "min_lines" min_lines in 0..=1_000_000, "a source with fewer lines is broken after every tag";
        "wrap" wrap in 0..=1_000_000, "characters after which a line ends at the next white space; 0: never";
        "pretty" pretty, "whether lines end around block tags, as a pretty-printer writes them";
        "blank" blank, "whether blank lines count";
    }

    fn select(&self, page: &Page<'_>, _query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let rules = LineRules { min_lines: self.min_lines, wrap: self.wrap, pretty: self.pretty, blank: self.blank };
        let lines = SourceLines::new(page, rules);
        let ratios: Vec<f64> =
            lines.lines.iter().map(|line| f64::from(line.chars) / f64::from(line.tags.max(1))).collect();
        trace.note("tr", || TraceValue::Series(ratios.clone()));
        let content = self.content(&ratios, trace);
        trace.note("content", || TraceValue::Series(content.iter().map(|&c| f64::from(u8::from(c))).collect()));
        let mut selection = Selection::none(page);
        for (line, _) in content.iter().enumerate().filter(|(_, content)| **content) {
            for piece in lines.pieces_of(line) {
                selection.keep_part(page, piece.leaf as usize, piece.start, piece.end);
            }
        }
        selection
    }
}

impl Cetr {
    /// Which lines are content.
    fn content(&self, ratios: &[f64], trace: &mut Trace) -> Vec<bool> {
        let smoothed = smooth(ratios, self.sigma, RADIUS);
        trace.note("t'", || TraceValue::Series(smoothed.clone()));
        let points: Vec<Point> = match self.model {
            CetrModel::Threshold => {
                let threshold = self.lambda * deviation(&smoothed);
                trace.note("threshold", || TraceValue::Number(threshold));
                return smoothed.iter().map(|&ratio| ratio >= threshold).collect();
            }
            CetrModel::OneD => smoothed.iter().map(|&ratio| [ratio, 0.0]).collect(),
            CetrModel::TwoD => {
                let differences = differences(&smoothed);
                trace.note("g", || TraceValue::Series(differences.clone()));
                let differences = smooth(&differences, self.sigma, RADIUS);
                trace.note("g'", || TraceValue::Series(differences.clone()));
                let scale = if self.rescale { scale(&smoothed, &differences) } else { 1.0 };
                trace.note("scale", || TraceValue::Number(scale));
                smoothed.iter().zip(&differences).map(|(&ratio, &difference)| [ratio, difference * scale]).collect()
            }
        };
        let clusters = pinned_clusters(&points);
        trace.note("centres", || TraceValue::Series(clusters.centres.concat()));
        trace.note("iterations", || TraceValue::Number(clusters.iterations as f64));
        clusters.of_point.iter().map(|&cluster| cluster != 0).collect()
    }
}

/// `|mean of the next three − value|`, with as many as there are; 0 for the last.
fn differences(values: &[f64]) -> Vec<f64> {
    let difference = |at: usize| {
        let ahead = &values[at + 1..values.len().min(at + 1 + AHEAD)];
        if ahead.is_empty() { 0.0 } else { (ahead.iter().sum::<f64>() / ahead.len() as f64 - values[at]).abs() }
    };
    (0..values.len()).map(difference).collect()
}

/// Norm of the first series over norm of the second, 1 if that is zero.
fn scale(first: &[f64], second: &[f64]) -> f64 {
    let norm = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>().sqrt();
    let norm_of_second = norm(second);
    if norm_of_second == 0.0 { 1.0 } else { norm(first) / norm_of_second }
}

/// Standard deviation; 0 for no values.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::testing;

    const RATIOS: [f64; 8] = [0.0, 2.0, 2.0, 45.0, 120.0, 20.0, 2.5, 0.0];

    fn close(values: &[f64], expected: &[f64]) {
        assert_eq!(values.len(), expected.len());
        for (value, expected) in values.iter().zip(expected) {
            assert!((value - expected).abs() < 0.006, "{values:?} {expected:?}");
        }
    }

    #[test]
    fn the_worked_example_is_smoothed_and_compared_with_what_follows() {
        let smoothed = smooth(&RATIOS, 1.0, RADIUS);
        close(&smoothed, &[0.79, 4.24, 18.74, 48.68, 63.87, 40.07, 12.52, 2.22]);
        close(&differences(&smoothed), &[23.10, 39.52, 32.13, 9.87, 45.60, 32.70, 10.30, 0.0]);
    }

    #[test]
    fn characters_over_tags_of_each_line_are_the_worked_example() {
        let line = |chars: usize, tags: usize| format!("{}{}\n", "x".repeat(chars), "<br>".repeat(tags));
        let lines = [(0, 1), (4, 2), (6, 3), (90, 2), (120, 1), (60, 3), (5, 2), (0, 1)];
        let html: String = lines.iter().map(|&(chars, tags)| line(chars, tags)).collect();
        let cetr = Cetr { min_lines: 0, ..Cetr::TWO_D };
        let (kept, trace) = testing::run(&cetr, &format!("<body>{html}"));
        assert_eq!(trace.get("tr"), Some(&TraceValue::Series(RATIOS.to_vec())));
        assert!(kept.contains(&"x".repeat(120)), "{kept}");
    }

    fn news() -> String {
        let menu = "<li><a href=x>Menu</a></li>\n".repeat(15);
        let paragraph =
            |n: usize| format!("<p>A long paragraph{} with hardly a tag in it.</p>\n", ", with many words".repeat(n));
        let story: String = [1, 2, 8, 2, 9, 3, 8, 1, 9, 2].into_iter().map(paragraph).collect();
        format!("<body><ul>\n{menu}</ul>\n<div>\n{story}</div>\n<ul>\n{menu}</ul>")
    }

    #[test]
    fn all_three_models_keep_the_story_and_not_the_menu() {
        for cetr in [Cetr::TWO_D, Cetr::K_MEANS, Cetr::THRESHOLD] {
            let (kept, _) = testing::run(&cetr, &news());
            assert_eq!(kept.matches("A long paragraph").count(), 10, "{}", cetr.name);
            assert!(kept.matches("Menu").count() <= 4, "{}: {kept}", cetr.name);
        }
    }

    #[test]
    fn parts_of_one_text_node_are_kept_by_line() {
        let short = "x\n".repeat(30);
        let line = |n: usize| format!("many words{}\n", " on one line of the preformatted text".repeat(n));
        let long: String = [1, 2, 5, 1, 6, 2, 5, 1, 6, 1, 5, 2].into_iter().map(line).collect();
        let (kept, _) = testing::run(&Cetr::K_MEANS, &format!("<body><pre>\n{short}{long}{short}</pre>"));
        assert_eq!(kept.matches("many words").count(), 12);
        assert!(kept.split(' ').filter(|&word| word == "x").count() <= 12, "{kept}");
    }

    #[test]
    fn a_page_without_text_keeps_nothing_and_has_finite_numbers() {
        for html in ["", "<body><p></p>", "<body>\n\n\n"] {
            for cetr in [Cetr::TWO_D, Cetr { rescale: true, ..Cetr::TWO_D }, Cetr::K_MEANS, Cetr::THRESHOLD] {
                let (kept, trace) = testing::run(&cetr, html);
                assert_eq!(kept, "");
                for (name, value) in trace.values() {
                    if let TraceValue::Series(values) = value {
                        assert!(values.iter().all(|value| value.is_finite()), "{name}");
                    }
                }
            }
        }
    }
}
