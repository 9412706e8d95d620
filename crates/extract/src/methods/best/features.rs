//! The numbers that the first look sees of each row.

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::hash;

use super::context::{self, Context, SCORES, TAGS};
use super::lexicon::{ByHash, GROUPS};
use super::model::Tokens;
use super::second;
use super::text::{self, Text, TitleWords, text_of};
use crate::method::Query;
use crate::methods::mcstd::dense_rows;
use crate::page::{Page, Row};
use crate::page_type::{PageType, PageTypes};

/// Numbers of a row besides those of its surroundings.
const OWN: [&str; 34] = [
    "chars",
    "words",
    "link share",
    "marks",
    "sentence marks",
    "marks per word",
    "ends a sentence",
    "ends with a colon",
    "mean word length",
    "digit share",
    "capital share",
    "odd start",
    "bar or arrow",
    "title share",
    "share of the longest row",
    "tags",
    "leaves",
    "depth",
    "index",
    "rows from the end",
    "text before",
    "after the first h1",
    "rows since the first h1",
    "heading rank",
    "rank of the heading above",
    "rows since a heading",
    "copies",
    "copies before",
    "same signature",
    "mean text of the signature",
    "same path",
    "mean text of the path",
    "spread of the signature",
    "dense run",
];
/// Of the block and three elements around it.
const AROUND: [&str; 7] = ["share", "link share", "text per tag", "marks per text", "long share", "rows", "images"];
/// Of each of six neighbours.
const NEAR: [&str; 5] = ["chars", "link share", "sentence marks", "same signature", "heading"];
const NEIGHBOURS: [i32; 6] = [-3, -2, -1, 1, 2, 3];
const MASS: [&str; 4] =
    ["text within 4 rows", "link text within 4 rows", "text within 12 rows", "link text within 12 rows"];
const WHOLE: [&str; 4] = ["link share of the page", "share of long rows", "has h1", "share of cjk"];
const LEVELS: usize = 4;

/// How many numbers a row has at the first look.
pub const WIDTH: usize = OWN.len()
    + LEVELS * AROUND.len()
    + NEIGHBOURS.len() * NEAR.len()
    + MASS.len()
    + WHOLE.len()
    + PageType::ALL.len()
    + context::WIDTH;

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
    names.extend(GROUPS.iter().map(|(name, _)| format!("class `{name}`")));
    names.extend(SCORES.iter().map(|name| format!("{name} class score")));
    names
}

/// A page as both looks see it.
pub(super) struct Facts {
    pub(super) texts: Vec<Text>,
    pub(super) context: Context,
    /// Number of the signature of each row, of its path, of its text.
    pub(super) signatures: Vec<u32>,
    pub(super) paths: Vec<u32>,
    pub(super) copies: Vec<u32>,
    /// The block of each row and three elements around it.
    pub(super) around: Vec<[NodeId; LEVELS]>,
    /// What a character counts.
    pub(super) scale: f32,
    pub(super) types: PageTypes,
    /// The numbers of both looks, row by row; those of the second are 0 until it is taken.
    pub(super) values: Vec<f32>,
}

const TITLE_SHARE: usize = 13;
const _: () = assert!(matches!(OWN[TITLE_SHARE].as_bytes(), b"title share"));

/// The share of a row's words that stand in the title.
pub(super) fn title_share(facts: &Facts, row: usize) -> f32 {
    facts.values[row * STRIDE + TITLE_SHARE]
}

/// How many numbers a row has in [`Facts::values`].
pub(super) const STRIDE: usize = WIDTH + second::WIDTH;

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
    mix(doc.name(id).index() as u64, doc.attr(id, Name::CLASS).map_or(0, |class| hash(class.as_bytes())))
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

/// Rank of a heading, 0 for other rows.
pub(super) fn rank(page: &Page<'_>, row: &Row) -> u8 {
    if !row.in_heading {
        return 0;
    }
    let heading = std::iter::once(row.block).chain(page.doc.ancestors(row.block)).take(6).find_map(|id| {
        [Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6].iter().position(|&name| name == page.doc.name(id))
    });
    heading.map_or(6, |at| at as u8 + 1)
}

/// Sums over the rows before each, to sum any range of rows at once.
struct Sums {
    text: Vec<f32>,
    links: Vec<f32>,
    long: Vec<f32>,
}

