//! The numbers that the first look sees of each row.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{MethodInput, Page, PageType, PageTypes, Row, SubtreeStats, dense::dense_rows};
use gristmill_text::{hash, is_letter_or_number};

use super::context::{self, RowContext, SCORES, TAGS};
use super::declared::{self, Witness};
use super::lexicon::{ByHash, GROUPS};
use super::model::TokenTable;
use super::numbers::numbers;
use super::second_stage;
use super::table::FeatureMatrix;
use super::text::{self, TextFeatures, TitleTerms, text_of};

numbers! {
    /// Of a row besides its surroundings. `heading`: the one above; `before`: rows of this text before it.
    OWN, own(whole: &Whole<'_>, facts: &PageFeatures, at: usize, heading: Option<usize>, before: u32) {
        "chars" => whole.row(at).chars as f32 * facts.scale,
        "words" => facts.texts[at].words,
        "link share" => facts.texts[at].link_share,
        "marks" => whole.row(at).marks.all as f32,
        "sentence marks" => whole.row(at).marks.sentence as f32,
        "marks per word" => whole.row(at).marks.all as f32 / facts.texts[at].words.max(1.0),
        "ends a sentence" =>
            flag(matches!(facts.texts[at].last, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '”' | '"' | '؟' | '।')),
        "ends with a colon" => flag(matches!(facts.texts[at].last, ':' | '：')),
        "mean word length" => whole.row(at).chars as f32 / facts.texts[at].words.max(1.0),
        "digit share" => facts.texts[at].digits,
        "capital share" => facts.texts[at].capitals,
        "odd start" => flag(!is_letter_or_number(facts.texts[at].first)),
        "bar or arrow" => flag(facts.texts[at].bar),
        "title share" => text::title_share(whole.page.row_text(whole.row(at)), &whole.title),
        "share of the longest row" => whole.row(at).chars as f32 / whole.longest,
        "tags" => whole.row(at).tags as f32,
        "leaves" => (whole.row(at).end_leaf - whole.row(at).first_leaf) as f32,
        "depth" => whole.page.doc.depth(whole.row(at).block) as f32,
        "index" => at as f32 / whole.n() as f32,
        "rows from the end" => (whole.n() - at) as f32,
        "text before" => whole.sums.text[at] / whole.sums.text[whole.n()].max(1.0),
        "after the first h1" => whole.first_h1.map_or(0.5, |h1| flag(at >= h1)),
        "rows since the first h1" => whole.first_h1.map_or(0.0, |h1| at as f32 - h1 as f32),
        "heading rank" => f32::from(whole.ranks[at]),
        "rank of the heading above" => heading.map_or(0.0, |heading| f32::from(whole.ranks[heading])),
        "rows since a heading" => heading.map_or(-1.0, |heading| (at - heading) as f32),
        "copies" => whole.copies[facts.copies[at] as usize].rows as f32,
        "copies before" => before as f32,
        "same signature" => whole.signature(facts, at).rows as f32,
        "mean text of the signature" => whole.signature(facts, at).mean_text(facts.scale),
        "same path" => whole.path(facts, at).rows as f32,
        "mean text of the path" => whole.path(facts, at).mean_text(facts.scale),
        "spread of the signature" =>
            (whole.signature(facts, at).last - whole.signature(facts, at).first) as f32 / facts.texts.len() as f32,
        "dense run" => flag(whole.dense.contains(&at)),
    }
}

numbers! {
    /// Of the block and three elements around it.
    AROUND, around_one(whole: &Whole<'_>, facts: &PageFeatures, below: SubtreeStats, rows: Range<usize>) {
        "share" => below.chars as f32 * facts.scale / whole.sums.text[whole.n()].max(1.0),
        "link share" => below.link_chars as f32 / below.chars.max(1) as f32,
        "text per tag" => below.chars.max(1) as f32 * facts.scale / (below.tags as f32 + 1.0),
        "marks per text" => below.marks as f32 / below.chars.max(1) as f32,
        "long share" => (whole.sums.long[rows.end] - whole.sums.long[rows.start]) / (below.chars.max(1) as f32 * facts.scale),
        "rows" => rows.len() as f32,
        "links" => below.links as f32,
    }
}

numbers! {
    /// Of each of six neighbours.
    NEAR, near_one(whole: &Whole<'_>, facts: &PageFeatures, at: usize, near: usize) {
        "chars" => whole.row(near).chars as f32 * facts.scale,
        "link share" => facts.texts[near].link_share,
        "sentence marks" => whole.row(near).marks.sentence as f32,
        "same signature" => flag(facts.signatures[near] == facts.signatures[at]),
        "heading" => f32::from(whole.ranks[near]),
    }
}
/// The same of a neighbour that is not there.
const NOBODY: [f32; NEAR.len()] = [-1.0, -1.0, 0.0, 0.0, -1.0];
const NEIGHBOURS: [i32; 6] = [-3, -2, -1, 1, 2, 3];

