//! What the accept model sees of a candidate: itself, its group, what stands around it, and the page.

use gristmill_html::Name;

use crate::candidate::{Candidate, Layout};
use crate::context::{self, Context, GROUPS, Heading, Section, headings};
use crate::dictionary::{Dictionary, NameKind, fold, without_number};
use crate::hash::{Map, Set};
use crate::hmm::{Area, Container, Stop, areas};
use crate::price::has_price;
use crate::readers::signature;
use crate::second::Shape;
use crate::units::has_quantity;
use crate::view::View;

/// Facts of one candidate that its group sums up.
#[derive(Debug, Clone, Default)]
struct Own {
    name_chars: f32,
    name_words: f32,
    value_chars: f32,
    value_rows: f32,
    value_words: f32,
    spec: f32,
    offer: f32,
    name_link: f32,
    value_link: f32,
    digits: f32,
    has_price: f32,
    has_unit: f32,
    sentence: f32,
    delimited: f32,
    marked: f32,
    name_hash: u64,
    value_hash: u64,
}

/// Candidates of one layout in one container.
#[derive(Debug, Clone, Default)]
struct Group {
    n: f32,
    sum: Own,
    names: Set<u64>,
    values: Set<u64>,
    chars: f32,
}

/// All that the features of one page's candidates share.
pub(crate) struct Numbers<'v, 'd> {
    view: &'v View<'d>,
    context: Context,
    headings: Vec<Heading>,
    areas: Vec<Area>,
    title: Set<u64>,
    h1_row: f32,
    price_row: f32,
    own: Vec<Own>,
    group_of: Vec<u32>,
    groups: Vec<Group>,
    /// Groups of all containers that look alike: the tables of one specification, section by section.
    family_of: Vec<u32>,
    families: Vec<Group>,
    largest_group: f32,
}