impl Sums {
    fn new(page: &Page<'_>, scale: f32, texts: &[Text]) -> Sums {
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

fn is_long(row: &Row, scale: f32, text: &Text) -> bool {
    row.chars as f32 * scale >= 70.0 && text.link_share < 0.4
}

/// O(nodes + text), a constant number of passes.
pub(super) fn facts(page: &Page<'_>, query: &Query<'_>, types: &PageTypes, tokens: Tokens<'_>) -> Facts {
    let rows = &page.rows;
    let texts: Vec<Text> = rows.iter().map(|row| text_of(page, row)).collect();
    let (cjk, letters) = texts.iter().fold((0, 0), |(cjk, letters), text| (cjk + text.cjk, letters + text.letters));
    let cjk_share = cjk as f32 / letters.max(1) as f32;
    let around: Vec<[NodeId; LEVELS]> = rows.iter().map(|row| around(page, row)).collect();
    let signature = |around: &[NodeId; LEVELS]| mix(class_hash(page.doc, around[0]), class_hash(page.doc, around[1]));
    let paths = page.paths();
    let mut facts = Facts {
        scale: 1.0 + 1.5 * cjk_share,
        types: *types,
        context: context::context(page, tokens),
        signatures: numbered(around.iter().map(signature)),
        paths: numbered(rows.iter().map(|row| u64::from(paths.of(row.block)).wrapping_mul(0x9E37_79B9_7F4A_7C15))),
        copies: numbered(rows.iter().map(|row| hash(page.row_text(row).as_bytes()))),
        around,
        texts,
        values: vec![0.0; rows.len() * STRIDE],
    };
    fill(page, query, types, cjk_share, &mut facts);
    facts
}

/// Writes numbers one after the other.
pub(super) struct Cursor<'r> {
    pub(super) row: &'r mut [f32],
    pub(super) at: usize,
}

impl Cursor<'_> {
    #[inline(always)]
    pub(super) fn put(&mut self, value: f32) {
        self.row[self.at] = value;
        self.at += 1;
    }