numbers! {
    /// Of the rows within a reach.
    MASS, mass(whole: &Whole<'_>, four: Range<usize>, twelve: Range<usize>) {
        "text within 4 rows" => whole.plain(&four),
        "link text within 4 rows" => whole.linked(&four).max(0.0),
        "text within 12 rows" => whole.plain(&twelve),
        "link text within 12 rows" => whole.linked(&twelve).max(0.0),
    }
}

numbers! {
    /// Of the page, told roughly: else trees would know pages by it.
    WHOLE, of_page(page: &Page<'_>, sums: &Sums, cjk_share: f32) {
        "link share of the page" => rough(sums.links[page.rows.len()] / sums.text[page.rows.len()].max(1.0)),
        "share of long rows" => rough(sums.long[page.rows.len()] / sums.text[page.rows.len()].max(1.0)),
        "has h1" => flag(page.doc.first(LocalName::H1).is_some()),
        "share of cjk" => rough(cjk_share),
    }
}
const LEVELS: usize = 4;

pub(super) fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

fn rough(share: f32) -> f32 {
    (share * 5.0).round() / 5.0
}

/// How many numbers a row has at the first look.
pub const WIDTH: usize = OWN.len()
    + LEVELS * AROUND.len()
    + NEIGHBOURS.len() * NEAR.len()
    + MASS.len()
    + WHOLE.len()
    + PageType::ALL.len()
    + context::WIDTH
    + declared::WIDTH;

/// Names of the numbers of the first look, in order.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    for level in ["block", "parent", "grandparent", "great-grandparent"] {
        names.extend(AROUND.iter().map(|name| format!("{name} of the {level}")));
    }
    for at in NEIGHBOURS {
        names.extend(NEAR.iter().map(|name| format!("{name} of row {at:+}")));
    }
    names.extend(MASS.iter().chain(&WHOLE).map(|&name| name.to_owned()));
    names.extend(PageType::ALL.iter().map(|kind| format!("page type {}", kind.as_str())));
    names.extend(TAGS.iter().map(|(name, _)| format!("in {name}")));
    names.push("hidden".to_owned());
    names.extend(GROUPS.iter().map(|name| format!("class `{name}`")));
    names.extend(SCORES.iter().map(|name| format!("{name} class score")));
    names.extend(declared::names());
    names
}

/// A page as both looks see it.
pub(super) struct PageFeatures {
    pub(super) texts: Vec<TextFeatures>,
    pub(super) context: RowContext,
    /// Number of the signature of each row, of its path, of its text.
    pub(super) signatures: Vec<u32>,
    pub(super) paths: Vec<u32>,
    pub(super) copies: Vec<u32>,
    /// The block of each row and three elements around it.
    pub(super) around: Vec<[NodeId; LEVELS]>,
    /// What a character counts.
    pub(super) scale: f32,
    pub(super) types: PageTypes,
    /// What the page declares.
    pub(super) witness: Option<Witness>,
    /// The numbers of both looks, row by row; those of the second are 0 until it is taken.
    pub(super) values: FeatureMatrix,
}

const TITLE_SHARE: usize = 13;
const _: () = assert!(matches!(OWN[TITLE_SHARE].as_bytes(), b"title share"));

/// The share of a row's words that stand in the title.
pub(super) fn title_share(facts: &PageFeatures, row: usize) -> f32 {
    facts.values[row * STRIDE + TITLE_SHARE]
}

/// How many numbers a row has in [`PageFeatures::values`].
pub(super) const STRIDE: usize = WIDTH + second_stage::WIDTH;

/// Numbers each distinct key in the order of appearance.
fn numbered(keys: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut known = ByHash::with_capacity_and_hasher(keys.size_hint().0, Default::default());
    keys.map(|key| {
        let next = known.len() as u32;
        *known.entry(key).or_insert(next)
    })
    .collect()
}

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(25) ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn class_hash(doc: &Doc, id: NodeId) -> u64 {
    mix(doc.name(id).index() as u64, doc.attr(id, LocalName::CLASS).map_or(0, |class| hash(class.as_bytes())))
}

