//! Amounts of money as pages write them: `1.299,00 €`, `￥5999.00`, `$1,299`, `5 999 Kč`, `1'299.-`, `Rs 1,24,999`, `12€95`.

mod locale;
mod number;
mod signs;

use std::ops::Range;

use crate::price_words::FREE;
pub(crate) use locale::usual_currency;
pub use locale::{host_currency, locale_currency};
pub use number::decimal;
pub(crate) use number::digit;
use number::{cents, is_space, n_digits};
use signs::{Sign, SignPosition};

/// An amount in a currency.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// The amount as a decimal number with a dot: `1299.00`; as many decimals as were written, none for `.-`.
    pub amount: String,
    /// ISO 4217 code, where a sign, a code or the locale tells it.
    pub currency: Option<String>,
}

impl Price {
    /// The amount as a number.
    pub fn value(&self) -> f64 {
        self.amount.parse().unwrap_or(0.0)
    }
}

/// How a page writes its prices.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PriceStyle<'h> {
    /// The currency that it pays in, for signs that several share and for amounts without one.
    pub(crate) currency: Option<&'h str>,
    /// The mark before decimals, where other prices of the page leave no doubt.
    pub(crate) point: Option<char>,
    /// Whether the text is a field that is declared to be a price.
    pub(crate) is_field: bool,
}

/// An amount of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Amount {
    /// Where the number stands; both of a range.
    pub(crate) range: Range<usize>,
    /// Where the number stands with its signs.
    pub(crate) place: Range<usize>,
    /// The lower end of a range.
    pub(crate) price: Price,
    /// The upper end of a range.
    pub(crate) most: Option<Price>,
}

/// The ISO code of a currency sign, word or code, alone or in a few words (`€`, `eur`, `руб.`, `Price in USD`).
pub fn currency(text: &str) -> Option<&'static str> {
    signs::settled(&[signs::in_text(text.trim())?], None)
}

/// What markup says of its currency, settled by the sign beside the amount or by the page's where it names several.
pub(crate) fn declared_currency(text: &str, beside: Option<&str>, page: Option<&str>) -> Option<String> {
    let Some(sign) = signs::in_text(text.trim()) else {
        let code = text.trim();
        return (code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic()))
            .then(|| code.to_ascii_uppercase());
    };
    let own = beside.filter(|code| sign.codes.contains(code));
    own.or_else(|| signs::settled(&[sign], page)).map(str::to_owned)
}

/// Whether a text holds an amount with its currency. Cheap; for counting, not for reading.
pub fn has_price(text: &str) -> bool {
    amounts(text, PriceStyle::default()).any(|amount| amount.price.currency.is_some())
}

/// The mark before decimals of the first price of a text that leaves no doubt about it.
pub(crate) fn certain_point(text: &str) -> Option<char> {
    amounts(text, PriceStyle::default()).find_map(|amount| number::certain_point(&text[amount.range]))
}

/// Places of a word that multiplies which only large amounts have.
const LARGE: usize = 4;

/// Numbers of one text that are looked at.
const MAX_NUMBERS: usize = 50;

/// All amounts of a text: numbers with a currency beside them, or with the dash that stands for no cents (`12,-`).
pub(crate) fn amounts<'t>(text: &'t str, habits: PriceStyle<'t>) -> impl Iterator<Item = Amount> + 't {
    let mut reader = Reader { text, habits, at: 0, taken: 0, bare: None };
    std::iter::from_fn(move || reader.next())
}

/// Reads the first amount of a text. `fallback` is the currency when none is written beside it, or only a sign that it
/// shares with others; without a sign a text must consist of the number alone.
pub fn parse(text: &str, fallback: Option<&str>) -> Option<Price> {
    let text = &text[..text.floor_char_boundary(400)];
    let habits = PriceStyle { currency: fallback, ..PriceStyle::default() };
    if let Some(amount) = amounts(text, habits).next() {
        return Some(amount.price);
    }
    let number = number::next(text, 0)?;
    let has_words = text[..number.start].chars().chain(text[number.end..].chars()).any(char::is_alphabetic);
    (!has_words).then(|| price(&text[number], fallback.map(str::to_owned), habits))?
}

