//! What the accept model sees of a candidate: itself, its group, what stands around it, and the page.

use std::sync::LazyLock;

use gristmill_html::LocalName;
use gristmill_text::PhraseMatcher;

use crate::alternative_readings::AlternativeReadings;
use crate::candidate::{Candidate, PairLayout};
use crate::context::{self, CandidateContext, GROUPS, Heading, HeadingSection, headings};
use crate::dictionary::{Dictionary, without_number};
use crate::groups::{CandidateFact, CandidateFacts, CandidateGroup, FactContext, group, is, words};
use crate::hash::{Map, Set};
use crate::hmm::{RecordArea, RecordAreaLocator, StopRule, areas};
use crate::price::has_price;
use crate::readers::signature;
use crate::second_stage::CandidateGrouping;
use crate::structured::DeclaredProduct;
use crate::view::RecordView;

/// All that the features of one page's candidates share.
pub(crate) struct PageFeatureBlock<'v, 'd> {
    view: &'v RecordView<'d>,
    context: CandidateContext,
    headings: Vec<Heading>,
    areas: Vec<RecordArea>,
    h1_row: f32,
    price_row: f32,
    own: Vec<CandidateFacts>,
    group_of: Vec<u32>,
    groups: Vec<CandidateGroup>,
    /// Groups of all containers that look alike: the tables of one specification, section by section.
    family_of: Vec<u32>,
    families: Vec<CandidateGroup>,
    /// How many groups each family has.
    family_groups: Vec<f32>,
    /// By layout and name: how many candidates.
    repeats: Map<(PairLayout, u64), f32>,
    largest_group: f32,
    is_product: f32,
    rivals: AlternativeReadings,
}

/// Names of the features after the bits of [`GROUPS`], which come first, twice: anywhere above, and near.
const NAMES: [&str; 118] = [
    "layout",
    "is row",
    "is dl",
    "is two-cells",
    "is colon",
    "is colon-part",
    "is colon-block",
    "is next-line",
    "is label",
    "is known",
    "is dash",
    "is alternating",
    "is header",
    "is columns",
    "is four",
    "name chars",
    "name words",
    "value chars",
    "value rows",
    "value words",
    "is spec",
    "is offer",
    "name link",
    "value link",
    "value digits",
    "value price",
    "value unit",
    "value sentence",
    "delimited",
    "marked",
    "name digits",
    "name capitals",
    "name comma",
    "name first lower",
    "value starts lower",
    "name in title",
    "value in title",
    "controls",
    "images",
    "name th",
    "value th",
    "first row",
    "in head",
    "grouped",
    "distinct",
    "columns",
    "name colon rest",
    "value is mark",
    "group name chars",
    "group value chars",
    "group spec",
    "group offer",
    "group name link",
    "group value link",
    "group digits",
    "group price",
    "group unit",
    "group sentence",
    "group delimited",
    "group distinct names",
    "group distinct values",
    "group share of largest",
    "group coverage",
    "group controls",
    "group marked",
    "section",
    "section rows",
    "section level",
    "section all",
    "rows after h1",
    "rows after price",
    "in area",
    "in other area",
    "area depth below",
    "has price",
    "record",
    "group value rows",
    "family spec",
    "family offer",
    "names among values",
    "value is name",
    "known and delimited",
    "known mass",
    "family value chars",
    "family name chars",
    "group size",
    "family size",
    "family groups",
    "family distinct names",
    "family distinct values",
    "name repeats",
    "group longest name",
    "group value spread",
    "group name words",
    "group value words",
    "group declared",
    "group name in title",
    "group value in title",
    "group name capital",
    "group value has digit",
    "group name digit",
    "declared",
    "family declared",
    "family value in title",
    "group share of page",
    "family share of page",
    "group place",
    "links a pair",
    "images a pair",
    "page declares product",
    "value read longer",
    "value read otherwise",
    "inside a value",
    "read by structure",
    "block coverage",
    "controls a pair of block",
    "links a pair of block",
    "images a pair of block",
];

