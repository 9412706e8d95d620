//! The tables of `docs/page-kind.md`: types, kinds, calibration, and who decides best what is a product.

use std::collections::BTreeMap;

use gristmill_extract::{FeatureView, OutOfFoldPredictions, PageKind, PageType, PageTypes, TypedPage};
use gristmill_reading::{HOPELESS, product_probability};

use super::pages::KindReportPage;

/// A page with what was predicted for it.
struct Case<'p> {
    asked: &'p KindReportPage,
    label: Option<PageType>,
    types: [PageTypes; 4],
}

impl Case<'_> {
    fn is(&self, kind: PageKind) -> bool {
        self.label.map(PageKind::from) == Some(kind)
    }

    fn model(&self, view: FeatureView) -> f32 {
        self.types[view as usize].kinds()[PageKind::Product as usize]
    }

    /// The four kinds by the model and the records.
    fn decided(&self) -> (PageKind, f32) {
        let mut kinds = self.types[0].kinds();
        let model = kinds[PageKind::Product as usize];
        if model >= HOPELESS {
            let product = product_probability(model, self.asked.by_records, self.asked.is_offered);
            kinds.iter_mut().for_each(|p| *p *= (1.0 - product) / (1.0 - model).max(1e-6));
            kinds[PageKind::Product as usize] = product;
        }
        let best = (1..4).fold(0, |best, at| if kinds[at] > kinds[best] { at } else { best });
        (PageKind::ALL[best], kinds[best])
    }
}

