//! What pages say of stock, in the words of schema.org.

use std::sync::LazyLock;

use gristmill_page::declared::local;
use gristmill_text::{PhraseMatcher, lower_letters, n_chars};

use crate::amount_words::{is_close, stands_alone};
use crate::price::digit;

const STOCK: &str = include_str!("../dictionary/stock.tsv");

/// The names of `ItemAvailability`.
const NAMES: [&str; 12] = [
    "BackOrder",
    "Discontinued",
    "InStock",
    "InStoreOnly",
    "LimitedAvailability",
    "MadeToOrder",
    "OnlineOnly",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "Reserved",
    "SoldOut",
];

/// Other words that markup has for them, in small letters without marks.
const ALIASES: [(&str, &str); 18] = [
    ("available", "InStock"),
    ("availablenow", "InStock"),
    ("yes", "InStock"),
    ("true", "InStock"),
    ("1", "InStock"),
    ("lowstock", "LimitedAvailability"),
    ("limited", "LimitedAvailability"),
    ("limitedstock", "LimitedAvailability"),
    ("availablefororder", "BackOrder"),
    ("backordered", "BackOrder"),
    ("onbackorder", "BackOrder"),
    ("unavailable", "OutOfStock"),
    ("notavailable", "OutOfStock"),
    ("oos", "OutOfStock"),
    ("no", "OutOfStock"),
    ("false", "OutOfStock"),
    ("0", "OutOfStock"),
    ("onpreorder", "PreOrder"),
];

/// The name of what markup declares, however it spells it: `http://schema.org/InStock`, `in stock`, `instock`, `IN_STOCK`, `available`; or
/// of what readers see there.
pub(crate) fn declared(text: &str) -> Option<&'static str> {
    let plain: String = lower_letters(local(text)).take(40).collect();
    let name = NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(&plain));
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == plain).map(|&(_, name)| name);
    name.or_else(alias).or_else(|| said(text))
}

/// Kinds of the list that name no stock, but say something of a phrase beside them, or of a whole row.
const BESIDE: [&str; 4] = ["no", "later", "from", "gone"];

/// The lines of the list: a kind and its phrases.
fn lines() -> impl Iterator<Item = (&'static str, std::str::Split<'static, char>)> {
    STOCK.lines().filter_map(|line| line.split_once('\t')).map(|(kind, phrases)| (kind, phrases.split('|')))
}

/// The phrases of all lines of the list that name a kind of stock, and the kind and length of each.
static FOUND: LazyLock<(PhraseMatcher, Vec<&str>, Vec<usize>)> = LazyLock::new(|| {
    let lines = lines().filter(|(kind, _)| !BESIDE.contains(kind));
    let (kinds, phrases): (Vec<&str>, Vec<&str>) =
        lines.flat_map(|(kind, phrases)| phrases.map(move |phrase| (kind, phrase))).unzip();
    let lengths = phrases.iter().map(|phrase| phrase.len()).collect();
    (PhraseMatcher::new(&phrases), kinds, lengths)
});

/// Words that deny what stands beside them, that put it off, and that stand before the date to which it is put off.
static NO: LazyLock<Words> = LazyLock::new(|| Words::of("no"));
static LATER: LazyLock<Words> = LazyLock::new(|| Words::of("later"));
static FROM: LazyLock<Words> = LazyLock::new(|| Words::of("from"));
/// What rows are that say that there is none; among more words they say it of something else (`Not available online`) or count what was sold.
static GONE: LazyLock<Words> = LazyLock::new(|| Words::of("gone"));

/// Phrases of one kind, and what finds them.
struct Words {
    phrases: Vec<&'static str>,
    found: PhraseMatcher,
}

impl Words {
    fn of(kind: &str) -> Words {
        let phrases: Vec<&str> = lines().filter(|(own, _)| *own == kind).flat_map(|(_, phrases)| phrases).collect();
        Words { found: PhraseMatcher::new(&phrases), phrases }
    }

    /// Where one of them begins that stands in a text as words of their own, with no more than a few words behind it.
    fn close_to_end(&self, text: &str) -> Option<usize> {
        const MAX_WORDS: usize = 3;
        const MAX_CHARS: usize = 2;
        let mut place = None;
        self.found.find(text, |word, at| {
            let phrase = self.phrases[word];
            let behind = text[at + phrase.len()..].trim();
            // Where no spaces part words, other words begin with what denies.
            let is_close = match phrase.ends_with(is_close) {
                true => n_chars(behind) <= MAX_CHARS,
                false => behind.split_whitespace().count() <= MAX_WORDS,
            };
            place = Some(at).filter(|_| is_close && stands_alone(text, at, phrase));
            place.is_some()
        });
        place
    }
}

/// What a short text says of stock.
pub(crate) fn said(text: &str) -> Option<&'static str> {
    let text = with_number_signs(text);
    let is_gone = || GONE.phrases.contains(&text.trim_matches(|c: char| !c.is_alphanumeric()));
    find(&text).map(|(kind, _)| kind).or_else(|| is_gone().then_some("OutOfStock"))
}

