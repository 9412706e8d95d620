//! Facts of single candidates, and their sums over candidates that belong together.

use std::ops::Range;

use crate::candidate::{Candidate, PairLayout};
use crate::contact::{is_contact, is_term};
use crate::dictionary::{Dictionary, NameKind, fold, fold_word};
use crate::hash::{Map, Set};
use crate::hours::is_hours;
use crate::price::has_price;
use crate::structured::DeclaredProduct;
use crate::units::has_quantity;
use crate::view::{ByteRange, RecordView};

/// Facts of a candidate, each a number that groups sum up.
#[derive(Debug, Clone, Copy)]
#[repr(usize)]
pub(crate) enum CandidateFact {
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
    /// The name or the value is of how the shop is reached, paid, sends or takes back.
    Term,
    Contact,
}

pub(crate) const N_FACTS: usize = CandidateFact::Contact as usize + 1;

/// The facts of one candidate.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateFacts {
    facts: [f32; N_FACTS],
    pub(crate) name_hash: u64,
    pub(crate) value_hash: u64,
}

impl CandidateFacts {
    pub(crate) fn of(&self, fact: CandidateFact) -> f32 {
        self.facts[fact as usize]
    }

    fn put(&mut self, facts: &[(CandidateFact, f32)]) {
        facts.iter().for_each(|&(fact, value)| self.facts[fact as usize] = value);
    }
}

/// What the facts of a page's candidates rest on beside the page itself.
pub(crate) struct FactContext<'k> {
    pub(crate) dictionary: &'k Dictionary,
    /// Hashes of the words of title and heading.
    pub(crate) title: Set<u64>,
    /// Hashes of what the page declares of its product.
    pub(crate) declared: Set<u64>,
}

impl<'k> FactContext<'k> {
    pub(crate) fn new(dictionary: &'k Dictionary, title: Set<u64>, markup: &DeclaredProduct) -> FactContext<'k> {
        let fields = [&markup.brand, &markup.sku, &markup.mpn, &markup.gtin, &markup.isbn];
        let fields = fields.into_iter().flatten().chain(markup.properties.iter().map(|(_, field)| field));
        let declared = fields.map(|field| fold(&field.text)).collect();
        FactContext { dictionary, title, declared }
    }

    fn in_title(&self, text: &str) -> f32 {
        if self.title.is_empty() {
            return 0.0;
        }
        let (mut n, mut hits) = (0.0f32, 0.0);
        words(&text[..text.floor_char_boundary(200)], |hash| {
            n += 1.0;
            hits += is(self.title.contains(&hash));
        });
        hits / n.max(1.0)
    }

    /// The facts of each candidate. Several readers often read the same text: each text is looked at once.
    pub(crate) fn own(&self, view: &RecordView, candidates: &[Candidate]) -> Vec<CandidateFacts> {
        let (mut names, mut values) = (Map::default(), Map::default());
        let one = |candidate: &Candidate| {
            let name: &Name = names.entry(candidate.name).or_insert_with(|| self.name(view, candidate.name));
            let value: &Value = values.entry(candidate.value).or_insert_with(|| self.value(view, candidate.value));
            let mut own = CandidateFacts { facts: [0.0; N_FACTS], name_hash: name.hash, value_hash: value.hash };
            own.put(&name.facts);
            own.put(&value.facts);
            own.put(&[
                (CandidateFact::Delimited, is(candidate.facts & Candidate::DELIMITED != 0)),
                (CandidateFact::Marked, is(candidate.facts & Candidate::NAME_MARKED != 0)),
            ]);
            own
        };
        candidates.iter().map(one).collect()
    }

    fn name(&self, view: &RecordView, span: ByteRange) -> Name {
        let name = view.slice(span);
        let kind = self.dictionary.kind_loose(name);
        let first = name.chars().find(|c| c.is_alphabetic());
        let facts = [
            (CandidateFact::NameChars, name.chars().count() as f32),
            (CandidateFact::NameWords, name.split_whitespace().count() as f32),
            (CandidateFact::Spec, is(kind == Some(NameKind::Spec))),
            (CandidateFact::Offer, is(kind == Some(NameKind::Offer))),
            (CandidateFact::NameLink, link_share(view, span)),
            (CandidateFact::NameInTitle, self.in_title(name)),
            (CandidateFact::NameUpper, is(first.is_some_and(|c| !c.is_lowercase()))),
            (CandidateFact::NameDigit, is(name.starts_with(|c: char| c.is_ascii_digit()))),
            (CandidateFact::Term, is(is_term(self.dictionary, name))),
        ];
        Name { facts, hash: fold(name) }
    }

    fn value(&self, view: &RecordView, span: ByteRange) -> Value {
        let value = view.slice(span);
        let chars = value.chars().count().max(1) as f32;
        let digits = value.chars().filter(|c| c.is_numeric()).count() as f32;
        let short = &value[..value.floor_char_boundary(60)];
        let hash = fold(value);
        let facts = [
            (CandidateFact::ValueChars, chars),
            (CandidateFact::ValueRows, (value.bytes().filter(|&byte| byte == b'\n').count() + 1) as f32),
            (CandidateFact::ValueWords, value.split_whitespace().count() as f32),
            (CandidateFact::ValueLink, link_share(view, span)),
            (CandidateFact::Digits, digits / chars),
            (CandidateFact::Price, is(has_price(short))),
            (CandidateFact::Unit, is(has_quantity(short))),
            (CandidateFact::Sentence, is(value.ends_with(['.', '!', '?', '。', '！', '？']) || value.contains(". "))),
            (CandidateFact::Declared, is(self.declared.contains(&hash))),
            (CandidateFact::ValueInTitle, self.in_title(value)),
            (CandidateFact::HasDigit, is(digits > 0.0)),
            (CandidateFact::Hours, is(digits > 0.0 && is_hours(short))),
            (CandidateFact::Contact, is(is_contact(view, span))),
        ];
        Value { facts, hash }
    }
}

/// What is known of a name or value by itself.
struct Name {
    facts: [(CandidateFact, f32); 9],
    hash: u64,
}

struct Value {
    facts: [(CandidateFact, f32); 13],
    hash: u64,
}

/// Share of a text that is link text.
fn link_share(view: &RecordView, span: ByteRange) -> f32 {
    let (a, b) = (view.leaf_at(span.start), view.leaf_at(span.end.saturating_sub(1)) + 1);
    (view.link_bytes(a, b) as f32 / (span.len() as f32 + 1.0)).min(1.0)
}

/// Candidates that belong together.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateGroup {
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
    /// The nodes from the first element to the end of the last one; the container may hold other things before and behind them.
    pub(crate) block: Range<u32>,
}