    #[inline(always)]
    pub(super) fn flag(&mut self, value: bool) {
        self.put(f32::from(u8::from(value)));
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
    title: TitleWords,
    dense: std::ops::Range<usize>,
    signatures: Vec<Family>,
    paths: Vec<Family>,
    copies: Vec<Family>,
    longest: f32,
    ranks: Vec<u8>,
    first_h1: Option<usize>,
}

fn fill(page: &Page<'_>, query: &Query<'_>, types: &PageTypes, cjk_share: f32, facts: &mut Facts) {
    let rows = &page.rows;
    let ranks: Vec<u8> = rows.iter().map(|row| rank(page, row)).collect();
    let whole = Whole {
        page,
        sums: Sums::new(page, facts.scale, &facts.texts),
        title: TitleWords::new(query),
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
        let mut out = Cursor { row, at: 0 };
        text_features(&whole, facts, at, &mut out);
        out.put(heading.map_or(0.0, |heading| f32::from(whole.ranks[heading])));
        out.put(heading.map_or(-1.0, |heading| (at - heading) as f32));
        if whole.ranks[at] > 0 {
            heading = Some(at);
        }
        let copy = facts.copies[at] as usize;
        out.put_all(&[whole.copies[copy].rows as f32, seen[copy] as f32]);
        seen[copy] += 1;
        family_features(&whole, facts, at, &mut out);
        around_features(&whole, facts, at, &mut out);
        near_features(&whole, facts, at, &mut out);
        out.put_all(&shared);
        out.put_all(&facts.context.values[at * context::WIDTH..(at + 1) * context::WIDTH]);
        debug_assert_eq!(out.at, WIDTH);
    }
    facts.values = values;
}

fn text_features(whole: &Whole<'_>, facts: &Facts, at: usize, out: &mut Cursor<'_>) {
    let (row, text, n) = (&whole.page.rows[at], &facts.texts[at], whole.page.rows.len());
    let chars = row.chars as f32;
    out.put_all(&[
        chars * facts.scale,
        text.words,
        text.link_share,
        row.marks.all as f32,
        row.marks.sentence as f32,
        row.marks.all as f32 / text.words.max(1.0),
    ]);
    out.flag(matches!(text.last, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '”' | '"' | '؟' | '।'));
    out.flag(matches!(text.last, ':' | '：'));
    out.put_all(&[chars / text.words.max(1.0), text.digits, text.capitals]);
    out.flag(!text.first.is_alphanumeric());
    out.flag(text.bar);
    out.put_all(&[
        text::title_share(whole.page.row_text(row), &whole.title),
        chars / whole.longest,
        row.tags as f32,
        (row.end_leaf - row.first_leaf) as f32,
        whole.page.doc.depth(row.block) as f32,
        at as f32 / n as f32,
        (n - at) as f32,
        whole.sums.text[at] / whole.sums.text[n].max(1.0),
    ]);
    out.put(whole.first_h1.map_or(0.5, |h1| f32::from(u8::from(at >= h1))));
    out.put(whole.first_h1.map_or(0.0, |h1| at as f32 - h1 as f32));
    out.put(f32::from(whole.ranks[at]));
}

fn family_features(whole: &Whole<'_>, facts: &Facts, at: usize, out: &mut Cursor<'_>) {
    let signature = whole.signatures[facts.signatures[at] as usize];
    for family in [signature, whole.paths[facts.paths[at] as usize]] {
        out.put(family.rows as f32);
        out.put(family.chars as f32 * facts.scale / family.rows as f32);
    }
    out.put((signature.last - signature.first) as f32 / facts.texts.len() as f32);
    out.flag(whole.dense.contains(&at));
}

fn near_features(whole: &Whole<'_>, facts: &Facts, at: usize, out: &mut Cursor<'_>) {
    let (rows, n) = (&whole.page.rows, whole.page.rows.len());
    for offset in NEIGHBOURS {
        let near = at as i64 + i64::from(offset);
        match usize::try_from(near).ok().filter(|&near| near < n) {
            Some(near) => out.put_all(&[
                rows[near].chars as f32 * facts.scale,
                facts.texts[near].link_share,
                rows[near].marks.sentence as f32,
                f32::from(u8::from(facts.signatures[near] == facts.signatures[at])),
                f32::from(whole.ranks[near]),
            ]),
            None => out.put_all(&[-1.0, -1.0, 0.0, 0.0, -1.0]),
        }
    }
    for reach in [4, 12] {
        let range = at.saturating_sub(reach)..(at + reach + 1).min(n);
        let links = whole.sums.links[range.end] - whole.sums.links[range.start];
        out.put((whole.sums.text[range.end] - whole.sums.text[range.start] - links).max(0.0));
        out.put(links.max(0.0));
    }
}

fn around_features(whole: &Whole<'_>, facts: &Facts, at: usize, out: &mut Cursor<'_>) {
    let total = whole.sums.text[facts.texts.len()].max(1.0);
    for id in facts.around[at] {
        let below = whole.page.elements().below(id);
        let rows = facts.context.rows(whole.page, id);
        let chars = below.chars.max(1) as f32;
        let long = whole.sums.long[rows.end] - whole.sums.long[rows.start];
        out.put_all(&[
            below.chars as f32 * facts.scale / total,
            below.link_chars as f32 / chars,
            chars * facts.scale / (below.tags as f32 + 1.0),
            below.marks as f32 / chars,
            long / (chars * facts.scale),
            rows.len() as f32,
            below.links as f32,
        ]);
    }
}

/// What all rows of a page share is told roughly, else trees would know pages by it.
fn shared(page: &Page<'_>, sums: &Sums, cjk_share: f32, types: &PageTypes) -> [f32; WHOLE.len() + PageType::ALL.len()] {
    let rough = |share: f32| (share * 5.0).round() / 5.0;
    let n = page.rows.len();
    let total = sums.text[n].max(1.0);
    let has_h1 = page.doc.first(Name::H1).is_some();
    let mut whole = [0.0; WHOLE.len() + PageType::ALL.len()];
    whole[..WHOLE.len()].copy_from_slice(&[
        rough(sums.links[n] / total),
        rough(sums.long[n] / total),
        f32::from(u8::from(has_h1)),
        rough(cjk_share),
    ]);
    for (to, from) in whole[WHOLE.len()..].iter_mut().zip(types.0) {
        *to = rough(from);
    }
    whole
}
