//! What the words beside an amount of money say of it.

use gristmill_text::{is_cjk, is_unspaced, n_chars};

use crate::price::{Amount, digit};
use crate::price_words::{
    ALONE, BESIDE, CARRIAGE, CART, DEPOSIT, EACH, EXTRA, FEE, FROM, GROSS, GROUP, LABEL, LENDER, LOWEST, NET, NOW, OFF,
    OTHER, PART, PIECES, PUBLIC, PriceWords, REQUEST, TAX, TIMES, UPWARD,
};
use crate::units::{has_quantity, unit};

/// Longest row that says what the amount in the next one is: `Retail price:`.
pub(crate) const MAX_LABEL_CHARS: usize = 25;

/// What an amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AmountKind {
    Paid,
    /// Said to be what is paid after a reduction.
    Reduced,
    /// Before a reduction, or without the tax; the latter is never above what is paid, and so never a list price.
    Beside,
    /// The price of a kilogram, or one of several payments.
    Part,
    /// The least of the thirty days before a reduction.
    Lowest,
    Other,
}

/// Marks between what is said of one amount and what is said of the next.
const BETWEEN: [char; 9] = ['·', '|', '•', ';', '(', ')', '｜', '（', '）'];

/// What of the words before an amount is said of it, and not of the amount before it.
pub(crate) fn own_words(words: &str, is_first: bool) -> &str {
    words.rfind(BETWEEN).filter(|_| !is_first).map_or(words, |at| words[at..].trim_start_matches(BETWEEN))
}

/// Whether the amount behind another is the same with the tax: `9,800円(税込10,780円)`.
pub(crate) fn is_gross(text: &str, amount: &Amount, next: &Amount) -> bool {
    const MOST: f64 = 1.4;
    let (net, gross) = (amount.price.value(), next.price.value());
    gross > net && gross < net * MOST && has(&GROSS, &text[amount.place.end..next.place.start].to_lowercase())
}

/// Whether the labels of a row with several amounts stand behind them: it begins with one and ends in a label.
pub(crate) fn are_behind(text: &str, amounts: &[Amount]) -> bool {
    let [first, .., last] = amounts else { return false };
    let is_label = |words: &str| has(&NOW, words) || has(&BESIDE, words);
    let between = text[first.place.end..last.place.start].to_lowercase();
    let behind = text[last.place.end..].to_lowercase();
    let begins = !text[..first.place.start].contains(char::is_alphanumeric);
    let is_taxed = || has(&NET, &between) && has(&GROSS, &behind) || has(&GROSS, &between) && has(&NET, &behind);
    begins && !between.contains(BETWEEN) && (is_label(&between) && is_label(&behind) || is_taxed())
}

/// What the words before an amount say of it, and those behind it as far as they are its own: all of them at the end of a row, and before
/// a mark that parts amounts.
pub(crate) fn kind_of(before: &str, after: &str, is_last: bool) -> AmountKind {
    let (before, after) = (before.trim().to_lowercase(), after.trim_start().to_lowercase());
    let own = words_behind(&after, is_last);
    if is_other(&before, &after, own) {
        return AmountKind::Other;
    }
    if is_lowest(&before) || own.is_some_and(is_lowest) {
        return AmountKind::Lowest;
    }
    match () {
        () if has(&BESIDE, &before) || own.is_some_and(is_before) || is_first_of_two(&before, &after) => {
            AmountKind::Beside
        }
        () if has(&PUBLIC, &before) => AmountKind::Paid,
        () if has(&PART, &before) || is_multiple(&before) || is_tier(&before) || is_monthly(&before) => {
            AmountKind::Part
        }
        () if are_payments(&before) || is_only(&GROUP, &before) || own.is_some_and(is_lent) => AmountKind::Part,
        () if is_of_part(&after) && (is_last || !leads_on(&after)) => AmountKind::Part,
        () if has(&NOW, &before) || is_second_of_two(&before) => AmountKind::Reduced,
        () => AmountKind::Paid,
    }
}