/// Facts of the candidate itself, in the order of [`NAMES`].
const OWN: [CandidateFact; 15] = [
    CandidateFact::NameChars,
    CandidateFact::NameWords,
    CandidateFact::ValueChars,
    CandidateFact::ValueRows,
    CandidateFact::ValueWords,
    CandidateFact::Spec,
    CandidateFact::Offer,
    CandidateFact::NameLink,
    CandidateFact::ValueLink,
    CandidateFact::Digits,
    CandidateFact::Price,
    CandidateFact::Unit,
    CandidateFact::Sentence,
    CandidateFact::Delimited,
    CandidateFact::Marked,
];
/// Means of its group.
const GROUP: [CandidateFact; 11] = [
    CandidateFact::NameChars,
    CandidateFact::ValueChars,
    CandidateFact::Spec,
    CandidateFact::Offer,
    CandidateFact::NameLink,
    CandidateFact::ValueLink,
    CandidateFact::Digits,
    CandidateFact::Price,
    CandidateFact::Unit,
    CandidateFact::Sentence,
    CandidateFact::Delimited,
];
/// More means of its group, of facts that no language is needed for.
const REPEATED: [CandidateFact; 8] = [
    CandidateFact::NameWords,
    CandidateFact::ValueWords,
    CandidateFact::Declared,
    CandidateFact::NameInTitle,
    CandidateFact::ValueInTitle,
    CandidateFact::NameUpper,
    CandidateFact::HasDigit,
    CandidateFact::NameDigit,
];

/// How many features there are.
pub(crate) const N_FEATURES: usize = NAMES.len() + 2 * GROUPS.len();

/// The names of all features, in order.
pub(crate) fn names() -> Vec<String> {
    let bits = |kind: &str| GROUPS.iter().map(|group| format!("{kind} {group}")).collect::<Vec<_>>();
    let mut names = bits("above");
    names.extend(bits("near"));
    names.extend(NAMES.iter().map(|name| (*name).to_owned()));
    names
}

impl<'v, 'd> PageFeatureBlock<'v, 'd> {
    pub(crate) fn new(
        view: &'v RecordView<'d>,
        candidates: &[Candidate],
        dictionary: &Dictionary,
        markup: &DeclaredProduct,
    ) -> PageFeatureBlock<'v, 'd> {
        let container = RecordAreaLocator::new(dictionary, StopRule::Boundary(0.6));
        let (title, h1_row) = title(view);
        let known = FactContext::new(dictionary, title, markup);
        let own = known.own(view, candidates);
        let (group_of, groups) = group(view, candidates, &own, |candidate| u64::from(candidate.container));
        let (family_of, families) = group(view, candidates, &own, |candidate| template(view, candidate));
        let mut family_groups = vec![0.0; families.len()];
        let mut counted = vec![false; groups.len()];
        let mut repeats = Map::default();
        for (n, candidate) in candidates.iter().enumerate() {
            *repeats.entry((candidate.layout, own[n].name_hash)).or_insert(0.0) += 1.0;
            if !std::mem::replace(&mut counted[group_of[n] as usize], true) {
                family_groups[family_of[n] as usize] += 1.0;
            }
        }
        PageFeatureBlock {
            view,
            context: CandidateContext::new(view),
            headings: headings(view),
            areas: areas(view, &container),
            h1_row,
            price_row: price_row(view),
            largest_group: groups.iter().map(|group| group.n).fold(1.0, f32::max),
            own,
            group_of,
            groups,
            family_of,
            families,
            family_groups,
            repeats,
            is_product: is(markup.is_product),
            rivals: AlternativeReadings::new(candidates),
        }
    }

    /// The section that a row stands in: kind, rows since its heading, level.
    fn section(&self, row: u32) -> (f32, f32, f32, f32) {
        let at = self.headings.partition_point(|heading| heading.row < row);
        let Some(last) = at.checked_sub(1).map(|at| self.headings[at]) else { return (-1.0, 999.0, 0.0, -1.0) };
        // The section of any rank above: the nearest heading of a higher rank than the last one.
        let upper = self.headings[..at].iter().rev().take(30).find(|heading| heading.level < last.level);
        let code = |section| match section {
            HeadingSection::Noise => 0.0,
            HeadingSection::Other => 1.0,
            HeadingSection::Detail => 2.0,
            HeadingSection::Spec => 3.0,
        };
        let all = upper.map_or(-1.0, |heading| code(heading.section));
        (code(last.section), (row - last.row) as f32, f32::from(last.level), all)
    }