/// The block of a row, or the innermost element of its only leaf, and what is around it.
fn around(page: &Page<'_>, row: &Row) -> [NodeId; LEVELS] {
    let mut around = [row.block; LEVELS];
    for level in 1..LEVELS {
        around[level] = page.doc.parent(around[level - 1]).unwrap_or(around[level - 1]);
    }
    around
}

/// Counts and sums of rows with one number.
#[derive(Clone, Copy, Default)]
struct Family {
    rows: u32,
    chars: u32,
    first: u32,
    last: u32,
}

impl Family {
    fn mean_text(&self, scale: f32) -> f32 {
        self.chars as f32 * scale / self.rows as f32
    }
}

fn families(numbers: &[u32], rows: &[Row]) -> Vec<Family> {
    let mut families = vec![Family::default(); numbers.iter().max().map_or(0, |max| *max as usize + 1)];
    for (at, (&number, row)) in numbers.iter().zip(rows).enumerate() {
        let family = &mut families[number as usize];
        if family.rows == 0 {
            family.first = at as u32;
        }
        family.rows += 1;
        family.chars += row.chars;
        family.last = at as u32;
    }
    families
}

/// Sums over the rows before each, to sum any range of rows at once.
struct Sums {
    text: Vec<f32>,
    links: Vec<f32>,
    long: Vec<f32>,
}

impl Sums {
    fn new(page: &Page<'_>, scale: f32, texts: &[TextFeatures]) -> Sums {
        let n = page.rows.len() + 1;
        let mut sums = Sums { text: Vec::with_capacity(n), links: Vec::with_capacity(n), long: Vec::with_capacity(n) };
        let (mut text, mut links, mut long) = (0.0, 0.0, 0.0);
        for (row, facts) in page.rows.iter().zip(texts) {
            sums.text.push(text);
            sums.links.push(links);
            sums.long.push(long);
            text += row.chars as f32 * scale;
            links += row.link_chars as f32 * scale;
            if is_long(row, scale, facts) {
                long += row.chars as f32 * scale;
            }
        }
        sums.text.push(text);
        sums.links.push(links);
        sums.long.push(long);
        sums
    }
}

fn is_long(row: &Row, scale: f32, text: &TextFeatures) -> bool {
    row.chars as f32 * scale >= 70.0 && text.link_share < 0.4
}

/// O(nodes + text), a constant number of passes.
pub(super) fn facts(page: &Page<'_>, query: &MethodInput<'_>, types: &PageTypes, tokens: &TokenTable) -> PageFeatures {
    let rows = &page.rows;
    let texts: Vec<TextFeatures> = rows.iter().map(|row| text_of(page, row)).collect();
    let (cjk, letters) = texts.iter().fold((0, 0), |(cjk, letters), text| (cjk + text.cjk, letters + text.letters));
    let cjk_share = cjk as f32 / letters.max(1) as f32;
    let around: Vec<[NodeId; LEVELS]> = rows.iter().map(|row| around(page, row)).collect();
    let signature = |around: &[NodeId; LEVELS]| mix(class_hash(page.doc, around[0]), class_hash(page.doc, around[1]));
    let signatures = numbered(around.iter().map(signature));
    let words: Vec<f32> = texts.iter().map(|text| text.words.max(0.5)).collect();
    let paths = page.paths();
    let mut facts = PageFeatures {
        scale: 1.0 + 1.5 * cjk_share,
        types: *types,
        witness: Witness::of(page, &words, &signatures),
        context: context::context(page, tokens),
        signatures,
        paths: numbered(rows.iter().map(|row| u64::from(paths.of(row.block)).wrapping_mul(0x9E37_79B9_7F4A_7C15))),
        copies: numbered(rows.iter().map(|row| hash(page.row_text(row).as_bytes()))),
        around,
        texts,
        values: FeatureMatrix::unwritten(rows.len() * STRIDE),
    };
    fill(page, query, types, cjk_share, &mut facts);
    facts
}

/// Writes numbers one after the other.
pub(super) struct FeatureWriter<'r> {
    pub(super) row: &'r mut [f32],
    pub(super) at: usize,
}

impl FeatureWriter<'_> {
    #[inline(always)]
    pub(super) fn put(&mut self, value: f32) {
        self.row[self.at] = value;
        self.at += 1;
    }

    #[inline(always)]
    pub(super) fn flag(&mut self, value: bool) {
        self.put(flag(value));
    }

    #[inline(always)]
    pub(super) fn put_all(&mut self, values: &[f32]) {
        self.row[self.at..self.at + values.len()].copy_from_slice(values);
        self.at += values.len();
    }
}

