//! Words beside prices in many languages.

use std::sync::LazyLock;

use gristmill_text::PhraseMatcher;

const WORDS: &str = include_str!("../dictionary/price_words.tsv");

/// The phrases of some kinds of the list, in lower case.
fn phrases(kinds: &[&str]) -> Vec<&'static str> {
    let lines = WORDS.lines().filter_map(|line| line.split_once('\t'));
    lines.filter(|(kind, _)| kinds.contains(kind)).flat_map(|(_, phrases)| phrases.split('|')).collect()
}

/// Phrases of one kind, and what finds them in a text.
pub(crate) struct PriceWords {
    pub(crate) phrases: Vec<&'static str>,
    pub(crate) found: PhraseMatcher,
}

impl PriceWords {
    fn of(kinds: &[&str]) -> PriceWords {
        let phrases = phrases(kinds);
        PriceWords { found: PhraseMatcher::new(&phrases), phrases }
    }
}

/// Beside the price of the maker, of the time before a reduction, or without the tax that is paid.
pub(crate) static BESIDE: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["before", "net"]));
/// Beside the price without the tax.
pub(crate) static NET: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["net"]));
/// What stands alone before an amount that was paid before a reduction, and means other things elsewhere.
pub(crate) static ALONE: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["alone"]));
/// Beside the price after a reduction.
pub(crate) static NOW: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["now"]));
/// At the beginning of rows that name a saving or the cost of carriage and no price.
pub(crate) static OTHER: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["other"]));
/// Right behind what is taken off, given back or only to be had with a slip: `$5 off`, `10 € Gutschein`.
pub(crate) static OFF: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["off"]));
/// Beside what is paid back for the bottle.
pub(crate) static DEPOSIT: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["deposit"]));
/// Beside the least that was asked in thirty days, which shops of the European Union name next to each reduction.
pub(crate) static LOWEST: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["lowest"]));
/// Beside the price of a kilogram or a litre, or one of several payments.
pub(crate) static PART: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["unit", "instalment"]));
/// What payments are counted in, behind their number.
pub(crate) static TIMES: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["times"]));
/// Who lets pay later, behind one of several payments.
pub(crate) static LENDER: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["lender"]));
/// Who pays the whole price where others pay a part: `Non-members`.
pub(crate) static PUBLIC: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["public"]));
/// What stands alone before what some pay less, or before the price of a loan: `Students: $10`, `Rent $5`.
pub(crate) static GROUP: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["group"]));
/// What is paid beside the price.
pub(crate) static FEE: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["fee"]));
/// Beside the price with the tax, and what the tax is called.
pub(crate) static GROSS: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["gross"]));
pub(crate) static TAX: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["tax"]));
/// What stands alone before the sum of what is in the cart.
pub(crate) static CART: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["cart"]));
/// What may be bought with the thing: care, cover, wrapping.
pub(crate) static EXTRA: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["extra"]));
/// What a part of the price is paid for, behind a word for each: a month, a dose.
pub(crate) static EACH: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["each"]));
/// What things are counted in that cost less together.
pub(crate) static PIECES: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["pieces"]));
/// What says that carriage is free, and what stands before the amount from which on it is.
pub(crate) static CARRIAGE: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["carriage"]));
pub(crate) static FROM: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["from"]));
/// What stands right behind such an amount.
pub(crate) static UPWARD: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["upward"]));
/// Headings of other products than the page's.
pub(crate) static OTHERS: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["others"]));
/// Headings of what the visitor has chosen.
pub(crate) static OWN: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["own"]));
/// Rows that stand where the price would, and say that it is told who asks.
pub(crate) static REQUEST: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["request"]));
/// What a price is called.
pub(crate) static LABEL: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["label"]));
/// What a price is called that is none.
pub(crate) static FREE: LazyLock<PriceWords> = LazyLock::new(|| PriceWords::of(&["free"]));

/// What classes call an amount that is struck out by style.
pub(crate) static STRUCK: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(&phrases(&["struck"])));
/// What classes call an amount that is paid after a reduction.
pub(crate) static REDUCED: LazyLock<PhraseMatcher> =
    LazyLock::new(|| PhraseMatcher::in_any_case(&phrases(&["reduced"])));
/// What classes call a price.
pub(crate) static PRICE: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(&phrases(&["price"])));
