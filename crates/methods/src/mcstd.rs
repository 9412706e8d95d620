//! MCSTD: the run of rows that is denser than the page by the largest sum.

use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue,
    dense::{densest, densities},
    parameters,
};

/// Maximum continuous sum of text density.
///
/// Density of a row: (characters − link characters) / (tags + 1); the run of rows that maximises Σ(density − mean)
/// by Kadane's scan is the main text. All rows equal → nothing. O(rows).
///
/// Source: Sun K. et al. 2016. Ours: tags are those opened since the row before, so that every tag of the page counts
/// for one row.
#[derive(Debug, Clone, Copy)]
pub struct Mcstd;

impl MainTextExtractor for Mcstd {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "mcstd",
            paper: "Sun K. et al., Maximum Continuous Sum of Text Density, 2016",
            cost: "O(rows)",
        }
    }

    parameters! {}

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let density = densities(page);
        let (run, sum) = densest(&density);
        let mut selection = Selection::none(page);
        page.rows[run.clone()].iter().for_each(|row| selection.keep_row(row));
        trace.note("mean", || TraceValue::Number(density.iter().sum::<f64>() / density.len().max(1) as f64));
        trace.note("start", || TraceValue::Number(run.start as f64));
        trace.note("end", || TraceValue::Number(run.end as f64));
        trace.note("sum", || TraceValue::Number(sum));
        trace.note("density", || TraceValue::Series(density));
        selection
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn the_worked_example_of_mcstd_finds_rows_three_and_four() {
        let rows = [(10, 10, 2), (20, 18, 3), (120, 0, 1), (80, 5, 2), (30, 30, 4), (15, 15, 2)];
        let density: Vec<f64> =
            rows.iter().map(|&(len, link, tags)| f64::from(len - link) / f64::from(tags + 1)).collect();
        assert_eq!(density, [0.0, 0.5, 60.0, 25.0, 0.0, 0.0]);
        assert_eq!(densest(&density), (2..4, 56.5));
    }

    #[test]
    fn no_rows_and_equal_rows_have_no_run() {
        assert_eq!(densest(&[]), (0..0, 0.0));
        assert_eq!(densest(&[3.0, 3.0]), (0..0, 0.0));
    }

    #[test]
    fn the_page_keeps_its_dense_rows_and_the_trace_says_which() {
        let html = "<ul><li><a href=x>Home</a><li><a href=x>News</a></ul><p>A long row of text.<p>And another one.
            <ul><li><a href=x>Imprint</a></ul>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let mut trace = Trace::recording();
        let selection = Mcstd.select(&page, &MethodInput::default(), &mut trace);
        assert_eq!((0..5).map(|leaf| selection.keeps(leaf)).collect::<Vec<_>>(), [false, false, true, true, false]);
        assert_eq!(trace.get("start"), Some(&TraceValue::Number(2.0)));
        assert_eq!(trace.get("density"), Some(&TraceValue::Series(vec![0.0, 0.0, 7.5, 7.0, 0.0])));
    }
}
