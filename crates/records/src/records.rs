//! The records of a page: candidates, decision, structured markup, put together with provenance.

use std::collections::HashMap;
use std::str::FromStr;

use gristmill_page::Page;

use crate::accept;
use crate::candidate::{Candidate, PairLayout};
use crate::cnbe;
use crate::dictionary::Dictionary;
use crate::features::{N_FEATURES, PageFeatureBlock};
use crate::heading::heading;
use crate::hmm::{HmmOptions, RecordArea, StopRule, areas};
use crate::invisible;
use crate::labelled;
use crate::model::AcceptModel;
use crate::packaging;
use crate::pair::{Pair, PairProvenance, PairSource};
use crate::price;
use crate::product::{Product, products};
use crate::product_tables;
use crate::readers;
use crate::second_stage::SECOND;
use crate::state::state;
use crate::structured::{DeclaredProduct, StructuredSource, structured};
use crate::variants::Variants;
use crate::view::{ByteRange, RecordView};

/// How pairs are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PairMethod {
    /// The paper's system with the boundary stop rule: the located areas, and the readers inside of them.
    Hmm,
    /// The same with the stop rule as printed.
    HmmLiteral,
    /// The paper's baseline: naive Bayes on names and values, co-trained.
    Cnbe,
    /// Readers over the whole page, the HMM's areas among the features of a trained model, markup merged.
    #[default]
    Records,
}

impl PairMethod {
    /// All methods.
    pub const ALL: [PairMethod; 4] = [PairMethod::HmmLiteral, PairMethod::Hmm, PairMethod::Cnbe, PairMethod::Records];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            PairMethod::Hmm => "hmm",
            PairMethod::HmmLiteral => "hmm-literal",
            PairMethod::Cnbe => "cnbe",
            PairMethod::Records => "records",
        }
    }
}

/// A method's name was not known.
#[derive(Debug, thiserror::Error)]
#[error("unknown method `{name}`; there are hmm-literal, hmm, cnbe, records")]
pub struct UnknownMethod {
    /// What was asked for.
    pub name: String,
}

impl FromStr for PairMethod {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<PairMethod, UnknownMethod> {
        PairMethod::ALL
            .into_iter()
            .find(|method| method.as_str() == name)
            .ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// What a caller may choose.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    /// Default: [`PairMethod::Records`].
    pub method: PairMethod,
    /// Attribute names. Default: the compiled-in ones.
    pub dictionary: Dictionary,
    /// Least probability of a pair that is kept by `records` on a page whose pairs are certain; it falls to a third where nothing is.
    /// Higher trades recall for precision. Default: 0.6.
    pub threshold: f32,
    /// Most pairs of one page. Default: 1 000.
    pub max_pairs: usize,
    /// Whether what the page declares is read (JSON-LD, microdata, RDFa, OpenGraph, the state of its scripts). Default: yes; a test
    /// of what can be seen sets it to no.
    pub declared: bool,
    /// What `hmm` and `hmm-literal` look for and where they stop. Default: as in the paper.
    pub hmm: HmmOptions,
}

impl Default for RecordOptions {
    fn default() -> Self {
        RecordOptions {
            method: PairMethod::default(),
            dictionary: Dictionary::built_in(),
            threshold: THRESHOLD,
            max_pairs: 1_000,
            declared: true,
            hmm: HmmOptions::default(),
        }
    }
}

/// Chosen on the cross-validated predictions, see `docs/records.md`.
pub const THRESHOLD: f32 = 0.6;

/// How the pairs were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordTrace {
    /// The areas that the HMM located, the best first.
    pub areas: Vec<RecordArea>,
    /// How many candidates the readers gave.
    pub n_candidates: usize,
}

/// What one page holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProductRecords {
    /// The products; empty on a page that shows none.
    pub products: Vec<Product>,
    /// All pairs in page order, but for those of columns of a table: they come last, record by record.
    pub pairs: Vec<Pair>,
    /// How they were found.
    pub trace: RecordTrace,
    /// What was cut off or passed over, and why nothing was found.
    pub warnings: Vec<String>,
}