/// What a short text says of the stock of one size or colour that it names first: `M – sold out`, `Red (sold out)`.
pub(crate) fn said_of_variant(text: &str) -> Option<&'static str> {
    const MAX_SIZE: usize = 4;
    let text = with_number_signs(text);
    let (kind, at) = find(&text)?;
    let before = text[..at].trim();
    let name = before.trim_end_matches(['-', '–', '—', '(', '[', '/', '·', '|', ',']).trim_end();
    let is_short = (1..=MAX_SIZE).contains(&name.chars().count()) && !name.ends_with([':', '：']);
    let is_name = is_short || !name.is_empty() && (name.len() < before.len() || name.contains("variant"));
    is_name.then_some(kind)
}

/// The kind of the phrase that stands first in the list, and where the first phrase of that kind begins. What is in stock may be denied or
/// put off by the words around it: `No está disponible`, `Bald wieder verfügbar`.
fn find(text: &str) -> Option<(&'static str, usize)> {
    let (phrases, kinds, lengths) = &*FOUND;
    let mut first = usize::MAX;
    phrases.find(text, |number, _| {
        first = first.min(number);
        false
    });
    let &kind = kinds.get(first)?;
    let mut place: Option<(usize, usize)> = None;
    phrases.find(text, |number, at| {
        if kinds[number] == kind {
            let end = at + lengths[number];
            place = Some(place.map_or((at, end), |(begin, last)| (begin.min(at), last.max(end))));
        }
        false
    });
    let (begin, end) = place?;
    match denied(text, begin, end).filter(|_| kind == "InStock") {
        Some(at) => Some(("OutOfStock", at)),
        None => Some((kind, begin)),
    }
}

/// Where words begin that deny or put off what stands in a text: before it, alone behind it (`In stock: no`), or as a date.
fn denied(text: &str, begin: usize, end: usize) -> Option<usize> {
    const CLAUSES: [char; 12] = [',', ';', '.', '!', '|', '·', '•', '(', ':', '，', '。', '、'];
    let clause = text[..begin].rfind(CLAUSES).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let before = &text[clause..begin];
    let rest = text[end..].trim_start_matches(char::is_alphabetic);
    let at = NO.close_to_end(before).or_else(|| LATER.close_to_end(before)).map(|at| clause + at);
    at.or((is_denied_behind(rest) || is_dated(rest)).then_some(begin))
}

/// Whether what stands behind words for stock is a no or a later time and nothing else.
fn is_denied_behind(rest: &str) -> bool {
    const MAX_ENDING: usize = 4;
    let is_mark = |c: char| !c.is_alphanumeric();
    let rest = rest.trim_matches(is_mark);
    let fits = |word: &&&str| rest.strip_prefix(**word).is_some_and(|end| n_chars(end.trim()) <= MAX_ENDING);
    NO.phrases.iter().chain(&LATER.phrases).filter(fits).any(|word| stands_alone(rest, 0, word))
}

/// Whether a text begins with a date, words for `from` aside: `12 mars`, `ab 12.03.`, `from March 2027`. Numbers are `#`.
fn is_dated(rest: &str) -> bool {
    const DATES: [&str; 6] = ["#.#.", "#/#", "#-#-#", "#月", "#년", "#年"];
    let mut rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–'));
    for _ in 0..2 {
        let word = FROM.phrases.iter().filter(|word| rest.starts_with(**word) && stands_alone(rest, 0, word));
        let length = word.map(|word| word.len()).max().unwrap_or(0);
        rest = rest[length..].trim_start();
    }
    let names_month = |text: &str| MONTHS.iter().any(|month| text.starts_with(month));
    let behind_day = rest.strip_prefix('#').map(|rest| rest.trim_start_matches(['.', ' ']));
    let behind_day =
        behind_day.map(|rest| ["de ", "di ", "of "].iter().find_map(|of| rest.strip_prefix(of)).unwrap_or(rest));
    let has_year = names_month(rest) && rest.split_whitespace().nth(1).is_some_and(|word| word.starts_with('#'));
    DATES.iter().any(|date| rest.starts_with(date)) || behind_day.is_some_and(names_month) || has_year
}

/// What names of months begin with in many languages.
const MONTHS: [&str; 42] = [
    "jan", "feb", "fév", "fev", "mar", "mär", "már", "maa", "mrt", "apr", "avr", "abr", "may", "mai", "maj", "mei",
    "jun", "juin", "jul", "juil", "aug", "aoû", "sep", "okt", "oct", "nov", "dec", "dez", "déc", "des", "янв", "фев",
    "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек",
];