/// Reads a text that is known to be a price, whatever the words in it: the first amount, or else the first number that is no percentage.
/// What is free costs nothing.
pub(crate) fn parse_field(text: &str, habits: PriceStyle) -> Option<Price> {
    let text = &text[..text.floor_char_boundary(400)];
    let habits = PriceStyle { is_field: true, ..habits };
    if let Some(amount) = amounts(text, habits).next() {
        return Some(amount.price);
    }
    let currency = || habits.currency.map(str::to_owned);
    if is_free(text) {
        return Some(Price { amount: "0".to_owned(), currency: currency() });
    }
    let number = plainest(text)?;
    let named = signs::in_text(text).and_then(|sign| signs::settled(&[sign], habits.currency));
    without_sign(text, number, named.map(str::to_owned).or_else(currency), habits).map(|(price, _)| price)
}

/// Whether a text is a word for what costs nothing.
pub(crate) fn is_free(text: &str) -> bool {
    const MAX_BYTES: usize = 40;
    let text = text.trim().trim_end_matches(['!', '.']);
    text.len() <= MAX_BYTES && FREE.phrases.contains(&text.to_lowercase().as_str())
}

/// A number without a sign beside it, with what multiplies it, and where that ends.
fn without_sign(
    text: &str,
    number: Range<usize>,
    currency: Option<String>,
    habits: PriceStyle,
) -> Option<(Price, usize)> {
    let multiple = Multiple::behind(text, number.end);
    let price = price(&text[number], currency, habits)?;
    Some((Price { amount: multiple.of(&price.amount, text)?, ..price }, multiple.end))
}

/// The only number of a text, percentages aside, as an amount without a sign; of a text without words both of two.
pub(crate) fn bare(text: &str, habits: PriceStyle) -> Vec<Amount> {
    let numbers = numbers(text);
    let most = if text.contains(char::is_alphabetic) { 1 } else { 2 };
    if numbers.len() > most {
        return Vec::new();
    }
    let amount = |range: &Range<usize>| {
        let (price, end) = without_sign(text, range.clone(), habits.currency.map(str::to_owned), habits)?;
        Some(Amount { place: range.start..end, range: range.clone(), price, most: None })
    };
    numbers.iter().filter_map(amount).collect()
}

/// The numbers of a text that belong to none of its amounts, in the currency of these.
pub(crate) fn beside(text: &str, amounts: &[Amount], habits: PriceStyle) -> Vec<Amount> {
    let currency = amounts.first().and_then(|amount| amount.price.currency.clone());
    let is_free = |number: &Range<usize>| {
        amounts.iter().all(|amount| number.end <= amount.place.start || number.start >= amount.place.end)
    };
    let amount = |range: Range<usize>| {
        let (price, end) = without_sign(text, range.clone(), currency.clone(), habits)?;
        Some(Amount { place: range.start..end, range, price, most: None })
    };
    numbers(text).into_iter().filter(is_free).filter_map(amount).collect()
}

/// How many the number that a text begins with counts, and where that ends: `1,204`, `1.2k`, `1,2 тыс.`
pub(crate) fn count(text: &str) -> Option<(u64, usize)> {
    let number = number::next(text, 0).filter(|number| number.start == 0)?;
    let multiple = Multiple::behind(text, number.end);
    let written = &text[number];
    let whole = if multiple.places == 0 {
        written.chars().filter_map(digit).map(|digit| (b'0' + digit) as char).collect()
    } else {
        multiple.of(&decimal(written)?, text)?
    };
    Some((whole.split('.').next()?.parse().ok()?, multiple.end))
}