/// Finds the records of a page. `url` serves only to guess the currency from the top-level domain.
///
/// Never fails; bounded by the candidates (6 000 a page), the markup (4 MB a script) and `max_pairs`.
/// Costs some four times the parse of a shop's page (`cargo bench -p gristmill-records`).
pub fn records(page: &Page<'_>, url: Option<&str>, options: &RecordOptions) -> ProductRecords {
    records_by(page, url, options, AcceptModel::shipped())
}

/// As [`records`], by any accept model.
pub(crate) fn records_by(
    page: &Page<'_>,
    url: Option<&str>,
    options: &RecordOptions,
    model: &AcceptModel,
) -> ProductRecords {
    let view = RecordView::new(page);
    let found = match options.method {
        PairMethod::Records => readers::read_cut(&view, &options.dictionary),
        _ => readers::read(&view, &options.dictionary),
    };
    let mut out = ProductRecords::default();
    out.trace.n_candidates = found.candidates.len();
    if found.hit_limit {
        out.warnings.push(format!("more than {} candidate pairs; the rest of the page was not read", found.limit));
    }
    let mut markup = if options.declared { structured(page, url) } else { DeclaredProduct::default() };
    out.warnings.extend(markup.warnings.iter().cloned());
    let mut chosen = match options.method {
        PairMethod::Records => by_model(&view, &found.candidates, &markup, options, model, &mut out.trace),
        PairMethod::Hmm => {
            by_area(&view, &found.candidates, StopRule::Boundary(options.hmm.rho), options, &mut out.trace)
        }
        PairMethod::HmmLiteral => by_area(&view, &found.candidates, StopRule::Literal, options, &mut out.trace),
        PairMethod::Cnbe => cnbe::choose(&view, &found.candidates, &options.dictionary),
    };
    let is_model = options.method == PairMethod::Records;
    let variants =
        if is_model { Variants::read(&view, &options.dictionary, options.max_pairs) } else { Variants::default() };
    // `Special Price $1,149.00` beside `Regular Price $1,399.00` is no attribute.
    let is_price = |name: ByteRange| is_model && price::has_price(view.slice(name));
    chosen.retain(|&(n, _)| !variants.hold(found.candidates[n].element) && !is_price(found.candidates[n].name));
    collect(&view, &found.candidates, chosen, options, &mut out);
    variants.add_to(&mut out.pairs);
    cut(options, &mut out);
    packaging::set_apart(&view, &mut out.pairs);
    if out.pairs.is_empty() && is_model {
        out.pairs = labelled::pairs(&view, &options.dictionary);
        cut(options, &mut out);
    }
    if out.pairs.is_empty() && is_model && options.declared {
        by_state(&view, url, &mut markup, options, &mut out);
    }
    if out.pairs.is_empty() {
        out.warnings.push(why_empty(&view, out.trace.n_candidates).to_owned());
    }
    products(&view, url, markup, is_model, &mut out);
    out
}

/// How sure a pair of the page's state is.
const STATE: f32 = 0.9;

/// What the state of the page says of its product, where the page itself shows no attribute.
fn by_state(
    view: &RecordView,
    url: Option<&str>,
    markup: &mut DeclaredProduct,
    options: &RecordOptions,
    out: &mut ProductRecords,
) {
    let heading = heading(view).map(|id| view.slice(view.span_of(id.index())).to_owned());
    let titles = [heading, view.doc.title(), view.doc.meta("og:title").map(str::to_owned)];
    let titles: Vec<String> = titles.into_iter().flatten().collect();
    let Some(state) = state(view.doc, &titles, price::usual_currency(view.doc, url)) else { return };
    for pair in state.pairs.iter().take(options.max_pairs) {
        let provenance = PairProvenance { source: PairSource::State, path: pair.path.clone(), row: None };
        let (name, value) = (pair.name.clone(), pair.value.clone());
        out.pairs.push(Pair::of(&options.dictionary, name, value, provenance, STATE));
    }
    state.merge(markup);
}

fn why_empty(view: &RecordView, n_candidates: usize) -> &'static str {
    match (view.leaves.len(), n_candidates) {
        (0, _) => "the page has no text",
        (_, 0) => "no name stands beside a value on this page",
        _ => "no candidate pair was taken for an attribute of a product",
    }
}

