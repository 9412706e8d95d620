//! What changed on a page: a fold over its captures in the order of their dates.
//!
//! ```text
//! captures   t1 20 EUR   t2 20 EUR   t3 15 EUR   t3 15 EUR (again)   t4 15 EUR, out of stock
//! offers     t1 20 EUR               t3 15 EUR                       t4 15 EUR, out of stock
//! ```
//! A capture that comes once more adds nothing, so the history is the same however often captures are delivered.

use std::collections::HashMap;

use gristmill_text::{CharacterSegmenter, for_each_word, hash};
use serde::{Deserialize, Serialize};

use crate::attributes::{head, price_attribute};
use crate::document::{DocumentKind, IndexDocument};
use crate::json;

/// Most offers, and most edits, that a history holds: the newest.
pub const MAX_HISTORY: usize = 1_000;
/// Longest title in a history.
const MAX_TITLE_BYTES: usize = 500;
/// Longest name of a currency or of a state of stock in a history.
const MAX_LABEL_BYTES: usize = 100;

/// What changed on a page since it was first seen. Times are in milliseconds since 1970-01-01 UTC; RFC 3339 in JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct History {
    /// When the first capture was made; 0 where nothing is known.
    #[serde(with = "json::milliseconds")]
    pub first_seen: u64,
    /// What a product was offered for, oldest first: as it was first seen, and each time that it changed.
    pub offers: Vec<PastOffer>,
    /// Edits of title or text of a page that is neither a product nor a listing, oldest first.
    pub edits: Vec<Edit>,
}

/// What a product is offered for, from some time on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PastOffer {
    /// When it was first seen so.
    #[serde(with = "json::milliseconds")]
    pub at: u64,
    /// The price, where the page has one.
    pub price: Option<f64>,
    /// ISO 4217; empty if unknown.
    pub currency: String,
    /// `InStock`, `OutOfStock` …, as in schema.org; empty if unknown.
    pub availability: String,
    /// The title, at most 500 bytes.
    pub title: String,
}

/// One edit of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edit {
    /// When it was first seen.
    #[serde(with = "json::milliseconds")]
    pub at: u64,
    /// Words that came; in scripts without spaces, characters.
    pub words_added: u64,
    /// Words that went.
    pub words_removed: u64,
    /// The title before, at most 500 bytes, where it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_before: Option<String>,
    /// The text before, of as many of the newest edits as was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_before: Option<String>,
}

/// What a capture is to the captures before it.
#[derive(Debug, Clone, PartialEq)]
pub enum CaptureChange {
    /// The first one.
    First,
    /// A reader sees nothing new.
    None,
    /// The offer of a product changed.
    Offer,
    /// Title or text changed.
    Edit { words_added: u64, words_removed: u64 },
}

impl History {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// When that changed last which a reader comes for; none where it never did.
    pub fn changed(&self) -> Option<u64> {
        let offer = self.offers.get(1..).and_then(<[PastOffer]>::last).map(|offer| offer.at);
        offer.max(self.edits.last().map(|edit| edit.at))
    }

    /// When the page last changed, or else was first seen, in seconds; `fetched_at` where nothing is known.
    pub(crate) fn updated(&self, fetched_at: i64) -> i64 {
        let seconds = |millis: u64| i64::try_from(millis / 1000).unwrap_or(i64::MAX);
        if self.is_empty() { fetched_at } else { seconds(self.changed().unwrap_or(self.first_seen)) }
    }

    /// By how many percent of the price before the last change of the price went down; below 0 where it went up.
    ///
    /// None where it never changed. Times without a price do not count, and neither do prices in another currency.
    pub fn price_drop(&self) -> Option<f64> {
        let mut prices = self.offers.iter().rev().filter_map(|offer| Some((offer.price?, offer.currency.as_str())));
        let (now, currency) = prices.next()?;
        let mut before = prices.take_while(|(_, other)| *other == currency).map(|(price, _)| price);
        let before = before.find(|price| *price != now).filter(|before| *before > 0.0)?;
        Some((before - now) / before * 100.0)
    }

    /// The history of a page of which there is one capture.
    fn begin(first: &IndexDocument, at: u64) -> Self {
        let offers = (first.kind == DocumentKind::Product).then(|| PastOffer::of(first, at));
        Self { first_seen: at, offers: offers.into_iter().collect(), edits: Vec::new() }
    }

    fn latest(&self) -> u64 {
        let offer = self.offers.last().map_or(0, |offer| offer.at);
        self.first_seen.max(offer).max(self.edits.last().map_or(0, |edit| edit.at))
    }
}