/// Prints all tables; returns a line for the card of the model.
pub fn print(asked: &[KindReportPage], typed: &[TypedPage], predicted: &OutOfFoldPredictions, errors: bool) -> String {
    let cases: Vec<Case<'_>> = asked
        .iter()
        .zip(typed)
        .enumerate()
        .map(|(n, (asked, page))| Case {
            asked,
            label: page.label,
            types: FeatureView::ALL.map(|view| predicted.types(n, view)),
        })
        .collect();
    let n_trained = typed.iter().filter(|page| page.trains && page.label.is_some()).count();
    println!(
        "{} pages, {n_trained} of them train; every page judged by a model without its site; sharpness {}.\n",
        cases.len(),
        predicted.sharpness
    );
    let summary = views(&cases);
    types(&cases);
    kinds(&cases);
    packages(&cases);
    deciders(&cases);
    combination(&cases);
    calibration(&cases, "the model's kind", |case| case.types[0].kind());
    calibration(&cases, "the kind as decided", |case| case.decided());
    if errors {
        list(&cases);
    }
    summary
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// What is lost without address and scripts.
fn views(cases: &[Case<'_>]) -> String {
    println!(
        "| seen | right type | right kind | false products on articles | missed products |\n|---|---:|---:|---:|---:|"
    );
    let labelled: Vec<&Case<'_>> = cases.iter().filter(|case| case.label.is_some()).collect();
    let mut summary = String::new();
    for (view, name) in FeatureView::ALL.into_iter().zip(["everything", "no address", "no scripts", "neither"]) {
        let types = |case: &Case<'_>| case.types[view as usize];
        let right = labelled.iter().filter(|case| Some(types(case).best().0) == case.label).count();
        let kind = labelled.iter().filter(|case| case.is(types(case).kind().0)).count();
        let count = |is: PageKind, product: bool| {
            labelled.iter().filter(|case| case.is(is) && (types(case).kind().0 == PageKind::Product) == product).count()
        };
        let of = |kind: PageKind| labelled.iter().filter(|case| case.is(kind)).count();
        let (articles, products) = (of(PageKind::Article), of(PageKind::Product));
        let line = format!(
            "| {name} | {} | {} | {} of {articles} | {} of {products} |",
            percent(right, labelled.len()),
            percent(kind, labelled.len()),
            count(PageKind::Article, true),
            count(PageKind::Product, false)
        );
        println!("{line}");
        if view == FeatureView::Whole {
            summary = format!(
                "On sites outside of the training: right type {}, right kind {} of {} pages; {} of {articles} articles taken for products.",
                percent(right, labelled.len()),
                percent(kind, labelled.len()),
                labelled.len(),
                count(PageKind::Article, true)
            );
        }
    }
    println!();
    summary
}

fn types(cases: &[Case<'_>]) {
    println!("Types on `wcxb-dev`, rows are what the page is:\n");
    let names: Vec<&str> = PageType::ALL.iter().map(|page_type| page_type.as_str()).collect();
    println!("| | {} | recall |\n|---|{}---:|", names.join(" | "), "---:|".repeat(names.len()));
    for label in PageType::ALL {
        let mut counts = [0; 7];
        let of_label = cases.iter().filter(|case| case.asked.package == "wcxb-dev" && case.label == Some(label));
        of_label.for_each(|case| counts[case.types[0].best().0 as usize] += 1);
        row(label.as_str(), &counts, counts[label as usize]);
    }
    println!();
}

fn row(name: &str, counts: &[usize], right: usize) {
    let cells: Vec<String> = counts.iter().map(usize::to_string).collect();
    println!("| {name} | {} | {} |", cells.join(" | "), percent(right, counts.iter().sum()));
}

fn kinds(cases: &[Case<'_>]) {
    println!(
        "Kinds as decided on all pages with a type:\n\n| | article | product | listing | other | recall |\n|---|---:|---:|---:|---:|---:|"
    );
    for kind in PageKind::ALL {
        let mut counts = [0; 4];
        cases.iter().filter(|case| case.is(kind)).for_each(|case| counts[case.decided().0 as usize] += 1);
        row(kind.as_str(), &counts, counts[kind as usize]);
    }
    println!();
}

fn packages(cases: &[Case<'_>]) {
    println!(
        "Kinds as decided, by package and language:\n\n| package: type (pages) | article | product | listing | other |\n|---|---:|---:|---:|---:|"
    );
    let mut rows: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for case in cases {
        let asked = case.asked;
        let chinese = if asked.language.starts_with("zh") { ", Chinese" } else { "" };
        let name = format!("{}: {}{chinese}", asked.package, asked.page_type);
        rows.entry(name).or_default()[case.decided().0 as usize] += 1;
    }
    for (name, counts) in rows {
        let cells: Vec<String> = counts.iter().map(usize::to_string).collect();
        println!("| {name} ({}) | {} |", counts.iter().sum::<usize>(), cells.join(" | "));
    }
    println!();
}

fn deciders(cases: &[Case<'_>]) {
    println!(
        "Who decides what is a product:\n\n| decider | false on articles | false on listings | false on others | missed products |\n|---|---:|---:|---:|---:|"
    );
    type Decider<'d> = (&'d str, &'d dyn Fn(&Case<'_>) -> bool);
    let deciders: [Decider<'_>; 9] = [
        ("model, the likeliest kind", &|case| case.types[0].kind().0 == PageKind::Product),
        ("model ≥ .3", &|case| case.model(FeatureView::Whole) >= 0.3),
        ("model ≥ .1", &|case| case.model(FeatureView::Whole) >= 0.1),
        ("model without scripts and address, likeliest", &|case| case.types[3].kind().0 == PageKind::Product),
        ("records", &|case| case.asked.by_records >= 0.5),
        ("records and model ≥ .02", &|case| case.asked.by_records >= 0.5 && case.model(FeatureView::Whole) >= 0.02),
        ("records and model ≥ .1", &|case| case.asked.by_records >= 0.5 && case.model(FeatureView::Whole) >= 0.1),
        ("model likeliest, or records and model ≥ .1", &|case| {
            case.types[0].kind().0 == PageKind::Product
                || case.asked.by_records >= 0.5 && case.model(FeatureView::Whole) >= 0.1
        }),
        ("both, log odds added (as shipped)", &|case| case.decided().0 == PageKind::Product),
    ];
    for (name, decides) in deciders {
        let cell = |kind: PageKind, decision: bool| {
            let of: Vec<&Case<'_>> = cases.iter().filter(|case| case.is(kind)).collect();
            let n = of.iter().filter(|case| decides(case) == decision).count();
            format!("{n} ({})", percent(n, of.len()))
        };
        println!(
            "| {name} | {} | {} | {} | {} |",
            cell(PageKind::Article, true),
            cell(PageKind::Listing, true),
            cell(PageKind::Other, true),
            cell(PageKind::Product, false)
        );
    }
    println!();
}

/// The weights that the shipped decision should have: logistic regression on log odds and records, all views.
fn combination(cases: &[Case<'_>]) {
    let mut rows: Vec<([f64; 3], f64)> = Vec::new();
    for case in cases.iter().filter(|case| case.label.is_some()) {
        let p = f64::from(case.model(FeatureView::Whole)).clamp(1e-6, 1.0 - 1e-6);
        if p >= f64::from(HOPELESS) {
            rows.push((
                [(p / (1.0 - p)).ln(), f64::from(case.asked.by_records), 1.0],
                f64::from(u8::from(case.is(PageKind::Product))),
            ));
        }
    }
    let mut weights = [1.0, 0.0, 0.0];
    for _ in 0..20_000 {
        let mut slope = [0.0; 3];
        for (values, label) in &rows {
            let odds: f64 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
            let error = 1.0 / (1.0 + (-odds).exp()) - label;
            slope.iter_mut().zip(values).for_each(|(slope, value)| *slope += error * value / rows.len() as f64);
        }
        weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight -= 0.3 * slope);
    }
    println!(
        "Fitted on {} pages with at least {HOPELESS} of a product: log odds × {:.2}, records × {:.2}, {:+.2}.\n",
        rows.len(),
        weights[0],
        weights[1],
        weights[2]
    );
}

fn calibration(cases: &[Case<'_>], what: &str, decide: impl Fn(&Case<'_>) -> (PageKind, f32)) {
    println!("Calibration of {what}:\n\n| probability | pages | mean | right |\n|---|---:|---:|---:|");
    let mut bins = [(0usize, 0.0f64, 0usize); 10];
    for case in cases.iter().filter(|case| case.label.is_some()) {
        let (kind, p) = decide(case);
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        *bin = (bin.0 + 1, bin.1 + f64::from(p), bin.2 + usize::from(case.is(kind)));
    }
    for (n, (count, sum, right)) in bins.into_iter().enumerate().filter(|(_, bin)| bin.0 > 0) {
        let low = n as f64 / 10.0;
        println!(
            "| {low:.1}–{:.1} | {count} | {:.3} | {:.3} |",
            low + 0.1,
            sum / count as f64,
            right as f64 / count as f64
        );
    }
    println!();
}

fn list(cases: &[Case<'_>]) {
    for case in cases.iter().filter(|case| case.label.is_some_and(|label| PageKind::from(label) != case.decided().0)) {
        let (kind, p) = case.decided();
        let (asked, model) = (case.asked, case.model(FeatureView::Whole));
        println!(
            "{}/{}: {} taken for {} ({p:.2}); product by model {model:.2}, by records {:.2}",
            asked.package,
            asked.id,
            asked.page_type,
            kind.as_str(),
            asked.by_records
        );
    }
}