/// Log odds (0.1 %) from which the remaining trees are not asked: most candidates of a page come to nothing.
pub(crate) const HOPELESS: f32 = -7.0;

/// A chosen candidate and its probability.
pub(crate) type Chosen = (usize, f32);

fn by_model(
    view: &RecordView,
    candidates: &[Candidate],
    markup: &DeclaredProduct,
    options: &RecordOptions,
    model: &AcceptModel,
    trace: &mut RecordTrace,
) -> Vec<Chosen> {
    let mut page = PageFeatureBlock::new(view, candidates, &options.dictionary, markup);
    let mut probabilities = looks(&mut page, candidates, model);
    let tables = product_tables::product_tables(view, candidates, &options.dictionary);
    for (candidate, probability) in candidates.iter().zip(&mut probabilities) {
        if candidate.layout == PairLayout::Records && tables.contains(&candidate.container) {
            *probability = probability.max(product_tables::PROBABILITY);
        }
    }
    complete_groups(candidates, &mut probabilities, options.threshold);
    let ranks = accept::ranks(candidates.iter().map(|one| one.layout), &probabilities);
    let kept = accept::choose(&spans(candidates), &probabilities, &ranks, options.threshold);
    trace.areas = page.into_areas();
    let plainest = plainest(candidates);
    kept.into_iter().map(|n| (plainest[&(candidates[n].name.start, candidates[n].value)], probabilities[n])).collect()
}

/// Takes what stands between the rows of a list that are certain, where these are at least half: it is one of them.
fn complete_groups(candidates: &[Candidate], probabilities: &mut [f32], threshold: f32) {
    const LEAST_CERTAIN: usize = 3;
    const LEAST: f32 = 0.15;
    let mut groups: HashMap<(u32, PairLayout), Vec<usize>> = HashMap::new();
    for (n, candidate) in candidates.iter().enumerate() {
        groups.entry((candidate.container, candidate.layout)).or_default().push(n);
    }
    for group in groups.into_values() {
        let certain = group.iter().filter(|&&n| probabilities[n] >= threshold).map(|&n| candidates[n].name.start);
        let (n_certain, first, last) =
            certain.fold((0, u32::MAX, 0), |(n, first, last), at| (n + 1, first.min(at), last.max(at)));
        let between = group.iter().filter(|&&n| (first..=last).contains(&candidates[n].name.start));
        let n_between = between.clone().count();
        if n_certain >= LEAST_CERTAIN && 2 * n_certain >= n_between {
            let likely = between.copied().filter(|&n| probabilities[n] >= LEAST).collect::<Vec<_>>();
            likely.into_iter().for_each(|n| probabilities[n] = probabilities[n].max(threshold));
        }
    }
}

/// What the model thinks of each candidate: the first look, and the second where the first found something near.
fn looks(page: &mut PageFeatureBlock, candidates: &[Candidate], model: &AcceptModel) -> Vec<f32> {
    let width = N_FEATURES + SECOND.len();
    let mut numbers = Vec::with_capacity(candidates.len() * width);
    for n in 0..candidates.len() {
        page.features(candidates, n, &mut numbers);
        numbers.extend([0.0; SECOND.len()]);
    }
    let first = model.first().probabilities(&numbers, width, HOPELESS, |_| None);
    let added = page.shape(candidates).second(&first);
    for (row, added) in numbers.chunks_exact_mut(width).zip(&added) {
        row[N_FEATURES..].copy_from_slice(added);
    }
    // Nothing here, nothing near: the second look would not find anything either.
    let is_bare = |n: usize| added[n][0] < 0.02 && added[n][2] < 0.1 && added[n][5] < 0.1;
    let out: Vec<bool> = (0..candidates.len()).map(|n| is_bare(n) || page.is_elsewhere(candidates, n)).collect();
    model.second().probabilities(&numbers, width, HOPELESS, |n| out[n].then_some(0.0))
}

