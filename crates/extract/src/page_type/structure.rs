//! The tree of a page: tags, class words, how much text lies below them, and what repeats.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, is_dropped};

use super::declared::{N_TYPES, count_item};
use super::numbers::FeatureVector;
use super::rows::{BUY, DATE, LONG, PRICE, REPLY};
use super::words::{ClassWords, ElementWords, GROUPS, TEMPLATES, bit, templates};

/// Tags whose text is counted, as bits beyond those of the class words.
const REGIONS: [&[LocalName]; 8] = [
    &[LocalName::MAIN],
    &[LocalName::ARTICLE],
    &[LocalName::P],
    &[LocalName::LI],
    &[LocalName::TABLE],
    &[LocalName::PRE, LocalName::CODE],
    &[LocalName::NAV, LocalName::HEADER, LocalName::FOOTER, LocalName::ASIDE],
    &[LocalName::FORM],
];

static REGION_BITS: [u32; LocalName::TABLE_LEN] = region_bits();

const fn region_bits() -> [u32; LocalName::TABLE_LEN] {
    let mut bits = [0; LocalName::TABLE_LEN];
    let mut region = 0;
    while region < REGIONS.len() {
        let mut n = 0;
        while n < REGIONS[region].len() {
            bits[REGIONS[region][n].index()] |= 1 << (GROUPS.len() + region);
            n += 1;
        }
        region += 1;
    }
    bits
}

const CHROME: u32 = bit("nav") | bit("foot") | 1 << (GROUPS.len() + 6);

/// Attributes that scripts of shops and forums hang on elements.
const DATA: [&[&str]; 3] = [
    &[
        "data-product-id",
        "data-product",
        "data-sku",
        "data-productid",
        "data-product-sku",
        "data-asin",
        "data-product_id",
        "data-variant-id",
        "data-item-id",
        "data-pid",
    ],
    &["data-price", "data-product-price", "data-currency", "data-price-amount"],
    &[
        "data-post-id",
        "data-comment-id",
        "data-topic-id",
        "data-author",
        "data-user-id",
        "data-username",
        "data-user-card",
        "data-answerid",
        "data-questionid",
    ],
];

/// Sums over a range of nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    chars: u32,
    link_chars: u32,
    images: u32,
    links: u32,
    prices: u32,
    dates: u32,
    long: u32,
    replies: u32,
    buys: u32,
}

impl Sums {
    fn minus(self, other: &Sums) -> Sums {
        Sums {
            chars: self.chars - other.chars,
            link_chars: self.link_chars - other.link_chars,
            images: self.images - other.images,
            links: self.links - other.links,
            prices: self.prices - other.prices,
            dates: self.dates - other.dates,
            long: self.long - other.long,
            replies: self.replies - other.replies,
            buys: self.buys - other.buys,
        }
    }
}

struct Tree<'d> {
    doc: &'d Doc,
    /// Sums over all nodes before each.
    before: Vec<Sums>,
    /// Groups and regions of each node and all around it.
    inside: Vec<u32>,
    /// Hash of each element's class.
    classes: Vec<u64>,
    /// Elements by class group, and by tag.
    with_word: [u32; GROUPS.len()],
    tags: [u32; LocalName::TABLE_LEN],
    items: [u32; N_TYPES],
}

/// Adds what the tree shows; returns the types that its `itemtype` attributes declare. `events` belong to the rows.
pub(super) fn add(page: &Page<'_>, scale: f32, events: &[u8], features: &mut FeatureVector) -> [u32; N_TYPES] {
    let tree = Tree::new(page, events);
    let elements: u32 = tree.tags.iter().sum();
    for count in tree.with_word {
        features.count(count);
        features.share(count, elements);
    }
    text_by_region(page, &tree, features);
    let named = templates(page.doc);
    (0..TEMPLATES.len()).for_each(|bit| features.flag(named >> bit & 1 == 1));
    tags(&tree, elements, features);
    controls(page.doc, features);
    let candidates = tree.candidates();
    let by_parent =
        |&id: &NodeId| mix(tree.doc.parent(id).map_or(0, NodeId::index) as u64, tree.doc.name(id).index() as u64);
    let by_class = |&id: &NodeId| {
        let parent = tree.doc.parent(id).unwrap_or(NodeId::DOCUMENT);
        mix(tree.classes[id.index()] ^ tree.classes[parent.index()].rotate_left(17), tree.doc.name(id).index() as u64)
    };
    repeated(&tree, candidates.iter().map(|id| (by_parent(id), *id)).collect(), scale, features);
    repeated(&tree, candidates.iter().map(|id| (by_class(id), *id)).collect(), scale, features);
    tree.items
}

fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(23)
}

impl<'d> Tree<'d> {
    fn new(page: &Page<'d>, events: &[u8]) -> Tree<'d> {
        let doc = page.doc;
        let n = doc.len();
        let mut tree = Tree {
            doc,
            before: Vec::with_capacity(n + 1),
            inside: vec![0; n],
            classes: vec![0; n],
            with_word: [0; GROUPS.len()],
            tags: [0; LocalName::TABLE_LEN],
            items: [0; N_TYPES],
        };
        let words = ClassWords::new(page.named());
        let mut leaves = page.leaves.iter().peekable();
        let (mut sums, mut next_row) = (Sums::default(), 0);
        let mut dropped_until = 0;
        for id in doc.ids() {
            tree.before.push(sums);
            if id.index() < dropped_until {
                continue;
            }
            if doc.is_element(id) {
                if is_dropped(doc.name(id)) {
                    dropped_until = doc.end(id);
                    continue;
                }
                tree.element(id, &words);
                sums.images += u32::from(doc.name(id) == LocalName::IMG);
                sums.links += u32::from(doc.name(id) == LocalName::A);
            } else if leaves.peek().is_some_and(|leaf| leaf.node == id) {
                let leaf = leaves.next().expect("it was peeked at");
                sums.chars += leaf.chars;
                sums.link_chars += if leaf.in_link { leaf.chars } else { 0 };
                if leaf.row >= next_row {
                    next_row = leaf.row + 1;
                    sums.row(events[leaf.row as usize]);
                }
                tree.inside[id.index()] = doc.parent(id).map_or(0, |parent| tree.inside[parent.index()]);
            }
        }
        tree.before.push(sums);
        tree
    }

    fn element(&mut self, id: NodeId, words: &ClassWords<'_>) {
        let doc = self.doc;
        let name = doc.name(id);
        if let Some(count) = self.tags.get_mut(name.index()) {
            *count += 1;
        }
        let ElementWords { groups, class, item } = words.of(doc, id);
        // What `body` is called is said of the page, not of a part of it.
        let groups = if matches!(name, LocalName::BODY | LocalName::HTML) { 0 } else { groups };
        let mut left = groups;
        while left != 0 {
            self.with_word[left.trailing_zeros() as usize] += 1;
            left &= left - 1;
        }
        let own = groups | REGION_BITS.get(name.index()).copied().unwrap_or(0);
        self.classes[id.index()] = class;
        self.inside[id.index()] = own | doc.parent(id).map_or(0, |parent| self.inside[parent.index()]);
        item.into_iter().for_each(|item| count_item(item, &mut self.items));
    }

    fn below(&self, id: NodeId) -> Sums {
        self.before[self.doc.end(id)].minus(&self.before[id.index()])
    }

    /// Elements that may be items of a list: with some text, outside of navigation and footers.
    fn candidates(&self) -> Vec<NodeId> {
        const INLINE: [LocalName; 9] = [
            LocalName::SPAN,
            LocalName::B,
            LocalName::I,
            LocalName::EM,
            LocalName::STRONG,
            LocalName::BR,
            LocalName::IMG,
            LocalName::SMALL,
            LocalName::TD,
        ];
        let doc = self.doc;
        let fits = |&id: &NodeId| {
            doc.is_element(id)
                && self.inside[id.index()] & CHROME == 0
                && self.before[doc.end(id)].chars - self.before[id.index()].chars >= 8
                && !INLINE.contains(&doc.name(id))
        };
        doc.ids().skip(1).filter(fits).collect()
    }
}

impl Sums {
    fn row(&mut self, events: u8) {
        self.prices += u32::from(events & PRICE != 0);
        self.dates += u32::from(events & DATE != 0);
        self.long += u32::from(events & LONG != 0);
        self.replies += u32::from(events & REPLY != 0);
        self.buys += u32::from(events & BUY != 0);
    }
}

/// How much of the text lies under each group of class words and in each region.
fn text_by_region(page: &Page<'_>, tree: &Tree<'_>, features: &mut FeatureVector) {
    const N: usize = GROUPS.len() + REGIONS.len();
    let (mut chars, mut all, mut plain, mut all_plain) = ([0u32; N], 0, 0, 0);
    for leaf in &page.leaves {
        let inside = tree.inside[leaf.node.index()];
        all += leaf.chars;
        if !leaf.in_link {
            all_plain += leaf.chars;
            plain += if inside & CHROME == 0 { leaf.chars } else { 0 };
        }
        let mut left = inside;
        while left != 0 {
            chars[left.trailing_zeros() as usize] += leaf.chars;
            left &= left - 1;
        }
    }
    chars.into_iter().for_each(|chars| features.share(chars, all));
    features.share(plain, all);
    features.share(plain, all_plain);
}

fn tags(tree: &Tree<'_>, elements: u32, features: &mut FeatureVector) {
    let of = |names: &[LocalName]| -> u32 { names.iter().map(|name| tree.tags[name.index()]).sum() };
    let counted: [&[LocalName]; 20] = [
        &[LocalName::P],
        &[LocalName::H2],
        &[LocalName::H3, LocalName::H4],
        &[LocalName::PRE],
        &[LocalName::CODE, LocalName::KBD, LocalName::SAMP, LocalName::VAR],
        &[LocalName::TABLE],
        &[LocalName::TR],
        &[LocalName::TH],
        &[LocalName::DT],
        &[LocalName::LI],
        &[LocalName::IMG],
        &[LocalName::TIME],
        &[LocalName::ARTICLE],
        &[LocalName::SECTION],
        &[LocalName::BLOCKQUOTE],
        &[LocalName::FIGURE, LocalName::FIGCAPTION],
        &[LocalName::IFRAME, LocalName::VIDEO],
        &[LocalName::SVG],
        &[LocalName::S, LocalName::DEL, LocalName::STRIKE, LocalName::INS],
        &[LocalName::A],
    ];
    for names in counted {
        features.count(of(names));
    }
    for names in [
        &[LocalName::P][..],
        &[LocalName::LI],
        &[LocalName::IMG],
        &[LocalName::A],
        &[LocalName::DIV],
        &[LocalName::SPAN],
        &[LocalName::BR],
    ] {
        features.share(of(names), elements);
    }
    features.count(elements);
    features.share(of(&[LocalName::IMG]), of(&[LocalName::P]) + 1);
}

/// Forms: what can be typed, chosen and pressed; and what scripts need to know of products, prices and posts.
fn controls(doc: &Doc, features: &mut FeatureVector) {
    let data = DATA.map(|names| names.iter().filter_map(|name| doc.find_name(name)).collect::<Vec<LocalName>>());
    let mut held = [0u32; DATA.len()];
    let (mut texts, mut numbers, mut searches, mut choices, mut buttons, mut areas, mut prices, mut carts) =
        (0, 0, 0, 0, 0, 0, 0, 0);
    for id in doc.ids().filter(|&id| doc.is_element(id)) {
        match doc.name(id) {
            LocalName::INPUT => match doc.attr(id, LocalName::TYPE).unwrap_or("text") {
                "number" | "tel" => numbers += 1,
                "search" => searches += 1,
                "radio" | "checkbox" => choices += 1,
                "submit" | "button" => buttons += 1,
                "hidden" => {}
                _ => texts += 1,
            },
            LocalName::SELECT => choices += 1,
            LocalName::TEXTAREA => areas += 1,
            LocalName::BUTTON => buttons += 1,
            LocalName::FORM => carts += u32::from(is_cart(doc, id)),
            _ => {}
        }
    }
    for at in 0..doc.n_attributes() {
        match doc.attribute_name(at) {
            LocalName::ITEMPROP => prices += u32::from(doc.attribute_value(at) == "price"),
            name if name.index() >= LocalName::TABLE_LEN => {
                for (held, names) in held.iter_mut().zip(&data) {
                    *held += u32::from(names.contains(&name));
                }
            }
            _ => {}
        }
    }
    for count in [texts, numbers, searches, choices, buttons, areas, prices, carts] {
        features.count(count);
    }
    held.into_iter().for_each(|count| features.count(count));
}

/// Whether a form sends something to a cart, by the words of its address.
fn is_cart(doc: &Doc, form: NodeId) -> bool {
    let Some(action) = doc.find_name("action").and_then(|name| doc.attr(form, name)) else { return false };
    let action = action[..action.floor_char_boundary(300)].to_ascii_lowercase();
    ["cart", "basket", "checkout", "warenkorb", "panier", "carrito", "carrello", "korzin", "koszyk"]
        .iter()
        .any(|word| action.contains(word))
}

/// What the items of one list have in common.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    n: u32,
    all: Sums,
    /// Items with an image, a link, a price, a date, a long row, a reply button.
    with: [u32; 6],
    largest: u32,
}