    /// Whether the candidate stands where products' attributes do not, whatever the model thinks: under a heading
    /// that announces something else, or in a block of delivery terms, among names of which few are attributes; in a menu; among opening hours; or
    /// that it says how the shop is reached or paid, or stands among rows that mostly do.
    pub(crate) fn is_elsewhere(&mut self, candidates: &[Candidate], n: usize) -> bool {
        let candidate = &candidates[n];
        let group = &self.groups[self.group_of[n] as usize];
        let is_term = self.own[n].of(CandidateFact::Term) + self.own[n].of(CandidateFact::Contact) > 0.0;
        if is_term || group.n >= 3.0 && group.mean(CandidateFact::Term).max(group.mean(CandidateFact::Contact)) >= 0.5 {
            return true;
        }
        // A single one may be how long a battery lasts.
        let hours = group.mean(CandidateFact::Hours);
        if hours * group.n >= 2.0 && (self.own[n].of(CandidateFact::Hours) > 0.0 || hours >= 0.5) {
            return true;
        }
        let near = self.context.near(self.view, candidate.element as usize);
        // A menu and links to share a page hold no rows of a specification, whatever they look like.
        let menus = context::group("nav") | context::group("social");
        let details = context::group("spec") | context::group("detail");
        if self.own[n].of(CandidateFact::Spec) == 0.0 && near & menus != 0 && near & details == 0 {
            return true;
        }
        if self.own[n].of(CandidateFact::Spec) > 0.0 || group.mean(CandidateFact::Spec) >= 0.3 {
            return false;
        }
        let row = self.view.leaves[self.view.leaf_at(candidate.name.start)].row;
        self.section(row).0 == 0.0 && near & context::group("spec") == 0
    }

    /// The areas that the HMM located, the best first.
    pub(crate) fn into_areas(self) -> Vec<RecordArea> {
        self.areas
    }

    /// What the second look needs to know of the page.
    pub(crate) fn shape(&self, candidates: &[Candidate]) -> CandidateGrouping {
        CandidateGrouping {
            group_of: self.group_of.clone(),
            n_groups: self.groups.len(),
            family_of: self.family_of.clone(),
            n_families: self.families.len(),
            names: candidates.iter().map(|candidate| candidate.name.start).collect(),
            values: candidates.iter().map(|candidate| candidate.value.start).collect(),
            hashes: self.own.iter().map(|fact| fact.name_hash).collect(),
        }
    }

    /// Puts the features of candidate `n`, [`N_FEATURES`] numbers, behind those of others.
    pub(crate) fn features(&mut self, candidates: &[Candidate], n: usize, out: &mut Vec<f32>) {
        let candidate = &candidates[n];
        let before = out.len();
        let element = candidate.element as usize;
        let (all, near) = (self.context.all(self.view, element), self.context.near(self.view, element));
        out.extend((0..GROUPS.len()).map(|bit| ((all >> bit) & 1) as f32));
        out.extend((0..GROUPS.len()).map(|bit| ((near >> bit) & 1) as f32));
        self.own_features(candidate, n, out);
        self.group_features(candidate, n, out);
        self.place_features(candidate, out);
        out.push(candidate.record as f32);
        self.repetition_features(candidate, n, out);
        debug_assert_eq!(out.len() - before, N_FEATURES);
    }

    fn own_features(&self, candidate: &Candidate, n: usize, out: &mut Vec<f32>) {
        let view = self.view;
        let own = &self.own[n];
        let (name, value) = (view.slice(candidate.name), view.slice(candidate.value));
        out.push(candidate.layout as u8 as f32);
        for layout in [
            PairLayout::Row,
            PairLayout::List,
            PairLayout::TwoCells,
            PairLayout::Colon,
            PairLayout::ColonPart,
            PairLayout::ColonBlock,
            PairLayout::NextLine,
            PairLayout::Label,
            PairLayout::Known,
            PairLayout::Dash,
            PairLayout::Alternating,
            PairLayout::Header,
            PairLayout::Columns,
            PairLayout::FourCells,
        ] {
            out.push(is(candidate.layout == layout));
        }
        out.extend(OWN.map(|fact| own.of(fact)));
        let letters = name.chars().filter(|c| c.is_alphabetic()).count().max(1) as f32;
        let first = name.chars().find(|c| c.is_alphanumeric());
        out.push(name.chars().filter(char::is_ascii_digit).count() as f32);
        out.push(name.chars().filter(|c| c.is_uppercase()).count() as f32 / letters);
        out.push(is(without_number(name).contains([',', '，', '.', '!', '"', '、', '。'])));
        out.push(is(first.is_some_and(char::is_lowercase)));
        out.push(is(value.chars().next().is_some_and(char::is_lowercase)));
        out.extend([own.of(CandidateFact::NameInTitle), own.of(CandidateFact::ValueInTitle)]);
        out.push(view.n_controls(candidate.element as usize) as f32);
        out.push(view.n_images(candidate.element as usize) as f32);
        for fact in [
            Candidate::NAME_TH,
            Candidate::VALUE_TH,
            Candidate::FIRST_ROW,
            Candidate::IN_HEAD,
            Candidate::GROUPED,
            Candidate::DISTINCT,
        ] {
            out.push(is(candidate.facts & fact != 0));
        }
        out.push(f32::from(candidate.columns));
        out.push(value.matches([':', '：']).count().min(20) as f32);
        out.push(is(!value.chars().any(char::is_alphanumeric)));
    }