/// Names of the features after the bits of [`GROUPS`], which come first, twice: anywhere above, and near.
const NAMES: [&str; 85] = [
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

impl<'v, 'd> Numbers<'v, 'd> {
    pub(crate) fn new(view: &'v View<'d>, candidates: &[Candidate], dictionary: &Dictionary) -> Numbers<'v, 'd> {
        let container = Container::new(dictionary, Stop::Boundary(0.6));
        let own: Vec<Own> = candidates.iter().map(|candidate| own(view, candidate, dictionary)).collect();
        let (group_of, groups) = group(candidates, &own, |candidate| u64::from(candidate.container));
        let signs = |candidate: &Candidate| {
            let sign = |node| signature(view, node).rotate_left(7);
            sign(candidate.element as usize) ^ signature(view, candidate.container as usize)
        };
        let (family_of, families) = group(candidates, &own, signs);
        let mut page = Numbers {
            view,
            context: Context::new(view),
            headings: headings(view),
            areas: areas(view, &container),
            title: Set::default(),
            h1_row: -1.0,
            price_row: -1.0,
            largest_group: groups.iter().map(|group| group.n).fold(1.0, f32::max),
            own,
            group_of,
            groups,
            family_of,
            families,
        };
        page.read_rows();
        page.read_title();
        page
    }

    fn read_rows(&mut self) {
        for n in 0..self.view.rows.len() {
            let row = &self.view.rows[n];
            let text = self.view.slice(self.view.row_span(row));
            if text.len() > 80 {
                continue;
            }
            if self.price_row < 0.0 && has_price(text) {
                self.price_row = n as f32;
            }
        }
    }

    fn read_title(&mut self) {
        let h1 = self.view.doc.first(Name::H1).filter(|id| self.view.n_leaves(id.index()) > 0);
        if let Some(id) = h1 {
            let (a, b) = self.view.leaf_range(id.index());
            self.h1_row = self.view.leaves[a].row as f32;
            words(self.view.slice(self.view.span(a, b)), |hash| _ = self.title.insert(hash));
        }
        let title = self.view.doc.title().unwrap_or_default();
        words(&title[..title.floor_char_boundary(400)], |hash| _ = self.title.insert(hash));
    }

    fn overlap(&self, text: &str) -> f32 {
        let (mut n, mut hits) = (0.0f32, 0.0);
        words(&text[..text.floor_char_boundary(200)], |hash| {
            n += 1.0;
            hits += f32::from(u8::from(self.title.contains(&hash)));
        });
        hits / n.max(1.0)
    }

    /// The section that a row stands in: kind, rows since its heading, level.
    fn section(&self, row: u32) -> (f32, f32, f32, f32) {
        let at = self.headings.partition_point(|heading| heading.row < row);
        let Some(last) = at.checked_sub(1).map(|at| self.headings[at]) else { return (-1.0, 999.0, 0.0, -1.0) };
        // The section of any rank above: the nearest heading of a higher rank than the last one.
        let upper = self.headings[..at].iter().rev().take(30).find(|heading| heading.level < last.level);
        let code = |section| match section {
            Section::Noise => 0.0,
            Section::Other => 1.0,
            Section::Detail => 2.0,
            Section::Spec => 3.0,
        };
        let all = upper.map_or(-1.0, |heading| code(heading.section));
        (code(last.section), (row - last.row) as f32, f32::from(last.level), all)
    }

    /// Whether the candidate stands where products' attributes do not, whatever the model thinks: under a heading
    /// that announces something else, or in a block of delivery terms, among names of which few are attributes.
    pub(crate) fn is_elsewhere(&mut self, candidates: &[Candidate], n: usize) -> bool {
        let candidate = &candidates[n];
        let group = &self.groups[self.group_of[n] as usize];
        if self.own[n].spec > 0.0 || group.sum.spec / group.n >= 0.3 {
            return false;
        }
        let row = self.view.leaves[self.view.leaf_at(candidate.name.start)].row;
        let near = self.context.near(self.view, candidate.element as usize);
        self.section(row).0 == 0.0 && near & context::group("spec") == 0
    }

    /// The areas that the HMM located, the best first.
    pub(crate) fn into_areas(self) -> Vec<Area> {
        self.areas
    }

    /// What the second look needs to know of the page.
    pub(crate) fn shape(&self, candidates: &[Candidate]) -> Shape {
        Shape {
            group_of: self.group_of.clone(),
            n_groups: self.groups.len(),
            family_of: self.family_of.clone(),
            n_families: self.families.len(),
            names: candidates.iter().map(|candidate| candidate.name.start).collect(),
            values: candidates.iter().map(|candidate| candidate.value.start).collect(),
            hashes: self.own.iter().map(|fact| fact.name_hash).collect(),
        }
    }

    /// The features of candidate `n`.
    pub(crate) fn features(&mut self, candidates: &[Candidate], n: usize) -> Vec<f32> {
        let candidate = &candidates[n];
        let mut out = Vec::with_capacity(N_FEATURES);
        let element = candidate.element as usize;
        let (all, near) = (self.context.all(self.view, element), self.context.near(self.view, element));
        out.extend((0..GROUPS.len()).map(|bit| ((all >> bit) & 1) as f32));
        out.extend((0..GROUPS.len()).map(|bit| ((near >> bit) & 1) as f32));
        self.own_features(candidate, n, &mut out);
        self.group_features(candidate, n, &mut out);
        self.place_features(candidate, &mut out);
        out.push(candidate.record as f32);
        let group = &self.groups[self.group_of[n] as usize];
        out.push(group.sum.value_rows / group.n);
        let family = &self.families[self.family_of[n] as usize];
        out.extend([family.sum.spec / family.n, family.sum.offer / family.n]);
        out.push(group.names.intersection(&group.values).count() as f32 / group.n);
        out.push(f32::from(u8::from(self.own[n].name_hash == self.own[n].value_hash)));
        let own = &self.own[n];
        out.push(own.spec * own.delimited);
        out.push(group.sum.spec / group.n * (group.n.min(4.0)));
        out.extend([family.sum.value_chars / family.n, family.sum.name_chars / family.n]);
        debug_assert_eq!(out.len(), N_FEATURES);
        out
    }

    fn own_features(&self, candidate: &Candidate, n: usize, out: &mut Vec<f32>) {
        let view = self.view;
        let own = &self.own[n];
        let (name, value) = (view.slice(candidate.name), view.slice(candidate.value));
        let is = |holds: bool| f32::from(u8::from(holds));
        out.push(candidate.layout as u8 as f32);
        for layout in [
            Layout::Row,
            Layout::List,
            Layout::TwoCells,
            Layout::Colon,
            Layout::ColonPart,
            Layout::ColonBlock,
            Layout::NextLine,
            Layout::Label,
            Layout::Known,
            Layout::Dash,
            Layout::Alternating,
            Layout::Header,
            Layout::Columns,
            Layout::FourCells,
        ] {
            out.push(is(candidate.layout == layout));
        }
        out.extend([own.name_chars, own.name_words, own.value_chars, own.value_rows, own.value_words]);
        out.extend([own.spec, own.offer, own.name_link, own.value_link, own.digits, own.has_price, own.has_unit]);
        out.extend([own.sentence, own.delimited, own.marked]);
        let letters = name.chars().filter(|c| c.is_alphabetic()).count().max(1) as f32;
        let first = name.chars().find(|c| c.is_alphanumeric());
        out.push(name.chars().filter(char::is_ascii_digit).count() as f32);
        out.push(name.chars().filter(|c| c.is_uppercase()).count() as f32 / letters);
        out.push(is(without_number(name).contains([',', '，', '.', '!', '"', '、', '。'])));
        out.push(is(first.is_some_and(char::is_lowercase)));
        out.push(is(value.chars().next().is_some_and(char::is_lowercase)));
        out.push(self.overlap(name));
        out.push(self.overlap(value));
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
        let sum = &group.sum;
        for part in [
            sum.name_chars,
            sum.value_chars,
            sum.spec,
            sum.offer,
            sum.name_link,
            sum.value_link,
            sum.digits,
            sum.has_price,
            sum.has_unit,
            sum.sentence,
            sum.delimited,
        ] {
            out.push(part / group.n);
        }
        out.push(group.names.len() as f32 / group.n);
        out.push(group.values.len() as f32 / group.n);
        out.push(group.n / self.largest_group);
        let container = self.view.span_of(candidate.container as usize).len();
        out.push((group.chars / (container as f32 + 1.0)).min(2.0));
        out.push(self.view.n_controls(candidate.container as usize) as f32);
        out.push(sum.marked / group.n);
    }

    fn place_features(&self, candidate: &Candidate, out: &mut Vec<f32>) {
        let view = self.view;
        let row = view.leaves[view.leaf_at(candidate.name.start)].row;
        let (kind, rows, level, above) = self.section(row);
        out.extend([kind, rows, level, above]);
        let after = |mark: f32| if mark < 0.0 { -999.0 } else { row as f32 - mark };
        out.push(after(self.h1_row));
        out.push(after(self.price_row));
        let inside = |area: &Area| {
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

/// Whether a row invites to buy.
pub(crate) fn is_buy(text: &str) -> bool {
    const PHRASES: [&str; 22] = [
        "add to cart",
        "add to bag",
        "add to basket",
        "buy now",
        "in den warenkorb",
        "in den einkaufswagen",
        "ajouter au panier",
        "añadir a la cesta",
        "añadir al carrito",
        "aggiungi al carrello",
        "adicionar ao carrinho",
        "comprar",
        "в корзину",
        "купить",
        "加入购物车",
        "加入購物車",
        "立即购买",
        "立即購買",
        "dodaj v košarico",
        "lisää ostoskoriin",
        "adauga in cos",
        "장바구니",
    ];
    if text.len() > 60 {
        return false;
    }
    let lower = text.to_lowercase();
    PHRASES.iter().any(|phrase| lower.contains(phrase))
}

fn words(text: &str, mut take: impl FnMut(u64)) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        take(fold(word));
    }
}

fn own(view: &View, candidate: &Candidate, dictionary: &Dictionary) -> Own {
    let (name, value) = (view.slice(candidate.name), view.slice(candidate.value));
    let is = |holds: bool| f32::from(u8::from(holds));
    let kind = dictionary.kind_loose(name);
    let (a, b) = (view.leaf_at(candidate.name.start), view.leaf_at(candidate.name.end.saturating_sub(1)) + 1);
    let (c, d) = (view.leaf_at(candidate.value.start), view.leaf_at(candidate.value.end.saturating_sub(1)) + 1);
    let share = |a: usize, b: usize, len: usize| (view.link_bytes(a, b) as f32 / (len as f32 + 1.0)).min(1.0);
    let value_chars = value.chars().count().max(1) as f32;
    let digits = value.chars().filter(|c| c.is_numeric()).count() as f32;
    let short = &value[..value.floor_char_boundary(60)];
    Own {
        name_chars: name.chars().count() as f32,
        name_words: name.split_whitespace().count() as f32,
        value_chars,
        value_rows: (value.matches('\n').count() + 1) as f32,
        value_words: value.split_whitespace().count() as f32,
        spec: is(kind == Some(NameKind::Spec)),
        offer: is(kind == Some(NameKind::Offer)),
        name_link: share(a, b, candidate.name.len()),
        value_link: share(c, d, candidate.value.len()),
        digits: digits / value_chars,
        has_price: is(has_price(short)),
        has_unit: is(has_quantity(short)),
        sentence: is(value.ends_with(['.', '!', '?', '。', '！', '？']) || value.contains(". ")),
        delimited: is(candidate.facts & Candidate::DELIMITED != 0),
        marked: is(candidate.facts & Candidate::NAME_MARKED != 0),
        name_hash: fold(name),
        value_hash: fold(value),
    }
}

/// Groups candidates by layout and a key, and sums up each group.
fn group(candidates: &[Candidate], own: &[Own], key: impl Fn(&Candidate) -> u64) -> (Vec<u32>, Vec<Group>) {
    let mut numbers: Map<(Layout, u64), u32> = Map::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = Vec::with_capacity(candidates.len());
    for (candidate, fact) in candidates.iter().zip(own) {
        let number = *numbers.entry((candidate.layout, key(candidate))).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() as u32 - 1
        });
        group_of.push(number);
        let group = &mut groups[number as usize];
        group.n += 1.0;
        group.chars += (candidate.name.len() + candidate.value.len()) as f32;
        group.names.insert(fact.name_hash);
        group.values.insert(fact.value_hash);
        let sum = &mut group.sum;
        for (into, part) in [
            (&mut sum.name_chars, fact.name_chars),
            (&mut sum.value_chars, fact.value_chars),
            (&mut sum.value_rows, fact.value_rows),
            (&mut sum.spec, fact.spec),
            (&mut sum.offer, fact.offer),
            (&mut sum.name_link, fact.name_link),
            (&mut sum.value_link, fact.value_link),
            (&mut sum.digits, fact.digits),
            (&mut sum.has_price, fact.has_price),
            (&mut sum.has_unit, fact.has_unit),
            (&mut sum.sentence, fact.sentence),
            (&mut sum.delimited, fact.delimited),
            (&mut sum.marked, fact.marked),
        ] {
            *into += part;
        }
    }
    (group_of, groups)
}