impl Group {
    fn add(&mut self, sums: &Sums) {
        self.n += 1;
        self.all.chars += sums.chars;
        self.all.link_chars += sums.link_chars;
        self.all.long += sums.long;
        self.largest = self.largest.max(sums.chars);
        let counts = [sums.images, sums.links, sums.prices, sums.dates, sums.long, sums.replies];
        for (with, count) in self.with.iter_mut().zip(counts) {
            *with += u32::from(count > 0);
        }
    }

    /// At least three items, none of which is most of the text.
    fn is_list(&self) -> bool {
        self.n >= 3 && self.largest * 10 <= self.all.chars * 6
    }
}

/// Takes out most keys that fewer than three elements have, so that there is less to sort.
fn keep_threes(keyed: &mut Vec<(u64, NodeId)>) {
    const PLACES: usize = 2048;
    let place = |key: u64| (key >> 53) as usize % PLACES;
    let mut counts = [0u8; PLACES];
    for (key, _) in keyed.iter() {
        let count = &mut counts[place(*key)];
        *count = count.saturating_add(1);
    }
    keyed.retain(|(key, _)| counts[place(*key)] >= 3);
}

/// The lists among elements with equal keys: the one with the most text, and the longest of each sort.
fn repeated(tree: &Tree<'_>, mut keyed: Vec<(u64, NodeId)>, scale: f32, features: &mut FeatureVector) {
    keep_threes(&mut keyed);
    keyed.sort_unstable();
    let mut best = Group::default();
    let (mut cards, mut priced, mut dated, mut posts, mut linked, mut replied) = (0, 0, 0, 0, 0, 0);
    for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() >= 3) {
        let mut group = Group::default();
        same.iter().for_each(|&(_, id)| group.add(&tree.below(id)));
        if !group.is_list() {
            continue;
        }
        let [images, links, prices, dates, long, replies] = group.with;
        cards = cards.max(images.min(links));
        priced = priced.max(prices.min(links));
        dated = dated.max(dates.min(links));
        posts = posts.max(dates.min(long));
        replied = replied.max(replies);
        let mostly_link = group.all.link_chars * 2 > group.all.chars;
        linked = linked.max(if mostly_link && group.all.chars >= 20 * group.n { links } else { 0 });
        if group.all.chars > best.all.chars {
            best = group;
        }
    }
    for count in [cards, priced, dated, posts, linked, replied, best.n] {
        features.count(count);
    }
    let page = tree.before.last().map_or(0, |sums| sums.chars);
    features.share(best.all.chars, page);
    features.share(best.all.link_chars, best.all.chars);
    features.count((best.all.chars as f32 * scale) as u32 / best.n.max(1));
    features.share(best.largest, best.all.chars);
    best.with.into_iter().for_each(|with| features.share(with, best.n));
}