    fn group_features(&self, candidate: &Candidate, n: usize, out: &mut Vec<f32>) {
        let group = &self.groups[self.group_of[n] as usize];
        out.extend(GROUP.map(|fact| group.mean(fact)));
        out.extend([group.distinct_names(), group.distinct_values()]);
        out.push(group.n / self.largest_group);
        let container = self.view.span_of(candidate.container as usize).len();
        out.push((group.bytes / (container as f32 + 1.0)).min(2.0));
        out.push(self.view.n_controls(candidate.container as usize) as f32);
        out.push(group.mean(CandidateFact::Marked));
    }

    /// How the candidate's group and family repeat: a column of short labels that are unlike each other beside one of values.
    fn repetition_features(&self, candidate: &Candidate, n: usize, out: &mut Vec<f32>) {
        let own = &self.own[n];
        let group = &self.groups[self.group_of[n] as usize];
        let family = &self.families[self.family_of[n] as usize];
        out.push(group.mean(CandidateFact::ValueRows));
        out.extend([family.mean(CandidateFact::Spec), family.mean(CandidateFact::Offer)]);
        out.push(group.names.intersection(&group.values).count() as f32 / group.n);
        out.push(is(own.name_hash == own.value_hash));
        out.push(own.of(CandidateFact::Spec) * own.of(CandidateFact::Delimited));
        out.push(group.mean(CandidateFact::Spec) * (group.n.min(4.0)));
        out.extend([family.mean(CandidateFact::ValueChars), family.mean(CandidateFact::NameChars)]);
        out.extend([group.n.min(40.0), family.n.min(80.0), self.family_groups[self.family_of[n] as usize].min(40.0)]);
        out.extend([family.distinct_names(), family.distinct_values()]);
        out.push(self.repeats[&(candidate.layout, own.name_hash)].min(40.0));
        out.extend([group.most_name_chars, group.spread()]);
        out.extend(REPEATED.map(|fact| group.mean(fact)));
        out.extend([
            own.of(CandidateFact::Declared),
            family.mean(CandidateFact::Declared),
            family.mean(CandidateFact::ValueInTitle),
        ]);
        let bytes = self.view.text.len() as f32 + 1.0;
        out.extend([group.bytes / bytes, family.bytes / bytes, group.start as f32 / bytes]);
        let n_links = self.view.n_links(candidate.container as usize) as f32;
        out.extend([n_links / group.n, self.view.n_images(candidate.container as usize) as f32 / group.n]);
        out.push(self.is_product);
        out.extend(self.rivals.of(candidate).map(is));
        self.block_features(group, out);
    }

    /// How much of its block a group fills: from its first element to its last, where the container holds other things too.
    fn block_features(&self, group: &CandidateGroup, out: &mut Vec<f32>) {
        let bytes = self.view.bytes_in(&group.block) as f32 + 1.0;
        out.push((group.bytes / bytes).min(2.0));
        let counts =
            [self.view.controls_in(&group.block), self.view.links_in(&group.block), self.view.images_in(&group.block)];
        out.extend(counts.map(|n| n as f32 / group.n));
    }