/// Whether the words around an amount call it a saving, the cost of carriage, a deposit, a tax, a fee, or what may be bought with the thing.
fn is_other(before: &str, after: &str, own: Option<&str>) -> bool {
    let begins = |words: &PriceWords| {
        let begin = words.phrases.iter().filter(|word| before.starts_with(**word) && ends_at(before, word.len(), word));
        begin.map(|word| word.len()).max()
    };
    let is_deposit = |words: &str| begins_with(&DEPOSIT, words.trim_matches(|c: char| !c.is_alphanumeric()));
    // `할인` is a saving, `할인가` what is paid after it.
    begins(&OTHER).is_some_and(|other| begins(&NOW).is_none_or(|now| now <= other))
        || is_threshold(before, own.unwrap_or_default())
        || TAX.phrases.contains(&before.trim_start_matches(BETWEEN).trim_end_matches([':', ' ']))
        || has(&EXTRA, before)
        || is_fee(before, after, own.is_some())
        || is_deposit(before)
        || own.is_some_and(is_deposit)
        || begins_with(&OFF, after)
        // `+ 3 years of care for $19`
        || before.starts_with('+')
}

/// The words behind an amount as far as they are its own: up to a mark that parts amounts, or in brackets, or all at the end of a row.
fn words_behind(after: &str, is_last: bool) -> Option<&str> {
    let inner = after.trim_start_matches(BETWEEN);
    let is_closed = inner.len() == after.len() || after.starts_with(['(', '（']);
    let end = inner.find(BETWEEN).filter(|_| is_closed);
    end.map(|end| &inner[..end]).or(is_last.then_some(after))
}

/// Whether carriage is free from an amount on: `Free delivery over $50`, `Ab 50 € versandkostenfrei`, `500 TL üzeri kargo bedava`. What is
/// sent free itself is paid.
fn is_threshold(before: &str, after: &str) -> bool {
    let is_from = || has(&FROM, before) || begins_with(&UPWARD, after);
    has(&CARRIAGE, before) || !after.starts_with('+') && has(&CARRIAGE, after) && is_from()
}

/// Whether a row that names a saving, a fee or carriage is a label of the amount in the next row: it ends in a colon, or is nothing but the
/// name. With more words it says all itself, and free carriage costs nothing.
pub(crate) fn is_label(row: &str) -> bool {
    let row = row.trim().to_lowercase();
    let is_name = [&*OTHER, &*TAX, &*EXTRA, &*FEE, &*DEPOSIT].iter().any(|words| is_only(words, &row));
    row.ends_with([':', '：']) || is_name && !row.contains(|c: char| c.is_numeric()) && !has(&CARRIAGE, &row)
}

/// Whether a text in lower case begins with one of the phrases.
fn begins_with(words: &PriceWords, text: &str) -> bool {
    words.phrases.iter().any(|word| text.starts_with(word) && ends_at(text, word.len(), word))
}

/// Whether words in lower case are nothing but one of the phrases, numbers and marks around them aside.
pub(crate) fn is_only(words: &PriceWords, text: &str) -> bool {
    words.phrases.contains(&text.trim_matches(|c: char| !c.is_alphabetic()))
}

/// Whether words before an amount say that it is the sum of what is in the cart: `Cart (2 items)`.
pub(crate) fn is_cart(words: &str) -> bool {
    let words = words.to_lowercase();
    n_chars(&words) <= MAX_LABEL_CHARS && is_only(&CART, words.split(['(', '（', ':', '：']).next().unwrap_or_default())
}

/// Whether words before an amount are nothing but one that says it was paid before, and that would not say so in other places: `Normal 20 €`.
pub(crate) fn is_before_alone(words: &str) -> bool {
    n_chars(words) <= MAX_LABEL_CHARS && is_only(&ALONE, &words.to_lowercase())
}