/// What the rows of a page are compared with.
struct Whole<'p> {
    page: &'p Page<'p>,
    sums: Sums,
    title: TitleTerms,
    dense: Range<usize>,
    signatures: Vec<Family>,
    paths: Vec<Family>,
    copies: Vec<Family>,
    longest: f32,
    ranks: Vec<u8>,
    first_h1: Option<usize>,
}

impl Whole<'_> {
    #[inline(always)]
    fn row(&self, at: usize) -> &Row {
        &self.page.rows[at]
    }

    fn n(&self) -> usize {
        self.page.rows.len()
    }

    #[inline(always)]
    fn signature(&self, facts: &PageFeatures, at: usize) -> &Family {
        &self.signatures[facts.signatures[at] as usize]
    }

    #[inline(always)]
    fn path(&self, facts: &PageFeatures, at: usize) -> &Family {
        &self.paths[facts.paths[at] as usize]
    }

    fn linked(&self, rows: &Range<usize>) -> f32 {
        self.sums.links[rows.end] - self.sums.links[rows.start]
    }

    /// Text that is no link.
    fn plain(&self, rows: &Range<usize>) -> f32 {
        (self.sums.text[rows.end] - self.sums.text[rows.start] - self.linked(rows)).max(0.0)
    }
}

fn fill(page: &Page<'_>, query: &MethodInput<'_>, types: &PageTypes, cjk_share: f32, facts: &mut PageFeatures) {
    let rows = &page.rows;
    let ranks: Vec<u8> = rows.iter().map(|row| page.row_rank(row)).collect();
    let whole = Whole {
        page,
        sums: Sums::new(page, facts.scale, &facts.texts),
        title: TitleTerms::new(query),
        dense: dense_rows(page),
        signatures: families(&facts.signatures, rows),
        paths: families(&facts.paths, rows),
        copies: families(&facts.copies, rows),
        longest: rows.iter().map(|row| row.chars).max().unwrap_or(1).max(1) as f32,
        first_h1: ranks.iter().position(|&rank| rank == 1),
        ranks,
    };
    let shared = shared(page, &whole.sums, cjk_share, types);
    let mut heading: Option<usize> = None;
    let mut seen = vec![0u32; whole.copies.len()];
    let mut values = std::mem::take(&mut facts.values);
    for (at, row) in values.chunks_exact_mut(STRIDE).enumerate() {
        let mut out = FeatureWriter { row: &mut *row, at: 0 };
        let copy = facts.copies[at] as usize;
        out.put_all(&own(&whole, facts, at, heading, seen[copy]));
        seen[copy] += 1;
        if whole.ranks[at] > 0 {
            heading = Some(at);
        }
        around_features(&whole, facts, at, &mut out);
        near_features(&whole, facts, at, &mut out);
        out.put_all(&shared);
        out.put_all(&facts.context.values[at * context::WIDTH..(at + 1) * context::WIDTH]);
        let witness = facts.witness.as_ref();
        out.put_all(
            &witness.map_or([0.0; declared::WIDTH], |witness| witness.numbers(page, facts, at, &facts.around[at])),
        );
        debug_assert_eq!(out.at, WIDTH);
        row[WIDTH..].fill(0.0);
    }
    facts.values = values;
}

fn near_features(whole: &Whole<'_>, facts: &PageFeatures, at: usize, out: &mut FeatureWriter<'_>) {
    let n = whole.n();
    for offset in NEIGHBOURS {
        let near = at as i64 + i64::from(offset);
        let near = usize::try_from(near).ok().filter(|&near| near < n);
        out.put_all(&near.map_or(NOBODY, |near| near_one(whole, facts, at, near)));
    }
    let within = |reach: usize| at.saturating_sub(reach)..(at + reach + 1).min(n);
    out.put_all(&mass(whole, within(4), within(12)));
}

fn around_features(whole: &Whole<'_>, facts: &PageFeatures, at: usize, out: &mut FeatureWriter<'_>) {
    for id in facts.around[at] {
        let rows = facts.context.rows(whole.page, id);
        out.put_all(&around_one(whole, facts, whole.page.elements().below(id), rows));
    }
}

/// What all rows of a page share.
fn shared(page: &Page<'_>, sums: &Sums, cjk_share: f32, types: &PageTypes) -> [f32; WHOLE.len() + PageType::ALL.len()] {
    let mut shared = [0.0; WHOLE.len() + PageType::ALL.len()];
    let (whole, of_types) = shared.split_at_mut(WHOLE.len());
    whole.copy_from_slice(&of_page(page, sums, cjk_share));
    of_types.iter_mut().zip(types.0).for_each(|(to, share)| *to = rough(share));
    shared
}
