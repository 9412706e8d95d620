//! The paper's locator of record areas: characteristics of leaves, weights of nodes, a hidden Markov model over the
//! DOM, and the path that Viterbi's algorithm finds through it.

use gristmill_html::LocalName;

use crate::candidate::delimiter;
use crate::dictionary::Dictionary;
use crate::price::has_price;
use crate::units::has_quantity;
use crate::view::RecordView;

/// What a [`Characteristic`] may look at.
#[derive(Debug, Clone, Copy)]
pub struct LeafContext<'v> {
    /// The leaf's text, white space collapsed, trimmed.
    pub text: &'v str,
    /// The tag of the element around it.
    pub parent: LocalName,
    /// Whether it begins a `th`, a `dt`, or the first of exactly two filled cells of a table row.
    pub in_name_cell: bool,
}

/// A property of leaves that speaks for attribute–value pairs. Implement it to extend the [`RecordAreaLocator`].
pub trait Characteristic: Send + Sync {
    /// A short name for traces.
    fn name(&self) -> &str;
    /// Whether the leaf has it.
    fn test(&self, leaf: &LeafContext) -> bool;
}

/// c1: a delimiter between a short left part and something, or at the end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Delimiter;

impl Characteristic for Delimiter {
    fn name(&self) -> &str {
        "c1 delimiter"
    }

    fn test(&self, leaf: &LeafContext) -> bool {
        delimiter(leaf.text).is_some_and(|(at, _)| at > 0 && leaf.text[..at].chars().count() <= 40)
    }
}

/// c2: an attribute name of the dictionary, as the whole leaf or before its delimiter.
#[derive(Debug, Clone)]
pub struct DictionaryName(pub Dictionary);

impl Characteristic for DictionaryName {
    fn name(&self) -> &str {
        "c2 dictionary"
    }

    fn test(&self, leaf: &LeafContext) -> bool {
        let end = delimiter(leaf.text).map_or(leaf.text.len(), |(at, _)| at);
        end <= 120 && self.0.kind(&leaf.text[..end]).is_some()
    }
}

/// c3: the leaf stands where names stand: `th`, `dt`, the first cell of two.
#[derive(Debug, Clone, Copy, Default)]
pub struct NameCell;

impl Characteristic for NameCell {
    fn name(&self) -> &str {
        "c3 name cell"
    }

    fn test(&self, leaf: &LeafContext) -> bool {
        leaf.in_name_cell
    }
}

/// c4: a price.
#[derive(Debug, Clone, Copy, Default)]
pub struct PricePattern;

impl Characteristic for PricePattern {
    fn name(&self) -> &str {
        "c4 price"
    }

    fn test(&self, leaf: &LeafContext) -> bool {
        leaf.text.len() <= 60 && has_price(leaf.text)
    }
}

/// c5: a number with a unit.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnitPattern;

impl Characteristic for UnitPattern {
    fn name(&self) -> &str {
        "c5 unit"
    }

    fn test(&self, leaf: &LeafContext) -> bool {
        leaf.text.len() <= 120 && has_quantity(leaf.text)
    }
}

/// When the walk from `body` downwards ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StopRule {
    /// Where the paper's text says: when δ* does not grow. It walks into single rows of short tables.
    Literal,
    /// Where no child holds at least this share of the characteristic leaves. Default, with 0.6.
    Boundary(f64),
}

/// The characteristics and the two choices that the paper leaves open.
pub struct RecordAreaLocator {
    characteristics: Vec<Box<dyn Characteristic>>,
    /// When to stop. Default: `Boundary(0.6)`.
    pub stop: StopRule,
    /// Clamp each count at N/e, so that the weight never falls as leaves are added (off in the paper).
    pub monotone: bool,
}

impl std::fmt::Debug for RecordAreaLocator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.characteristics.iter().map(|c| c.name()).collect();
        f.debug_struct("Container").field("characteristics", &names).field("stop", &self.stop).finish_non_exhaustive()
    }
}

impl RecordAreaLocator {
    /// The paper's container: delimiter and dictionary.
    pub fn new(dictionary: &Dictionary, stop: StopRule) -> RecordAreaLocator {
        let characteristics: Vec<Box<dyn Characteristic>> =
            vec![Box::new(Delimiter), Box::new(DictionaryName(dictionary.clone()))];
        RecordAreaLocator { characteristics, stop, monotone: false }
    }

    /// Adds one more characteristic.
    #[must_use]
    pub fn with(mut self, characteristic: impl Characteristic + 'static) -> RecordAreaLocator {
        self.characteristics.push(Box::new(characteristic));
        self
    }
}