/// The numbers of a text that are no percentages.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let numbers = std::iter::from_fn(|| {
        let number = number::next(text, at)?;
        at = number.end;
        Some(number)
    });
    // Turkish has the mark before the number.
    let is_percentage = |number: &Range<usize>| {
        text[number.end..].trim_start_matches(is_space).starts_with(['%', '٪']) || text[..number.start].ends_with('%')
    };
    numbers.take(MAX_NUMBERS).filter(|number| !is_percentage(number)).collect()
}

/// The first of them that is no part of a word, or else the first.
fn plainest(text: &str) -> Option<Range<usize>> {
    let numbers = numbers(text);
    let is_word = |number: &&Range<usize>| text[..number.start].ends_with(char::is_alphabetic);
    numbers.iter().find(|number| !is_word(number)).or(numbers.first()).cloned()
}

/// A number that markup declares, where a dot is a decimal point (schema.org, `price`) and divides nothing: `49.990`
/// is 49.990 and not 49990. `None` for what is written otherwise, which is read as in a text.
pub(crate) fn declared(number: &str) -> Option<String> {
    let (whole, parts) = number.trim().split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(parts) && number.len() <= 24).then(|| number.trim().to_owned())
}

/// As [`parse_field`], of a value that markup declares. Where a currency has no decimals, three digits behind a dot are thousands after all.
pub(crate) fn parse_declared(text: &str, fallback: Option<&str>) -> Option<Price> {
    let are_thousands = |number: &String| {
        locale::decimals(fallback) == 0 && number.split_once('.').is_some_and(|(_, parts)| parts.len() == 3)
    };
    match declared(text).filter(|number| !are_thousands(number)) {
        Some(amount) => Some(Price { amount, currency: fallback.map(str::to_owned) }),
        None => parse_field(text, PriceStyle { currency: fallback, ..PriceStyle::default() }),
    }
}

/// A number with its currency. A dot before three digits is a point in currencies with as many decimals, and never in those without.
fn price(number: &str, currency: Option<String>, habits: PriceStyle) -> Option<Price> {
    let point = match locale::decimals(currency.as_deref()) {
        0 => None,
        // Tunisian shops write both.
        3 if currency.as_deref() == Some("TND") => number.chars().rev().find(|c| matches!(c, '.' | ',')),
        // The decimal point of Arabic, which reads as a comma.
        3 if number.contains('٫') => Some(','),
        3 => Some('.'),
        _ => habits.point,
    };
    Some(Price { amount: number::decimal_with(number, point)?, currency })
}

/// Reads the amounts of a text one after another.
struct Reader<'t> {
    text: &'t str,
    habits: PriceStyle<'t>,
    at: usize,
    /// End of the last amount with its signs.
    taken: usize,
    /// The number before the next one, where it has no sign.
    bare: Option<Range<usize>>,
}

/// A number, its signs, and where it stands with them.
struct SignedNumber {
    number: Range<usize>,
    place: Range<usize>,
    signs: Vec<&'static Sign>,
    /// Digits of cents that stand behind the sign, or apart: `12€95`, `$12 95`.
    cents: Option<Range<usize>>,
    multiple: Multiple,
    /// Whether it counts hundredths: `99¢`.
    is_minor: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Amount> {
        for _ in 0..MAX_NUMBERS {
            let number = number::next(self.text, self.at)?;
            self.at = number.end;
            let Some(signed) = self.signed(number.clone()) else {
                self.bare = Some(number);
                continue;
            };
            let bare = self.bare.take();
            let signed = bare.as_ref().and_then(|bare| self.joined(bare, &signed)).unwrap_or(signed);
            let low = bare.filter(|bare| {
                bare.end <= signed.place.start && up_to(&self.text[bare.end..signed.place.start]) == Some("")
            });
            (self.at, self.taken) = (signed.place.end, signed.place.end);
            if let Some(amount) = self.amount(&signed, low) {
                return Some(amount);
            }
        }
        None
    }