    fn place_features(&self, candidate: &Candidate, out: &mut Vec<f32>) {
        let view = self.view;
        let row = view.leaves[view.leaf_at(candidate.name.start)].row;
        let (kind, rows, level, above) = self.section(row);
        out.extend([kind, rows, level, above]);
        let after = |mark: f32| if mark < 0.0 { -999.0 } else { row as f32 - mark };
        out.push(after(self.h1_row));
        out.push(after(self.price_row));
        let inside = |area: &RecordArea| {
            let (a, b) = (area.node(), view.end(area.node()));
            (a..b).contains(&(candidate.element as usize))
        };
        let first = self.areas.first().is_some_and(inside);
        out.push(f32::from(u8::from(first)));
        out.push(f32::from(u8::from(self.areas.iter().skip(1).any(inside))));
        let depth = |node: usize| view.doc.depth(view.doc.id(node)) as f32;
        let below = self.areas.first().filter(|_| first);
        out.push(below.map_or(-1.0, |area| depth(candidate.element as usize) - depth(area.node())));
        out.push(f32::from(u8::from(self.price_row >= 0.0)));
    }
}

/// What all containers have in common that are built alike: the element of a pair, and the classes of the three above it.
fn template(view: &RecordView, candidate: &Candidate) -> u64 {
    let mut node = candidate.container as usize;
    let mut hash = view.name(candidate.element as usize).index() as u64;
    for _ in 0..3 {
        hash = hash.rotate_left(13) ^ signature(view, node);
        node = view.parent(node);
    }
    hash
}

/// The hashes of the words of title and heading, and the row of the heading; -1 without one.
fn title(view: &RecordView) -> (Set<u64>, f32) {
    let (mut found, mut row) = (Set::default(), -1.0);
    let h1 = view.doc.first(LocalName::H1).filter(|id| view.n_leaves(id.index()) > 0);
    if let Some(id) = h1 {
        let (a, b) = view.leaf_range(id.index());
        row = view.leaves[a].row as f32;
        words(view.slice(view.span(a, b)), |hash| _ = found.insert(hash));
    }
    let title = view.doc.title().unwrap_or_default();
    words(&title[..title.floor_char_boundary(400)], |hash| _ = found.insert(hash));
    (found, row)
}

/// The first short row with a price; -1 without one.
fn price_row(view: &RecordView) -> f32 {
    let is_price = |row: &gristmill_page::Row| {
        let text = view.slice(view.row_span(row));
        text.len() <= 80 && has_price(text)
    };
    view.rows.iter().position(is_price).map_or(-1.0, |row| row as f32)
}

/// What the buttons of shops say, a phrase a line, in lower case; behind `=` those that are all that a button says, since they begin other
/// words elsewhere.
const BUY: &str = include_str!("../dictionary/buy.txt");

/// What buttons say where a thing is sold by telephone or at the seller's, whole, a line each, in lower case; behind `?` those that ask
/// for its price.
const INQUIRE: &str = include_str!("../dictionary/inquire.txt");

/// Whether a row invites to ask the seller.
pub(crate) fn is_inquiry(text: &str) -> bool {
    inquiry(text).is_some()
}

/// Whether a row invites to ask for the price.
pub(crate) fn asks_price(text: &str) -> bool {
    inquiry(text).is_some_and(|line| line.starts_with('?'))
}

/// The line of [`INQUIRE`] that a row is.
fn inquiry(text: &str) -> Option<&'static str> {
    const MAX_BYTES: usize = 60;
    static LINES: LazyLock<Vec<&str>> = LazyLock::new(|| INQUIRE.lines().collect());
    let text = (text.len() <= MAX_BYTES).then(|| text.trim().to_lowercase())?;
    LINES.iter().copied().find(|line| line.strip_prefix('?').unwrap_or(line) == text)
}

/// Whether a row invites to buy.
pub(crate) fn is_buy(text: &str) -> bool {
    if text.len() > 60 {
        return false;
    }
    static WHOLE: LazyLock<Vec<&str>> =
        LazyLock::new(|| BUY.lines().filter_map(|line| line.strip_prefix('=')).collect());
    static FOUND: LazyLock<PhraseMatcher> =
        LazyLock::new(|| PhraseMatcher::new(&BUY.lines().filter(|line| !line.starts_with('=')).collect::<Vec<_>>()));
    let text = text.trim().to_lowercase();
    FOUND.is_in(&text) || WHOLE.contains(&text.trim_end_matches('!'))
}