/// Of the candidates that read the very same name and value, the one of the most structural layout, for provenance.
fn plainest(candidates: &[Candidate]) -> HashMap<(u32, ByteRange), usize> {
    let mut best: HashMap<(u32, ByteRange), usize> = HashMap::with_capacity(candidates.len());
    for (n, candidate) in candidates.iter().enumerate() {
        let at = best.entry((candidate.name.start, candidate.value)).or_insert(n);
        if candidates[*at].layout > candidate.layout {
            *at = n;
        }
    }
    best
}

fn spans(candidates: &[Candidate]) -> Vec<accept::Spans> {
    let span = |candidate: &Candidate| [candidate.name, candidate.value].map(|span| (span.start, span.end));
    candidates.iter().map(|candidate| (span(candidate), candidate.layout.shares_names())).collect()
}

/// The order in which the paper's readers take the text of an area; others take no part.
const ORDER: [PairLayout; 10] = [
    PairLayout::Row,
    PairLayout::FourCells,
    PairLayout::Header,
    PairLayout::Records,
    PairLayout::List,
    PairLayout::TwoCells,
    PairLayout::ColonPart,
    PairLayout::Colon,
    PairLayout::NextLine,
    PairLayout::Known,
];

fn by_area(
    view: &RecordView,
    candidates: &[Candidate],
    stop: StopRule,
    options: &RecordOptions,
    trace: &mut RecordTrace,
) -> Vec<Chosen> {
    let container = options.hmm.container(&options.dictionary, stop);
    trace.areas = areas(view, &container);
    trace.areas.truncate(1);
    let Some(area) = trace.areas.first() else { return Vec::new() };
    let node = if stop == StopRule::Literal { area.node() } else { whole(view, area.node()) };
    let inside = node..view.end(node);
    let repeats = repeats(view, candidates);
    let probabilities: Vec<f32> = candidates
        .iter()
        .zip(&repeats)
        .map(|(candidate, &n)| {
            let rank = ORDER.iter().position(|&layout| layout == candidate.layout);
            let taken = inside.contains(&(candidate.element as usize)) && is_plain(view, candidate, n);
            rank.filter(|_| taken).map_or(0.0, |rank| 1.0 - rank as f32 / 20.0)
        })
        .collect();
    let kept = accept::select(&spans(candidates), &probabilities, &probabilities, 0.1);
    // One pair alone is no record.
    if kept.len() < 2 { Vec::new() } else { kept.into_iter().map(|n| (n, 1.0)).collect() }
}

/// The table or list around a node that is a part of one: a header row holds the names, but not the values.
fn whole(view: &RecordView, node: usize) -> usize {
    use gristmill_html::LocalName;
    let mut at = node;
    while matches!(
        view.name(at),
        LocalName::THEAD
            | LocalName::TBODY
            | LocalName::TR
            | LocalName::TH
            | LocalName::TD
            | LocalName::DT
            | LocalName::DD
    ) {
        at = view.parent(at);
    }
    at
}

/// How many candidates of the same layout share a candidate's container.
fn repeats(view: &RecordView, candidates: &[Candidate]) -> Vec<u32> {
    let mut counts = std::collections::HashMap::new();
    let key = |candidate: &Candidate| (candidate.layout, candidate.container, view.name(candidate.element as usize));
    for candidate in candidates {
        *counts.entry(key(candidate)).or_insert(0u32) += 1;
    }
    candidates.iter().map(|candidate| counts[&key(candidate)]).collect()
}

/// The conditions of the paper's readers: short names without sentence marks, values of at most 400 characters,
/// element pairs only where they repeat.
fn is_plain(view: &RecordView, candidate: &Candidate, n_repeats: u32) -> bool {
    let (name, value) = (view.slice(candidate.name), view.slice(candidate.value));
    let is_colon = matches!(candidate.layout, PairLayout::Colon | PairLayout::ColonPart | PairLayout::NextLine);
    if candidate.layout == PairLayout::NextLine && candidate.facts & Candidate::DELIMITED == 0 {
        return false;
    }
    let short =
        name.split_whitespace().count() <= 6 && name.chars().count() <= 40 && !name.contains(['.', '!', '。', '，']);
    let repeated = candidate.layout != PairLayout::TwoCells || n_repeats >= 3;
    value.chars().count() <= 400 && repeated && (short || !is_colon)
}