    /// A whole number at the start of a text and the two digits behind it that have the sign, as one: `12 95 €`.
    fn joined(&self, whole: &Range<usize>, signed: &SignedNumber) -> Option<SignedNumber> {
        let number = &self.text[signed.number.clone()];
        let between = self.text.get(whole.end..signed.place.start)?;
        let is_first = !self.text[..whole.start].contains(char::is_alphanumeric);
        let are_cents = n_digits(number) == 2 && number.chars().count() == 2 && signed.cents.is_none();
        let is_whole = decimal(&self.text[whole.clone()]).is_some_and(|amount| !amount.contains('.'));
        let is_close = !between.is_empty() && between.chars().all(is_space);
        (is_first && are_cents && is_whole && is_close).then(|| SignedNumber {
            number: whole.clone(),
            place: whole.start..signed.place.end,
            signs: signed.signs.clone(),
            cents: Some(signed.number.clone()),
            multiple: Multiple::default(),
            is_minor: false,
        })
    }

    /// The amount of a number with signs, and the other end of its range: a number before it, or behind it.
    fn amount(&mut self, signed: &SignedNumber, low: Option<Range<usize>>) -> Option<Amount> {
        let currency = signs::settled(&signed.signs, self.habits.currency).map(str::to_owned);
        let currency = currency.or_else(|| self.habits.currency.map(str::to_owned));
        let mut price = self.price(signed, currency.clone())?;
        let (mut range, mut place, mut most) = (signed.number.clone(), signed.place.clone(), None);
        let below = low.and_then(|low| Some((low.start, self::price(&self.text[low], currency.clone(), self.habits)?)));
        if let Some((start, low)) = below.filter(|(_, low)| low.value() < price.value()) {
            (range.start, place.start) = (start, start);
            most = Some(std::mem::replace(&mut price, low));
        } else if let Some(high) = self.high(place.end)
            && let Some(above) = self.price(&high, currency).filter(|above| above.value() > price.value())
        {
            (range.end, place.end) = (high.number.end, high.place.end);
            (self.at, self.taken) = (high.place.end, high.place.end);
            most = Some(above);
        }
        Some(Amount { range, place, price, most })
    }

    fn price(&self, signed: &SignedNumber, currency: Option<String>) -> Option<Price> {
        let mut price = price(&self.text[signed.number.clone()], currency, self.habits)?;
        if let Some(cents) = signed.cents.clone() {
            let digits = self.text[cents].chars().filter_map(number::any_digit).map(|digit| (b'0' + digit) as char);
            price.amount.extend(std::iter::once('.').chain(digits));
        }
        if signed.multiple.places > 0 {
            price.amount = signed.multiple.of(&price.amount, self.text)?;
        }
        if signed.is_minor {
            price.amount = number::hundredth(&price.amount);
        }
        Some(price)
    }