/// Whether a row says in place of the price that it is told who asks.
pub(crate) fn is_on_request(row: &str) -> bool {
    if n_chars(row) > MAX_LABEL_CHARS + MAX_LABEL_CHARS {
        return false;
    }
    let plain = row.to_lowercase().replace([':', '：'], "");
    REQUEST.phrases.contains(&plain.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Whether one of the phrases stands in a text in lower case as words of their own.
pub(crate) fn has(words: &PriceWords, text: &str) -> bool {
    let is_word = |word: usize, at: usize| stands_alone(text, at, words.phrases[word]);
    words.found.find(text, is_word)
}

/// Whether words in lower case say that an amount was the least of thirty days.
pub(crate) fn is_lowest(words: &str) -> bool {
    words.contains("30") && has(&LOWEST, words)
}

/// Words around the price before a reduction where the one after it follows: `de R$ 20 por R$ 10`, `van € 20 voor € 10`.
const FROM_FOR: [(&str, &str); 6] =
    [("de", "por"), ("van", "voor"), ("från", "nu"), ("előtte", "utána"), ("από", "τώρα"), ("было", "стало")];

/// Words behind the price before a reduction where the one after it follows: `29,90 TL yerine 19,90 TL`.
const INSTEAD: [&str; 4] = ["yerine", "helyett", "asemesta", "asemel"];

fn is_first_of_two(before: &str, after: &str) -> bool {
    if INSTEAD.iter().any(|word| after.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '))) {
        return true;
    }
    let label = before.trim_end_matches([':', ' ']);
    let pair = FROM_FOR.iter().find(|(from, _)| *from == label);
    pair.is_some_and(|(_, then)| label.len() < before.len() || after.starts_with(then))
}

/// Whether the words before an amount are the second of such a pair: `Por R$ 10`.
fn is_second_of_two(before: &str) -> bool {
    let label = before.trim_end_matches([':', ' ']);
    FROM_FOR.iter().any(|(_, then)| *then == label)
}

/// Whether the words behind an amount are nothing but a label of a price before a reduction or without tax.
fn is_before(after: &str) -> bool {
    n_chars(after) <= MAX_LABEL_CHARS && has(&BESIDE, after)
}

/// Words between a number of things and what they cost together.
const SEVERAL_FOR: [&str; 6] = [" for", " für", " pour", " por", " voor", " för"];

/// Whether the words before an amount are a number of payments or things: `12 x`, `3×`, `em até 10x de`, `2 for`.
fn is_multiple(before: &str) -> bool {
    let words = before.trim_end_matches(|c: char| c.is_whitespace());
    let words = ["de", "of", "da", "à", "zu", "po"].iter().find_map(|word| words.strip_suffix(word)).unwrap_or(words);
    let words = words.trim_end();
    let count =
        words.strip_suffix(['x', '×', 'х']).or_else(|| SEVERAL_FOR.iter().find_map(|word| words.strip_suffix(word)));
    let count = count.map(str::trim_end);
    count.is_some_and(|count| count.ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether the words before an amount say in how many parts it is paid: `12 pagos de`, `12 rat po`.
fn are_payments(before: &str) -> bool {
    const PAYMENTS: std::ops::RangeInclusive<u32> = 2..=60;
    TIMES.found.find(before, |word, at| {
        let digits = before[..at].trim_end().chars().rev().map_while(digit);
        let count = digits.zip([1, 10, 100]).fold(0, |sum, (digit, place)| sum + u32::from(digit) * place);
        let phrase = TIMES.phrases[word];
        // `第12期` is a number of a magazine.
        PAYMENTS.contains(&count) && ends_at(before, at + phrase.len(), phrase) && !before.contains('第')
    })
}

/// Whether the words behind an amount say who lets pay later: `with Affirm`.
fn is_lent(after: &str) -> bool {
    const WITH: [&str; 16] =
        ["with", "mit", "avec", "con", "com", "met", "med", "z", "s", "via", "by", "bei", "chez", "через", "с", "مع"];
    let (first, rest) = after.trim_end_matches('.').split_once(' ').unwrap_or_default();
    WITH.contains(&first) && begins_with(&LENDER, rest)
}

/// What names of fees end in, in languages that compound words or put the kind of a fee before it.
const FEES: [&str; 14] = [
    " fee",
    "gebühr",
    "pauschale",
    "zuschlag",
    "avgift",
    "gebyr",
    "poplatek",
    "poplatok",
    "maksu",
    "díj",
    "ücreti",
    "手数料",
    "수수료",
    "费用",
];

/// Whether an amount is paid beside the price: `Booking fee $2.50`, `$2.50 booking fee`, `$5 shipping`. A price may include it. Words that
/// another amount follows are said of that one: `$50 you save $5`.
fn is_fee(before: &str, after: &str, is_own: bool) -> bool {
    let label = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_called = has(&FEE, before) || FEES.iter().any(|fee| label.ends_with(fee));
    let includes = || has(&LABEL, before) || ["inc", "ink"].iter().any(|word| before.contains(word));
    let is_other = is_only(&OTHER, after) && !has(&CARRIAGE, after) && !after.contains(char::is_numeric);
    is_called && !includes() || begins_with(&FEE, after) || is_own && is_other
}

/// Whether the words before an amount end in that for a month, which in Korean begins other words: `월 19,800원`.
fn is_monthly(before: &str) -> bool {
    matches!(before.split_whitespace().next_back(), Some("월" | "月"))
}

/// Whether the words between two amounts are said of the second: `EMI from`, `Club price:`.
fn leads_on(between: &str) -> bool {
    let words = between.trim_end();
    words.ends_with([':', '：'])
        || words.split_whitespace().next_back().is_some_and(|word| FROM.phrases.contains(&word))
}

/// Words between the least number of things and what each costs then.
const AT: [&str; 6] = [" at", " je", " à", " a", " por", " за"];

/// Whether the words before an amount are the least number of things that are bought for it each: `Buy 10+ at`, `ab 10 Stück`.
fn is_tier(before: &str) -> bool {
    let words = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '+');
    let ends_in_number = |words: &str| words.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let number = AT.iter().find_map(|word| words.strip_suffix(word));
    let number = number.or_else(|| (!words.contains(char::is_alphabetic)).then_some(words));
    let least = number.and_then(|words| words.trim_end().strip_suffix('+'));
    let counted = || {
        let (number, piece) = words.rsplit_once(' ')?;
        (PIECES.phrases.contains(&piece) && has(&FROM, number)).then_some(number)
    };
    least.or_else(counted).is_some_and(ends_in_number)
}

/// Words between an amount and what it is paid for.
const PER: [&str; 10] = ["/", "∕", "per ", "je ", "pro ", "par ", "por ", "al ", "за ", "na "];

/// Whether the words behind an amount say that it is paid for a measure or a month: `/kg`, `/ 100 g`, `per month`, `al mes`. What is paid for
/// a piece or a pack is the price.
fn is_of_part(after: &str) -> bool {
    if is_times(after) {
        return true;
    }
    let own = after.split(BETWEEN).next().unwrap_or(after);
    let measure = PER.iter().find_map(|word| own.strip_prefix(word)).map(str::trim);
    let is_measure = measure.is_some_and(|measure| {
        let word = &measure[..measure.find(|c: char| !c.is_alphanumeric()).unwrap_or(measure.len())];
        has_quantity(measure) || unit(word).is_some_and(|unit| !unit.is_empty()) || EACH.phrases.contains(&word)
    });
    is_measure || begins_with(&PART, after)
}

/// Whether the words behind an amount say how often it is paid: `× 12 мес`.
fn is_times(after: &str) -> bool {
    let count = after.strip_prefix(['x', '×', 'х']).map(str::trim_start);
    count.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a word that begins at `at` in a text is no part of a longer one.
pub(crate) fn stands_alone(text: &str, at: usize, word: &str) -> bool {
    let starts = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() || is_close(c));
    starts && ends_at(text, at + word.len(), word)
}

/// Whether words of the character's script stand close to each other, with no spaces to tell by, or with endings.
pub(crate) fn is_close(c: char) -> bool {
    is_cjk(c) || is_unspaced(c)
}

/// Whether a word that ends at `end` ends there in `text` too.
fn ends_at(text: &str, end: usize, word: &str) -> bool {
    word.ends_with(is_close) || text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric())
}