impl CandidateGroup {
    /// The mean of a fact.
    pub(crate) fn mean(&self, fact: CandidateFact) -> f32 {
        self.sums[fact as usize] / self.n
    }

    /// Standard deviation of the length of values, by their mean length.
    pub(crate) fn spread(&self) -> f32 {
        let mean = self.mean(CandidateFact::ValueChars);
        (self.squared_value_chars / self.n - mean * mean).max(0.0).sqrt() / mean.max(1.0)
    }

    /// How many different names there are for each candidate.
    pub(crate) fn distinct_names(&self) -> f32 {
        self.names.len() as f32 / self.n
    }

    pub(crate) fn distinct_values(&self) -> f32 {
        self.values.len() as f32 / self.n
    }

    fn add(&mut self, view: &RecordView, candidate: &Candidate, own: &CandidateFacts) {
        let end = view.end(candidate.element as usize) as u32;
        if self.n == 0.0 {
            self.start = candidate.name.start;
            self.block = candidate.element..end;
        }
        self.block = self.block.start.min(candidate.element)..self.block.end.max(end);
        self.n += 1.0;
        self.bytes += (candidate.name.len() + candidate.value.len()) as f32;
        self.names.insert(own.name_hash);
        self.values.insert(own.value_hash);
        self.most_name_chars = self.most_name_chars.max(own.of(CandidateFact::NameChars));
        self.squared_value_chars += own.of(CandidateFact::ValueChars).powi(2);
        self.sums.iter_mut().zip(own.facts).for_each(|(sum, fact)| *sum += fact);
    }
}

/// Groups candidates by layout and a key: the group of each, and the groups.
pub(crate) fn group(
    view: &RecordView,
    candidates: &[Candidate],
    own: &[CandidateFacts],
    key: impl Fn(&Candidate) -> u64,
) -> (Vec<u32>, Vec<CandidateGroup>) {
    let mut numbers: Map<(PairLayout, u64), u32> = Map::default();
    let mut groups: Vec<CandidateGroup> = Vec::new();
    let mut group_of = Vec::with_capacity(candidates.len());
    for (candidate, own) in candidates.iter().zip(own) {
        let number = *numbers.entry((candidate.layout, key(candidate))).or_insert_with(|| {
            groups.push(CandidateGroup::default());
            groups.len() as u32 - 1
        });
        group_of.push(number);
        groups[number as usize].add(view, candidate, own);
    }
    (group_of, groups)
}

pub(crate) fn is(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Hands on the hash of each word.
pub(crate) fn words(text: &str, mut take: impl FnMut(u64)) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        take(fold_word(word));
    }
}