    /// The number behind a dash that stands behind an amount; alone, or with a sign of its own.
    fn high(&self, from: usize) -> Option<SignedNumber> {
        let number = number::next(self.text, from)?;
        let behind = up_to(&self.text[from..number.start])?;
        let sign = signs::at_end(behind).filter(|sign| sign.far == 0);
        let is_range = behind.is_empty() || sign.is_some();
        let rest = self.text[number.end..].trim_start();
        let goes_on = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '%' | '×' | '/'));
        let is_amount = !goes_on || sign.is_some() || signs::at_start(rest).is_some();
        let bare = || SignedNumber {
            place: number.clone(),
            number: number.clone(),
            signs: Vec::new(),
            cents: None,
            multiple: Multiple::default(),
            is_minor: false,
        };
        (is_range && is_amount).then(|| self.signed(number.clone()).unwrap_or_else(bare))
    }

    /// A number with the signs beside it, if it has any, or a dash that stands for no cents.
    fn signed(&self, number: Range<usize>) -> Option<SignedNumber> {
        let mut before = self.before(&number);
        let mut multiple = Multiple::behind(self.text, number.end);
        // `£1.2m`; without a sign before it those are metres.
        let is_short = |word: &&str| behind(&self.text[number.end..], word).is_some_and(ends);
        if let Some(word) = ["m", "bn"].iter().find(|word| !before.is_empty() && is_short(word)) {
            multiple = Multiple { end: number.end + word.len(), places: 3 * (word.len() + 1), rest: None };
        }
        let dash = dash(&self.text[multiple.end..]);
        let end = multiple.end + dash.unwrap_or(0);
        // `da 29,90 €` are no dinars.
        if before.first().is_some_and(|place| place.is_weak)
            && self.after(&[], &number, end).is_some_and(|place| !place.is_weak)
        {
            before.clear();
        }
        let after = self.after(&before, &number, end);
        let further = after.and_then(|after| self.after(&[after], &number, after.far));
        let after: Vec<SignPosition> = after.into_iter().chain(further).collect();
        // `MKRY2LL` is a number of the maker's.
        let is_word = self.text[..number.start].ends_with(|c: char| c.is_ascii_alphabetic());
        // `5.68万` in what is called a price.
        let is_large = self.habits.is_field && multiple.places >= LARGE;
        if before.is_empty() && (is_word || after.is_empty() && dash.is_none() && !is_large) {
            return None;
        }
        let start = before.last().map_or(number.start, |place| place.far);
        let after_end = after.last().map_or(end, |place| place.far);
        let cents = self.cents(&number, after_end, !before.is_empty(), !after.is_empty());
        let place = start..cents.as_ref().map_or(after_end, |cents| cents.end);
        let signs = before.iter().chain(&after).map(|place| place.sign).collect();
        let is_minor = before.is_empty() && after.iter().any(|place| place.sign.is_minor());
        Some(SignedNumber { number, place, signs, cents, multiple, is_minor })
    }

    /// The sign before a number, and the code or word before that sign that says which of its currencies is meant (`NZD $100`).
    fn before(&self, number: &Range<usize>) -> Vec<SignPosition> {
        let text = &self.text[..number.start];
        // No sign is as far as that from its number.
        let from = text.floor_char_boundary(text.len().saturating_sub(60)).max(self.taken);
        let at = |end: usize| {
            let place = signs::at_end(&text[from..end])?;
            Some(SignPosition { far: from + place.far, ..place })
        };
        let counts = |place: &SignPosition| {
            !is_within_code(self.text, place.far..number.start) && self.counts(place, place.far..number.end)
        };
        let Some(first) = at(number.start).filter(counts) else {
            return Vec::new();
        };
        let second = at(first.far).filter(|second| says_more(second.sign, first.sign));
        std::iter::once(first).chain(second).collect()
    }

    /// The sign behind a number; beside one before it, only a code or word that says which of its currencies is meant (`$100 NZD`). One
    /// with a number close behind belongs to that, unless these are cents.
    fn after(&self, before: &[SignPosition], number: &Range<usize>, end: usize) -> Option<SignPosition> {
        let place = signs::at_start(&self.text[end..])?;
        let place = SignPosition { far: end + place.far, ..place };
        let is_new = before.iter().all(|sign| says_more(place.sign, sign.sign));
        let rest = &self.text[place.far..];
        let is_of_next = n_digits(rest) > 0 && (!before.is_empty() || cents(rest).is_none());
        let is_sign = !is_within_code(self.text, end..place.far) && self.counts(&place, number.start..place.far);
        (is_new && !is_of_next && is_sign).then_some(place)
    }

    fn counts(&self, sign: &SignPosition, place: Range<usize>) -> bool {
        let is_word = |text: &str| text.chars().any(char::is_alphanumeric);
        let is_alone = || !is_word(&self.text[..place.start]) && !is_word(&self.text[place.end..]);
        sign.counts(self.habits.is_field, self.habits.currency, is_alone)
    }

    /// Cents apart from a whole number: behind the sign that stands behind it, or at the end of a text with the sign before it.
    fn cents(&self, number: &Range<usize>, from: usize, before: bool, after: bool) -> Option<Range<usize>> {
        // `149 руб. 90 коп.`
        let stop = usize::from(after && self.text[from..].starts_with(". ") && names_cents(&self.text[from + 2..]));
        let from = from + stop;
        let is_whole = decimal(&self.text[number.clone()]).is_some_and(|amount| !amount.contains('.'));
        let rest = &self.text[from..];
        let digits = rest.trim_start_matches(is_space);
        let n = cents(digits).filter(|_| is_whole && before != after)?;
        let behind = digits[n..].trim();
        let fits = match number::raised_cents(digits) {
            Some(_) => true,
            None if after => signs::at_start(behind).is_none(),
            None => behind.is_empty() && digits.len() < rest.len(),
        };
        let start = from + rest.len() - digits.len();
        fits.then_some(start..start + n)
    }
}

