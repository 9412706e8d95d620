//! Facts of single candidates, and their sums over candidates that belong together.

use crate::candidate::{Candidate, Layout};
use crate::dictionary::{Dictionary, NameKind, fold};
use crate::hash::{Map, Set};
use crate::hours::is_hours;
use crate::price::has_price;
use crate::structured::Structured;
use crate::units::has_quantity;
use crate::view::View;

/// Facts of a candidate, each a number that groups sum up.
#[derive(Debug, Clone, Copy)]
#[repr(usize)]
pub(crate) enum Fact {
    NameChars,
    NameWords,
    ValueChars,
    ValueRows,
    ValueWords,
    /// The name is known as a property.
    Spec,
    /// The name is known as a term of sale.
    Offer,
    NameLink,
    ValueLink,
    /// Share of digits in the value.
    Digits,
    Price,
    Unit,
    Sentence,
    Delimited,
    Marked,
    /// The page declares the value as one of the product's.
    Declared,
    /// Share of the name's words in the title.
    NameInTitle,
    ValueInTitle,
    /// The name begins with a capital letter, or with a letter of a script without capitals.
    NameUpper,
    /// The value holds a digit.
    HasDigit,
    /// The name begins with a digit.
    NameDigit,
    /// The value holds a span of hours.
    Hours,
}

pub(crate) const N_FACTS: usize = Fact::Hours as usize + 1;

/// The facts of one candidate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Own {
    facts: [f32; N_FACTS],
    pub(crate) name_hash: u64,
    pub(crate) value_hash: u64,
}

impl Own {
    pub(crate) fn of(&self, fact: Fact) -> f32 {
        self.facts[fact as usize]
    }
}

/// What the facts of a page's candidates rest on beside the page itself.
pub(crate) struct Known<'k> {
    pub(crate) dictionary: &'k Dictionary,
    /// Hashes of the words of title and heading.
    pub(crate) title: Set<u64>,
    /// Hashes of what the page declares of its product.
    pub(crate) declared: Set<u64>,
}

impl<'k> Known<'k> {
    pub(crate) fn new(dictionary: &'k Dictionary, title: Set<u64>, markup: &Structured) -> Known<'k> {
        let fields = [&markup.brand, &markup.sku, &markup.mpn, &markup.gtin, &markup.isbn];
        let fields = fields.into_iter().flatten().chain(markup.properties.iter().map(|(_, field)| field));
        let declared = fields.map(|field| fold(&field.text)).collect();
        Known { dictionary, title, declared }
    }

    fn in_title(&self, text: &str) -> f32 {
        let (mut n, mut hits) = (0.0f32, 0.0);
        words(&text[..text.floor_char_boundary(200)], |hash| {
            n += 1.0;
            hits += is(self.title.contains(&hash));
        });
        hits / n.max(1.0)
    }

    pub(crate) fn own(&self, view: &View, candidate: &Candidate) -> Own {
        let (name, value) = (view.slice(candidate.name), view.slice(candidate.value));
        let kind = self.dictionary.kind_loose(name);
        let (a, b) = (view.leaf_at(candidate.name.start), view.leaf_at(candidate.name.end.saturating_sub(1)) + 1);
        let (c, d) = (view.leaf_at(candidate.value.start), view.leaf_at(candidate.value.end.saturating_sub(1)) + 1);
        let share = |a: usize, b: usize, len: usize| (view.link_bytes(a, b) as f32 / (len as f32 + 1.0)).min(1.0);
        let value_chars = value.chars().count().max(1) as f32;
        let digits = value.chars().filter(|c| c.is_numeric()).count() as f32;
        let short = &value[..value.floor_char_boundary(60)];
        let value_hash = fold(value);
        let first = name.chars().find(|c| c.is_alphabetic());
        let facts = [
            name.chars().count() as f32,
            name.split_whitespace().count() as f32,
            value_chars,
            (value.matches('\n').count() + 1) as f32,
            value.split_whitespace().count() as f32,
            is(kind == Some(NameKind::Spec)),
            is(kind == Some(NameKind::Offer)),
            share(a, b, candidate.name.len()),
            share(c, d, candidate.value.len()),
            digits / value_chars,
            is(has_price(short)),
            is(has_quantity(short)),
            is(value.ends_with(['.', '!', '?', '。', '！', '？']) || value.contains(". ")),
            is(candidate.facts & Candidate::DELIMITED != 0),
            is(candidate.facts & Candidate::NAME_MARKED != 0),
            is(self.declared.contains(&value_hash)),
            self.in_title(name),
            self.in_title(value),
            is(first.is_some_and(|c| !c.is_lowercase())),
            is(digits > 0.0),
            is(name.starts_with(|c: char| c.is_ascii_digit())),
            is(digits > 0.0 && is_hours(short)),
        ];
        Own { facts, name_hash: fold(name), value_hash }
    }
}

/// Candidates that belong together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    pub(crate) n: f32,
    sums: [f32; N_FACTS],
    pub(crate) most_name_chars: f32,
    squared_value_chars: f32,
    pub(crate) names: Set<u64>,
    pub(crate) values: Set<u64>,
    /// Bytes of names and values.
    pub(crate) bytes: f32,
    /// Start of the first name.
    pub(crate) start: u32,
}

impl Group {
    /// The mean of a fact.
    pub(crate) fn mean(&self, fact: Fact) -> f32 {
        self.sums[fact as usize] / self.n
    }

    /// Standard deviation of the length of values, by their mean length.
    pub(crate) fn spread(&self) -> f32 {
        let mean = self.mean(Fact::ValueChars);
        (self.squared_value_chars / self.n - mean * mean).max(0.0).sqrt() / mean.max(1.0)
    }

    /// How many different names there are for each candidate.
    pub(crate) fn distinct_names(&self) -> f32 {
        self.names.len() as f32 / self.n
    }

    pub(crate) fn distinct_values(&self) -> f32 {
        self.values.len() as f32 / self.n
    }

    fn add(&mut self, candidate: &Candidate, own: &Own) {
        if self.n == 0.0 {
            self.start = candidate.name.start;
        }
        self.n += 1.0;
        self.bytes += (candidate.name.len() + candidate.value.len()) as f32;
        self.names.insert(own.name_hash);
        self.values.insert(own.value_hash);
        self.most_name_chars = self.most_name_chars.max(own.of(Fact::NameChars));
        self.squared_value_chars += own.of(Fact::ValueChars).powi(2);
        self.sums.iter_mut().zip(own.facts).for_each(|(sum, fact)| *sum += fact);
    }
}

/// Groups candidates by layout and a key: the group of each, and the groups.
pub(crate) fn group(candidates: &[Candidate], own: &[Own], key: impl Fn(&Candidate) -> u64) -> (Vec<u32>, Vec<Group>) {
    let mut numbers: Map<(Layout, u64), u32> = Map::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = Vec::with_capacity(candidates.len());
    for (candidate, own) in candidates.iter().zip(own) {
        let number = *numbers.entry((candidate.layout, key(candidate))).or_insert_with(|| {
            groups.push(Group::default());
            groups.len() as u32 - 1
        });
        group_of.push(number);
        groups[number as usize].add(candidate, own);
    }
    (group_of, groups)
}

pub(crate) fn is(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Hands on the hash of each word.
pub(crate) fn words(text: &str, mut take: impl FnMut(u64)) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        take(fold(word));
    }
}