impl PastOffer {
    /// What a document offers; of a document that is no product only the title.
    pub fn of(document: &IndexDocument, at: u64) -> Self {
        let price = price_attribute(document);
        let first = |name: &str| document.attributes.iter().find(|attribute| attribute.canonical == name);
        let currency = price.map(|price| price.unit.as_str()).filter(|unit| unit.len() == 3);
        let currency = currency.or_else(|| first("currency").map(|currency| currency.value.as_str()));
        let availability = first("availability").map(|availability| availability.value.as_str());
        let label = |text: Option<&str>| head(text.unwrap_or_default(), MAX_LABEL_BYTES).to_owned();
        Self {
            at,
            price: price.and_then(|price| price.number),
            currency: label(currency),
            availability: label(availability),
            title: head(&document.title, MAX_TITLE_BYTES).to_owned(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let facts = |offer: &Self| (offer.price, offer.currency.clone(), offer.availability.clone());
        facts(self) == facts(other) && self.title == other.title
    }
}

/// Gives `now`, a capture made at `at`, the history of `before`, the capture that the index has, with what it changed.
///
/// Of the texts before edits the newest `keep_versions` stay. What is not later than the last change adds nothing.
/// O(bytes of both texts) where these differ, or else O(entries).
pub fn carry_on(
    before: Option<&IndexDocument>,
    now: &mut IndexDocument,
    at: u64,
    keep_versions: usize,
) -> CaptureChange {
    let Some(before) = before else {
        now.history = History::begin(now, at);
        return CaptureChange::First;
    };
    now.history = match before.history.first_seen {
        // A version of the index without histories wrote it.
        0 => History::begin(before, u64::try_from(before.fetched_at).unwrap_or(0).saturating_mul(1000)),
        _ => before.history.clone(),
    };
    let change = match now.kind {
        _ if at <= now.history.latest() => CaptureChange::None,
        DocumentKind::Product => offer(now, at),
        DocumentKind::Article | DocumentKind::Other => edit(before, now, at, keep_versions > 0),
        DocumentKind::Listing => CaptureChange::None,
    };
    bound(&mut now.history, keep_versions);
    change
}

fn offer(now: &mut IndexDocument, at: u64) -> CaptureChange {
    let offer = PastOffer::of(now, at);
    let last = now.history.offers.last();
    if last.is_some_and(|last| last.is_same(&offer)) {
        return CaptureChange::None;
    }
    // A page that was none before is no other offer.
    let change = if last.is_some() { CaptureChange::Offer } else { CaptureChange::None };
    now.history.offers.push(offer);
    change
}

fn edit(before: &IndexDocument, now: &mut IndexDocument, at: u64, keep_text: bool) -> CaptureChange {
    let (words_added, words_removed) = words_changed(&before.text, &now.text);
    let retitled = before.title != now.title;
    if !retitled && (words_added, words_removed) == (0, 0) {
        return CaptureChange::None;
    }
    now.history.edits.push(Edit {
        at,
        words_added,
        words_removed,
        title_before: retitled.then(|| head(&before.title, MAX_TITLE_BYTES).to_owned()),
        text_before: keep_text.then(|| before.text.clone()),
    });
    CaptureChange::Edit { words_added, words_removed }
}

fn bound(history: &mut History, keep_versions: usize) {
    let excess = |length: usize, most: usize| length.saturating_sub(most);
    history.offers.drain(..excess(history.offers.len(), MAX_HISTORY));
    history.edits.drain(..excess(history.edits.len(), MAX_HISTORY));
    let without_text = excess(history.edits.len(), keep_versions);
    history.edits[..without_text].iter_mut().for_each(|edit| edit.text_before = None);
}

/// How many words only `after` has, and how many only `before`, each as often as it stands there. Order does not count: a
/// paragraph that moves is no edit.
fn words_changed(before: &str, after: &str) -> (u64, u64) {
    if before == after {
        return (0, 0);
    }
    let mut surplus: HashMap<u64, i64> = HashMap::new();
    let mut count = |text: &str, by: i64| {
        for_each_word(text, &CharacterSegmenter, |word| *surplus.entry(hash(word.as_bytes())).or_default() += by);
    };
    count(after, 1);
    count(before, -1);
    let sum = |sign: i64| surplus.values().map(|n| n * sign).filter(|n| *n > 0).sum::<i64>().unsigned_abs();
    (sum(1), sum(-1))
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