/// The characteristics that come with the crate, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinCharacteristic {
    /// c1, [`Delimiter`].
    Delimiter,
    /// c2, [`DictionaryName`].
    Dictionary,
    /// c3, [`NameCell`].
    NameCell,
    /// c4, [`PricePattern`].
    Price,
    /// c5, [`UnitPattern`].
    Unit,
}

impl BuiltinCharacteristic {
    /// All of them.
    pub const ALL: [BuiltinCharacteristic; 5] = [
        BuiltinCharacteristic::Delimiter,
        BuiltinCharacteristic::Dictionary,
        BuiltinCharacteristic::NameCell,
        BuiltinCharacteristic::Price,
        BuiltinCharacteristic::Unit,
    ];

    /// The name in settings and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            BuiltinCharacteristic::Delimiter => "delimiter",
            BuiltinCharacteristic::Dictionary => "dictionary",
            BuiltinCharacteristic::NameCell => "name-cell",
            BuiltinCharacteristic::Price => "price",
            BuiltinCharacteristic::Unit => "unit",
        }
    }
}

/// What the methods `hmm` and `hmm-literal` may be told.
#[derive(Debug, Clone, PartialEq)]
pub struct HmmOptions {
    /// ρ, the share of the characteristic leaves that a child must hold to be walked into; not for `hmm-literal`.
    /// Default: 0.6, which the paper does not have.
    pub rho: f64,
    /// The container. Default: delimiter and dictionary, as in the paper.
    pub signs: Vec<BuiltinCharacteristic>,
    /// As [`RecordAreaLocator::monotone`]. Default: off.
    pub monotone: bool,
}

impl Default for HmmOptions {
    fn default() -> Self {
        HmmOptions {
            rho: 0.6,
            signs: vec![BuiltinCharacteristic::Delimiter, BuiltinCharacteristic::Dictionary],
            monotone: false,
        }
    }
}

impl HmmOptions {
    /// The container with these characteristics, in the order of [`Sign::ALL`].
    pub fn container(&self, dictionary: &Dictionary, stop: StopRule) -> RecordAreaLocator {
        let mut container = RecordAreaLocator { characteristics: Vec::new(), stop, monotone: self.monotone };
        for sign in BuiltinCharacteristic::ALL.into_iter().filter(|sign| self.signs.contains(sign)) {
            container = match sign {
                BuiltinCharacteristic::Delimiter => container.with(Delimiter),
                BuiltinCharacteristic::Dictionary => container.with(DictionaryName(dictionary.clone())),
                BuiltinCharacteristic::NameCell => container.with(NameCell),
                BuiltinCharacteristic::Price => container.with(PricePattern),
                BuiltinCharacteristic::Unit => container.with(UnitPattern),
            };
        }
        container
    }
}

/// One step of the path from `body` to the area.
#[derive(Debug, Clone, PartialEq)]
pub struct PathStep {
    /// Index of the node in the document.
    pub node: usize,
    /// Its tag.
    pub tag: String,
    /// WVC, eq. 3.
    pub weight: f64,
    /// ln δ.
    pub log_delta: f64,
    /// Leaves below it with each characteristic, in the container's order.
    pub counts: Vec<u32>,
}

/// A located area: the last step of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordArea {
    /// The path from `body`; never empty.
    pub path: Vec<PathStep>,
}

impl RecordArea {
    /// The node of the area.
    pub fn node(&self) -> usize {
        self.path.last().map_or(0, |step| step.node)
    }

    /// Characteristic leaves in the area, summed over characteristics.
    pub fn mass(&self) -> u32 {
        self.path.last().map_or(0, |step| step.counts.iter().sum())
    }
}

/// The weight of a node (eq. 3): Σ n·ln(N/n), a term being 0 for n = 0 and n = N.
pub fn weight(counts: &[u32], n_leaves: usize, monotone: bool) -> f64 {
    let total = n_leaves as f64;
    let peak = (total / std::f64::consts::E).floor().max(1.0);
    let term = |&n: &u32| {
        let n = if monotone { f64::from(n).min(peak) } else { f64::from(n) };
        if n > 0.0 && n < total { n * (total / n).ln() } else { 0.0 }
    };
    counts.iter().map(term).sum()
}

/// Counts of characteristic leaves per node, flat: `counts[node * m + k]`.
pub(crate) struct CharacteristicCounts {
    m: usize,
    counts: Vec<u32>,
}

impl CharacteristicCounts {
    fn of(&self, node: usize) -> &[u32] {
        &self.counts[node * self.m..(node + 1) * self.m]
    }