/// The pairs of the chosen candidates, those that stand there twice once. One more than `max_pairs` tells [`cut`] that there are more.
fn collect(
    view: &RecordView,
    candidates: &[Candidate],
    chosen: Vec<Chosen>,
    options: &RecordOptions,
    out: &mut ProductRecords,
) {
    let mut order = chosen;
    order.sort_by_key(|&(n, _)| (candidates[n].value.start, candidates[n].name.start));
    let mut seen = std::collections::HashSet::new();
    for (n, confidence) in order {
        let candidate = &candidates[n];
        let record = if candidate.layout == PairLayout::Records { candidate.record + 1 } else { 0 };
        let shown = |span: ByteRange| match options.method {
            PairMethod::Records => view.slice(invisible::seen(view, span)).replace('\n', " "),
            _ => view.slice(span).replace('\n', " "),
        };
        let (name, mut value) = (shown(candidate.name), shown(candidate.value));
        value.truncate(before_unit_price(&value).len());
        if !seen.insert((record, name.clone(), value.clone())) {
            continue;
        }
        if out.pairs.len() > options.max_pairs {
            return;
        }
        let row = view.leaves[view.leaf_at(candidate.name.start)].row;
        let path = view.doc.path(view.doc.id(candidate.element as usize));
        let provenance = PairProvenance { source: PairSource::Layout(candidate.layout), path, row: Some(row) };
        let pair = Pair::of(&options.dictionary, name, value, provenance, confidence);
        out.pairs.push(Pair { record, ..pair });
    }
}

/// A value without the price of a unit in brackets behind it: `0.5 kg (17,90 € / 1 kg)`.
fn before_unit_price(value: &str) -> &str {
    let parts = value.strip_suffix(')').and_then(|value| value.rsplit_once('('));
    let parts = parts.filter(|(before, unit)| !before.trim().is_empty() && price::has_price(unit));
    parts.map_or(value, |(before, _)| before.trim_end())
}

/// Leaves out what is beyond `max_pairs`.
fn cut(options: &RecordOptions, out: &mut ProductRecords) {
    if out.pairs.len() > options.max_pairs {
        out.pairs.truncate(options.max_pairs);
        out.warnings.push(format!("more than `max_pairs` ({}) pairs", options.max_pairs));
    }
}

/// The markups, for callers that list sources.
pub const MARKUPS: [StructuredSource; 5] = [
    StructuredSource::JsonLd,
    StructuredSource::Microdata,
    StructuredSource::Rdfa,
    StructuredSource::OpenGraph,
    StructuredSource::State,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_of_a_unit_in_brackets_is_no_part_of_a_value() {
        assert_eq!(before_unit_price("0.5 kg (17,90 € / 1 kg)"), "0.5 kg");
        for whole in ["(17,90 €)", "Steel (black)", "30 cm"] {
            assert_eq!(before_unit_price(whole), whole);
        }
    }

    #[test]
    fn what_stands_between_the_certain_rows_of_a_list_is_taken_with_them() {
        let candidate = |(at, container)| Candidate {
            layout: PairLayout::TwoCells,
            name: ByteRange { start: at, end: at + 1 },
            value: ByteRange::default(),
            element: 0,
            container,
            record: 0,
            facts: 0,
            columns: 2,
        };
        let candidates = [(0, 1), (2, 1), (4, 1), (6, 1), (8, 1), (10, 2), (12, 2), (14, 2)].map(candidate);
        let mut probabilities = [0.9, 0.3, 0.01, 0.8, 0.7, 0.9, 0.3, 0.9];
        complete_groups(&candidates, &mut probabilities, 0.6);
        assert_eq!(probabilities, [0.9, 0.6, 0.01, 0.8, 0.7, 0.9, 0.3, 0.9]);
        let mut behind = [0.9, 0.8, 0.7, 0.3, 0.3, 0.0, 0.0, 0.0];
        complete_groups(&candidates, &mut behind, 0.6);
        assert_eq!(behind, [0.9, 0.8, 0.7, 0.3, 0.3, 0.0, 0.0, 0.0]);
    }
}
