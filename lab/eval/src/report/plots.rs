//! Precision against recall, and quality against time.

use std::fmt::Write as _;

use super::Report;
use super::scatter::{PlotAxis, Point, scatter};
use crate::measures::Measure;
use crate::stats::Distribution;
use crate::summary::{PageGroup, SystemScore};

/// A figure of a system on a group of pages.
type Value<'v> = &'v dyn Fn(&SystemScore) -> Option<f64>;

impl Report<'_> {
    pub(super) fn plots(&self, out: &mut String) {
        let recall = |cell: &SystemScore| Some(cell.get(Measure::Wcxb).recall?.mean);
        let precision = |cell: &SystemScore| Some(cell.get(Measure::Wcxb).precision?.mean);
        let quality = self.points(&recall, &precision);
        // CPU time where it is known: it does not count waiting. Milliseconds, for short labels.
        let time = |cell: &SystemScore| Some(cell.cpu_seconds.or(cell.seconds_a_page)?.mean * 1e3);
        let cost = self.points(&time, &SystemScore::word_f1);
        if quality.is_empty() {
            return;
        }
        out.push_str("<h2>Precision, recall and time</h2>\n<p class=\"quiet\">Means of packages, by word.");
        if quality.iter().any(|point| point.own) && quality.iter().any(|point| !point.own) {
            out.push_str("<span class=\"key own\"></span>in process<span class=\"key other\"></span>other programs");
        }
        out.push_str("</p>\n<div class=\"figures\">\n");
        let x = PlotAxis::share("recall", quality.iter().map(|point| point.x));
        let y = PlotAxis::share("precision", quality.iter().map(|point| point.y));
        figure(out, &scatter(&quality, &x, &y, true), "Precision against recall; dotted: equal F1 of the means.");
        if !cost.is_empty() {
            let x = PlotAxis::log("milliseconds a page", cost.iter().map(|point| point.x));
            let y = PlotAxis::share("word F1", cost.iter().map(|point| point.y));
            let caption = "Quality against time for a page with its parse, CPU where known, else wall; logarithmic.";
            figure(out, &scatter(&cost, &x, &y, false), caption);
        }
        out.push_str("</div>\n");
    }

    /// Means over the packages with full gold texts; a system without one of the two figures has no point.
    fn points(&self, x: Value<'_>, y: Value<'_>) -> Vec<Point> {
        let groups: Vec<&PageGroup> = self.summary.packages().filter(|group| group.has_f1()).collect();
        let mean = |system: usize, value: Value<'_>| {
            let values: Vec<f64> = groups.iter().filter_map(|group| value(&group.cells[system])).collect();
            Distribution::of(&values).map(|spread| spread.mean)
        };
        let point = |&system: &usize| {
            let own = groups.iter().any(|group| group.cells[system].own_cpu_seconds.is_some());
            Some(Point { x: mean(system, x)?, y: mean(system, y)?, label: self.run.systems[system].clone(), own })
        };
        self.order.iter().filter_map(point).collect()
    }
}

fn figure(out: &mut String, plot: &str, caption: &str) {
    let _ = writeln!(out, "<figure>{plot}<figcaption>{caption}</figcaption></figure>");
}