    fn sum(&self, node: usize) -> u32 {
        self.of(node).iter().sum()
    }
}

fn context<'v>(view: &'v RecordView, n: usize) -> LeafContext<'v> {
    let leaf = &view.leaves[n];
    let parent = view.parent(leaf.node.index());
    let block = view.block_of(leaf.node.index());
    let first = view.leaves_before(block) == n;
    let in_name_cell = first
        && match view.name(block) {
            LocalName::TH | LocalName::DT => true,
            LocalName::TD => {
                let cells = view.items(view.parent(block), 3);
                cells.len() == 2 && cells[0] == block
            }
            _ => false,
        };
    LeafContext { text: view.slice(view.span(n, n + 1)), parent: view.name(parent), in_name_cell }
}

/// One pass over the leaves and one reverse pass over the nodes: children add into their parents.
pub(crate) fn count(view: &RecordView, container: &RecordAreaLocator) -> CharacteristicCounts {
    let m = container.characteristics.len();
    let mut counts = vec![0u32; view.doc.len() * m];
    for n in 0..view.leaves.len() {
        let context = context(view, n);
        for (k, characteristic) in container.characteristics.iter().enumerate() {
            counts[view.leaves[n].node.index() * m + k] = u32::from(characteristic.test(&context));
        }
    }
    for node in (1..view.doc.len()).rev() {
        let parent = view.parent(node);
        for k in 0..m {
            counts[parent * m + k] += counts[node * m + k];
        }
    }
    CharacteristicCounts { m, counts }
}

/// Walks from `body` to the boundary of the area that holds the record; `None` with fewer than two characteristic
/// leaves on the page.
pub(crate) fn locate(
    view: &RecordView,
    counts: &CharacteristicCounts,
    container: &RecordAreaLocator,
) -> Option<RecordArea> {
    let n_leaves = view.leaves.len();
    let step = |node: usize, log_delta: f64| PathStep {
        node,
        tag: view.doc.name_str(view.name(node)).to_owned(),
        weight: weight(counts.of(node), n_leaves, container.monotone),
        log_delta,
        counts: counts.of(node).to_vec(),
    };
    let mut path = vec![step(view.doc.body()?.index(), 0.0)];
    loop {
        let (at, log_delta) = path.last().map(|step| (step.node, step.log_delta))?;
        let children: Vec<usize> = view
            .doc
            .children(view.doc.id(at))
            .filter(|&child| view.doc.is_element(child))
            .map(|child| child.index())
            .collect();
        let Some(next) = choose(view, counts, container, at, &children) else { break };
        let weight = weight(counts.of(next), n_leaves, container.monotone);
        let next_delta = log_delta + weight.ln() - (children.len() as f64).ln();
        if container.stop == StopRule::Literal && path.len() > 1 && log_delta >= next_delta {
            break;
        }
        path.push(step(next, next_delta));
    }
    let area = RecordArea { path };
    (area.mass() >= 2).then_some(area)
}

/// The child to descend into. All siblings share one transition probability, so the largest weight wins.
fn choose(
    view: &RecordView,
    counts: &CharacteristicCounts,
    container: &RecordAreaLocator,
    at: usize,
    children: &[usize],
) -> Option<usize> {
    match container.stop {
        StopRule::Literal => {
            let weigh = |&node: &usize| weight(counts.of(node), view.leaves.len(), container.monotone);
            first_max(children, weigh).filter(|&(_, weight)| weight > 0.0).map(|(node, _)| node)
        }
        StopRule::Boundary(share) => {
            let (node, mass) = first_max(children, |&node| f64::from(counts.sum(node)))?;
            (mass > 0.0 && mass >= share * f64::from(counts.sum(at))).then_some(node)
        }
    }
}

fn first_max(nodes: &[usize], key: impl Fn(&usize) -> f64) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for node in nodes {
        let value = key(node);
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((*node, value));
        }
    }
    best
}

/// Most areas of one page.
const MAX_AREAS: usize = 8;

/// The area, then the areas of what is left, each with at least three characteristic leaves; the best first.
pub(crate) fn areas(view: &RecordView, container: &RecordAreaLocator) -> Vec<RecordArea> {
    let mut counts = count(view, container);
    let mut areas: Vec<RecordArea> = Vec::new();
    while areas.len() < MAX_AREAS {
        let Some(area) = locate(view, &counts, container) else { break };
        if !areas.is_empty() && area.mass() < 3 {
            break;
        }
        remove(view, &mut counts, area.node());
        areas.push(area);
    }
    areas
}