/// The text in lower case with `#` for each number but 0, so that one phrase stands for `only 3 left` and `only 12 left`.
fn with_number_signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match digit(c) {
            Some(0) if !out.ends_with(['#', '0', '.', ',']) => out.push('0'),
            Some(_) if out.ends_with('#') => {}
            Some(_) => {
                out.truncate(out.trim_end_matches('0').len());
                out.push('#');
            }
            None => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_that_is_denied_or_put_off_is_none() {
        for text in [
            "Nicht mehr verfügbar",
            "Nicht sofort lieferbar",
            "No está disponible",
            "Ya no está disponible",
            "Não disponível",
            "Non più disponibile",
            "N'est pas disponible",
            "Ikke længere på lager",
            "Finns inte längre i lager",
            "No longer in stock",
            "Not currently in stock",
            "Ei enää varastossa",
            "Pole enam laos",
            "Już niedostępny, brak na stanie",
            "Není skladem",
            "Nem raktáron",
            "Δεν είναι διαθέσιμο",
            "Больше не на складе",
            "Stokta değil",
            "Không còn hàng",
            "ไม่มีสินค้า",
            "没有现货",
            "판매종료",
            "Jelenleg nem rendelhető",
            "In stock: no",
            "In stock soon",
            "Disponibile a breve",
            "Available from 12 March",
            "Not available",
            "Verfügbar: nein",
            "En stock : non",
            "Dostępny: nie",
            "В наличии: нет",
            "Bald wieder verfügbar",
            "Prévenez-moi quand disponible",
            "Åter i lager 12 mars",
            "Lieferbar ab 12.03.2027",
            "Disponible à partir du 12 mars",
            "Disponible el 3 de mayo",
            "In stock from March 2027",
            "Snart på lager",
            "Verkauft",
        ] {
            assert_eq!(said(text), Some("OutOfStock"), "{text}");
        }
        for text in [
            "No rush, in stock",
            "Plus que 2 exemplaires en stock",
            "Nu på lager",
            "Kun 3 på lager",
            "Il ne reste que 3",
            "Ce ne sono pochi: disponibile",
            "Auf Lager, Lieferung bis 12.03.",
            "Lieferbar in 2-3 Werktagen",
            "Wieder verfügbar",
            "In stock: 12",
            "In stock - no minimum order",
            "Verfügbar ab 3 Stück",
            "Lieferbar ab Lager",
            "Znovu skladem",
            "全新未拆封现货",
        ] {
            assert_eq!(said(text), Some("InStock"), "{text}");
        }
        for text in ["Verkauft von Acme", "Not available online", "Pickup unavailable"] {
            assert_eq!(said(text), None, "{text}");
        }
        assert_eq!(said_of_variant("M – no disponible"), Some("OutOfStock"));
    }

    #[test]
    fn one_name_comes_of_all_spellings() {
        for text in [
            "http://schema.org/InStock",
            "schema:InStock",
            "in stock",
            "instock",
            "IN_STOCK",
            "InStock ",
            "Auf Lager",
            "true",
        ] {
            assert_eq!(declared(text), Some("InStock"), "{text}");
        }
        for (text, name) in [
            ("https://schema.org/outofstock", "OutOfStock"),
            ("oos", "OutOfStock"),
            ("Sold out", "SoldOut"),
            ("preorder", "PreOrder"),
            ("available for order", "BackOrder"),
            ("在庫なし", "OutOfStock"),
            ("https://schema.org/LimitedAvailability", "LimitedAvailability"),
        ] {
            assert_eq!(declared(text), Some(name), "{text}");
        }
        for text in ["Only 3 left", "Ultimi 12 pezzi", "Осталось 3 шт.", "残りあと6個です", "Quedan ٣ unidades"]
        {
            assert_eq!(said(text), Some("InStock"), "{text}");
        }
        for text in [
            "Notify me when back in stock",
            "Nincs raktáron",
            "Nije dostupno",
            "Fuera de stock",
            "Ei varastossa",
            "Stokta kalmadı",
            "品切れ",
            "Εξαντλήθηκε",
            "לא במלאי",
            "Habis terjual",
        ] {
            assert_eq!(said(text), Some("OutOfStock"), "{text}");
        }
        for (text, kind) in [
            ("0 in stock", "OutOfStock"),
            ("10 in stock", "InStock"),
            ("Stock: 0", "OutOfStock"),
            ("Availability: 14", "InStock"),
            ("Made to order", "MadeToOrder"),
            ("This item is discontinued", "Discontinued"),
            ("In store only", "InStoreOnly"),
            ("Förhandsboka", "PreOrder"),
            ("Disponibilità immediata", "InStock"),
            ("Turime sandėlyje", "InStock"),
            ("พร้อมส่ง", "InStock"),
        ] {
            assert_eq!(said(text), Some(kind), "{text}");
        }
        for (text, is_variant) in [
            ("M – sold out", true),
            ("34 slutsåld", true),
            ("Red (sold out)", true),
            ("Variant sold out or unavailable", true),
            ("Produkt niedostępny", false),
            ("En rupture de stock", false),
            ("Ej i lager", false),
            ("일시품절", false),
            ("暂时缺货", false),
            ("Availability: sold out", false),
            ("Sold out", false),
        ] {
            assert_eq!(said_of_variant(text).is_some(), is_variant, "{text}");
        }
        assert_eq!([declared("{{ stock }}"), declared("ask us"), declared("")], [None; 3]);
    }
}