/// Whether a text begins with a number and a word for hundredths.
fn names_cents(text: &str) -> bool {
    const WORDS: [&str; 5] = ["коп", "грош", "тиын", "bani", "gr"];
    let digits = n_digits(text);
    let word = text[digits..].trim_start();
    (1..=2).contains(&digits) && WORDS.iter().any(|own| word.starts_with(own))
}

/// Whether one sign says which of the currencies of another is meant.
fn says_more(sign: &Sign, than: &Sign) -> bool {
    sign.codes.len() < than.codes.len() && sign.codes.iter().any(|code| than.codes.contains(code))
}

/// Whether capitals between two digits are a part of a number of the maker's, and no currency: `8ZK004`, `4EUR20`.
fn is_within_code(text: &str, letters: Range<usize>) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    is_digit(bytes[..letters.start].last())
        && is_digit(bytes.get(letters.end))
        && !letters.is_empty()
        && bytes[letters].iter().all(u8::is_ascii_uppercase)
}

/// Marks for "up to".
const DASHES: [char; 7] = ['-', '–', '—', '−', '~', '〜', '～'];

/// Words for it.
const WORDS: [&str; 12] = ["to", "bis", "до", "à", "a", "al", "tot", "till", "til", "do", "至", "到"];

/// What stands behind the mark or word for "up to" that a text begins with.
fn up_to(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let behind = text.trim_start_matches(DASHES);
    if behind.len() < text.len() {
        return Some(behind.trim());
    }
    let rest = WORDS.iter().filter_map(|word| text.strip_prefix(word));
    rest.filter(|rest| !rest.starts_with(char::is_alphabetic)).map(str::trim).next()
}

/// The bytes of the marks behind a whole number that stand for no cents: `12,-`, `12:-`, `12.–`, `12/-`.
fn dash(text: &str) -> Option<usize> {
    let marks = text.trim_start_matches(is_space).strip_prefix(['.', ',', ':', '/'])?;
    let rest = marks.trim_start_matches(['-', '–', '—', '−', '=']);
    (rest.len() < marks.len() && n_digits(rest) == 0).then(|| text.len() - rest.len())
}

