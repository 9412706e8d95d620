//! How well selected areas match: precision and recall over covered area.

use gristmill_html::NodeId;
use gristmill_page::layout::{PageLayout, Rect, overlap_area, union_area};

/// Precision, recall and their harmonic mean, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaScore {
    /// Shared area over predicted area; 0 when nothing was predicted.
    pub precision: f64,
    /// Shared area over gold area; 0 when there is no gold.
    pub recall: f64,
    /// 2PR / (P + R), 0 when both are 0.
    pub f1: f64,
}

/// Compares the boxes of predicted and gold nodes of one page. O(k log k).
///
/// Source: Wu, Liu & Fan 2015, §7.1, Fig. 10: areas of unions, so a node below another one counts once.
pub fn area_score(layout: &PageLayout, predicted: &[NodeId], gold: &[NodeId]) -> AreaScore {
    let rects = |nodes: &[NodeId]| nodes.iter().map(|&id| layout.rect(id)).collect::<Vec<Rect>>();
    of_rects(&rects(predicted), &rects(gold))
}

fn of_rects(predicted: &[Rect], gold: &[Rect]) -> AreaScore {
    let shared = overlap_area(predicted, gold);
    let share = |of: f64| if of > 0.0 { (shared / of).min(1.0) } else { 0.0 };
    let (precision, recall) = (share(union_area(predicted)), share(union_area(gold)));
    let sum = precision + recall;
    AreaScore { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, LocalName, TreeLimits};

    use super::*;
    use gristmill_page::Page;

    #[test]
    fn half_of_the_prediction_and_a_quarter_of_the_gold_overlap() {
        let score = of_rects(&[Rect::at(0., 0., 10., 10.)], &[Rect::at(5., 0., 20., 10.), Rect::at(5., 0., 5., 5.)]);
        assert_eq!((score.precision, score.recall), (0.5, 0.25));
        assert!((score.f1 - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn an_empty_prediction_scores_nothing() {
        let none = AreaScore { precision: 0.0, recall: 0.0, f1: 0.0 };
        assert_eq!(of_rects(&[], &[Rect::at(0., 0., 1., 1.)]), none);
        assert_eq!(of_rects(&[], &[]), none);
    }

    #[test]
    fn nodes_are_compared_by_their_boxes() {
        let doc = Doc::parse("<div><p>one</p><p>two</p></div><p>three</p>", &TreeLimits::default());
        let layout = PageLayout::pseudo(&Page::new(&doc));
        let p: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::P).collect();
        let div = doc.first(LocalName::DIV).unwrap();
        let score = area_score(&layout, &[div, p[0]], &p[1..]);
        assert_eq!((score.precision, score.recall), (0.5, 0.5));
    }
}