fn remove(view: &RecordView, counts: &mut CharacteristicCounts, node: usize) {
    let m = counts.m;
    let gone = counts.of(node).to_vec();
    let mut at = node;
    loop {
        for (count, gone) in counts.counts[at * m..].iter_mut().zip(&gone) {
            *count -= gone;
        }
        if at == 0 {
            break;
        }
        at = view.parent(at);
    }
    counts.counts[node * m..view.end(node) * m].fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    /// The pages of the worked example: `n` rows of which two (one if `n` is 5) are not in the dictionary.
    fn example(n: usize, n_known: usize, padding: usize) -> String {
        let mut html = String::from("<body><nav><b>Menu:</b>");
        for k in 0..padding {
            html.push_str(&format!("<a href=/{k}>page {k}</a>"));
        }
        html.push_str("</nav><main><h1>Deal: a lamp</h1><table>");
        for k in 0..n {
            let name = if k < n_known { "Brand:" } else { "Foo bar:" };
            html.push_str(&format!("<tr><td>{name}</td><td>value {k}</td></tr>"));
        }
        html + "</table></main><aside>See: more</aside>"
    }

    fn path(html: &str, stop: StopRule) -> RecordArea {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        assert_eq!(view.leaves.len(), 40);
        let container = RecordAreaLocator::new(&Dictionary::built_in(), stop);
        locate(&view, &count(&view, &container), &container).unwrap()
    }

    fn tags(area: &RecordArea) -> Vec<&str> {
        area.path.iter().map(|step| step.tag.as_str()).collect()
    }

    #[test]
    fn the_twelve_row_example_gives_the_printed_weights_and_stops_at_the_table() {
        let area = path(&example(12, 10, 13), StopRule::Literal);
        // html5ever puts the rows into a `tbody`, one more step of a single child.
        assert_eq!(tags(&area)[..3], ["body", "main", "table"]);
        let close = |got: f64, want: f64| assert!((got - want).abs() < 6e-4 * want.max(1.0), "{got} for {want}");
        close(area.path[0].weight, 28.560);
        close(area.path[1].weight, 28.474);
        close(area.path[2].weight, 28.311);
        close(area.path[1].log_delta.exp(), 9.491);
        close(area.path[2].log_delta.exp(), 134.35);
        close(weight(&[1, 1], 40, false), 7.378);
        close(weight(&[1, 0], 40, false), 3.689);
        assert_eq!(area.path[2].counts, [12, 10]);
    }

    #[test]
    fn with_five_rows_the_literal_rule_walks_into_a_row_and_the_boundary_rule_stops_above() {
        let html = example(5, 4, 27);
        let literal = path(&html, StopRule::Literal);
        assert!(tags(&literal).contains(&"tr"), "{literal:?}");
        let boundary = path(&html, StopRule::Boundary(0.6));
        assert_eq!(tags(&boundary), ["body", "main", "table", "tbody"]);
    }

    #[test]
    fn delta_survives_hundreds_of_wrappers_in_log_space() {
        let html = format!("{}<table>{}</table>", "<div>".repeat(400), "<tr><th>Brand:<td>x".repeat(30));
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let container = RecordAreaLocator::new(&Dictionary::built_in(), StopRule::Literal);
        let area = locate(&view, &count(&view, &container), &container).unwrap();
        assert!(area.path.len() > 300 && area.path.iter().all(|step| step.log_delta.is_finite()));
    }

    #[test]
    fn monotone_weights_never_fall_as_leaves_are_added() {
        let weights: Vec<f64> = (1..40).map(|n| weight(&[n], 40, true)).collect();
        assert!(weights.windows(2).all(|two| two[1] >= two[0]));
        assert!(weight(&[30], 40, false) < weight(&[15], 40, false));
        assert_eq!(weight(&[0, 40], 40, false), 0.0);
    }

    #[test]
    fn a_container_takes_further_characteristics_and_a_page_without_any_has_no_area() {
        struct Loud;
        impl Characteristic for Loud {
            fn name(&self) -> &str {
                "loud"
            }
            fn test(&self, leaf: &LeafContext) -> bool {
                leaf.text.ends_with('!')
            }
        }
        let doc = Doc::parse("<p>one<p>two<div><p>three!<p>four!</div>", &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let plain = RecordAreaLocator::new(&Dictionary::empty(), StopRule::Boundary(0.6));
        assert_eq!(areas(&view, &plain), []);
        let found = areas(&view, &plain.with(Loud).with(NameCell).with(PricePattern).with(UnitPattern));
        assert_eq!(found[0].path.last().unwrap().tag, "div");
    }
}