/// Words that multiply the number before them by a power of ten.
#[rustfmt::skip]
const MULTIPLES: &[(&str, usize)] = &[
    ("万", 4), ("萬", 4), ("만", 4), ("천", 3), ("千", 3), ("億", 8), ("亿", 8), ("억", 8), ("lakhs", 5), ("lakh", 5), ("lacs", 5), ("lac", 5), ("crores", 7),
    ("crore", 7), ("cr", 7), ("लाख", 5), ("करोड़", 7), ("লাখ", 5), ("হাজার", 3), ("juta", 6), ("jt", 6), ("ribu", 3), ("rb", 3), ("triệu", 6),
    ("tỷ", 9), ("nghìn", 3), ("ngàn", 3), ("ล้าน", 6), ("млрд", 9), ("млн", 6), ("тыс", 3), ("тис", 3), ("хил", 3), ("mld", 9), ("mrd", 9),
    ("mln", 6), ("mio", 6), ("mil.", 6), ("mil", 3), ("mill", 6), ("million", 6), ("millions", 6), ("millionen", 6), ("millones", 6),
    ("millón", 6), ("milhões", 6), ("milhão", 6), ("milioni", 6), ("milione", 6), ("miljoen", 6), ("miljoner", 6), ("millioner", 6),
    ("millió", 6), ("ezer", 3), ("milionů", 6), ("milionu", 6), ("tisíc", 3), ("tys", 3), ("milyon", 6), ("bin", 3), ("میلیون", 6),
    ("میلیارد", 9), ("هزار", 3), ("مليون", 6), ("ألف", 3),
];

/// Whether no word goes on in what stands behind it.
fn ends(rest: &str) -> bool {
    !rest.starts_with(char::is_alphanumeric)
}

/// What stands behind a word in any case that a text begins with.
fn behind<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.get(..word.len()).filter(|own| own.to_lowercase() == word)?;
    Some(&text[word.len()..])
}

/// What multiplies a number.
#[derive(Debug, Clone, Default)]
struct Multiple {
    /// Where it ends.
    end: usize,
    /// As many places the point moves to the right: four for ten thousand.
    places: usize,
    /// The smaller number behind it that is added, and its own places: `1万2,800`, `1億2,800万`.
    rest: Option<(Range<usize>, usize)>,
}

impl Multiple {
    /// What stands behind a number that ends at `from`.
    fn behind(text: &str, from: usize) -> Multiple {
        let Some((bytes, places)) = places(&text[from..]) else {
            return Multiple { end: from, ..Multiple::default() };
        };
        let mut found = Multiple { end: from + bytes, places, rest: None };
        let is_added = gristmill_text::is_cjk(text[..found.end].chars().next_back().unwrap_or(' '));
        if let Some(rest) = number::next(text, found.end).filter(|_| is_added)
            && text[found.end..rest.start].chars().all(is_space)
        {
            let own = self::places(&text[rest.end..]).filter(|(_, own)| *own < places);
            found.end = rest.end + own.map_or(0, |(bytes, _)| bytes);
            found.rest = Some((rest, own.map_or(0, |(_, own)| own)));
        }
        found
    }

    /// An amount, multiplied. What is added takes the place of its zeros.
    fn of(&self, amount: &str, text: &str) -> Option<String> {
        let mut all = number::shifted(amount, self.places);
        if let Some((rest, places)) = self.rest.clone() {
            let rest = number::shifted(&decimal(&text[rest])?, places);
            let zeros = all.strip_suffix(&"0".repeat(rest.len())).filter(|_| !rest.contains('.') && !all.contains('.'));
            all = format!("{}{rest}", zeros?);
        }
        Some(all)
    }
}

/// The word behind a number that multiplies it: its bytes, and how many places the point moves. A `k` or `M` counts where it follows at
/// once.
fn places(text: &str) -> Option<(usize, usize)> {
    for (letters, places) in [(['k', 'K'], 3), (['M', 'М'], 6)] {
        if let Some(rest) = text.strip_prefix(letters).filter(|rest| ends(rest)) {
            return Some((text.len() - rest.len(), places));
        }
    }
    let word = text.trim_start_matches(is_space);
    MULTIPLES.iter().find_map(|&(multiple, places)| {
        let rest = behind(word, multiple)?;
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        (multiple.starts_with(gristmill_text::is_cjk) || ends(rest)).then_some((text.len() - rest.len(), places))
    })
}

#[cfg(test)]
mod tests;
