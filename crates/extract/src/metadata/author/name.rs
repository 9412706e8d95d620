//! A declared author, or what stands in a byline, as a name.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_text::{collapse, is_han};

use super::words::{NameRole, behind, is, words};
use crate::metadata::date::{is_weekday, label_start as date_label, month};

const MAX_CHARS: usize = 100;
const MAX_NAMES: usize = 10;
/// What the makers of a site say of themselves.
const MAKERS: [&str; 6] = ["developed by ", "powered by ", "designed by ", "website by ", "web design ", "webdesign "];
/// Words between two names.
pub(super) const ANDS: [&str; 17] =
    ["and", "und", "et", "y", "e", "i", "en", "och", "og", "ja", "és", "ve", "и", "і", "και", "dan", "&"];
/// Signs around a name that are no part of it; closing brackets are where one opens in it.
const EDGES: &str = ",;|·•⋅●~-–:： /\"“”'(（)）»«";

/// A declared author as a name; `None` for an address, a handle, or a sentence.
pub(super) fn name(value: &str) -> Option<String> {
    let mut name = collapse(value);
    if is_source(&name) {
        return None;
    }
    // `Jane Doe @ Mill Post`, `Jane Doe @janedoe`: where somebody writes.
    if let Some((who, _)) = name.split_once(" @") {
        name = who.to_owned();
    }
    // `jane@example.com (Jane Doe)`: as feeds have it.
    if let Some((address, who)) = name.strip_suffix(')').and_then(|text| text.split_once(" ("))
        && address.contains('@')
    {
        name = who.to_owned();
    }
    while let Some(rest) = without_lead(&name) {
        name = rest.to_owned();
    }
    // `View all of Jane Doe's posts.`, `Alle Beiträge von Jana Döhl anzeigen`
    let behind = ["'s posts", "’s posts", " anzeigen"];
    if let Some(who) = behind.iter().find_map(|words| name.trim_end_matches('.').strip_suffix(words)) {
        name = who.to_owned();
    }
    let closed = name.contains(['(', '（']);
    let trimmed = name.trim_matches(|c| EDGES.contains(c) && !(closed && matches!(c, ')' | '）')));
    let name = without_stop(without_month(trimmed).trim_end_matches([',', '|', '·', '•', '-', ' '])).to_owned();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let plausible = letters >= 2
        && name.chars().count() <= MAX_CHARS
        && !name.contains("://")
        && !name.contains(['@', '=', '<', '{'])
        && !name.starts_with('[');
    let sentence = name.contains(['。', '！', '？', '!', '?']) || name.split(' ').count() > 12;
    let lower = name.to_lowercase();
    let nobody = is(&lower, NameRole::Nobody)
        || lower.len() > 5 && !lower.contains(' ') && is_weekday(&lower)
        || MAKERS.iter().any(|maker| lower.starts_with(maker))
        || names_picture(&lower)
        || lower.split(' ').all(|word| is(word, NameRole::Sharing));
    // `mill.example/jane`
    let address = !name.contains(' ') && name.contains('/') && name.contains('.');
    let open = name.rsplit_once(' ').is_some_and(|(_, last)| is(last, NameRole::Preposition));
    // Words before a name, and no name behind them; `Di` is one.
    let lead = lower.len() > 4 && leads(&lower).any(|lead| lead == lower);
    (plausible && !sentence && !lead && !nobody && !open && !address).then_some(name)
}

/// `foto: jane doe`, `фото из архива`: whose picture it is.
fn names_picture(lower: &str) -> bool {
    let (first, rest) = lower.split_once(' ').unwrap_or((lower, ""));
    // `bild am sonntag` is a paper.
    let goes_on = || !first.is_ascii() && rest.contains(' ');
    is(first.trim_end_matches([':', '：']), NameRole::Picture) && (first.ends_with([':', '：']) || goes_on())
}

/// `Source: AP`: a word for sources, and a colon.
pub(super) fn is_source(text: &str) -> bool {
    text.split_once([':', '：']).is_some_and(|(word, _)| is(&word.trim().to_lowercase(), NameRole::Source))
}

/// `Teresa Olmo.` without its stop; that of initials and of `Jr.` stays.
fn without_stop(name: &str) -> &str {
    let last = name.rsplit(' ').next().unwrap_or_default();
    let is_whole = name.contains(' ') && last.chars().count() > 4 && last.matches('.').count() == 1;
    let is_suffix = || is(&last.to_lowercase(), NameRole::Suffix);
    name.strip_suffix('.').filter(|_| is_whole && !is_suffix()).unwrap_or(name)
}

/// What is cut off before a name, by its first letter.
static LEADS: LazyLock<HashMap<char, Vec<&str>>> = LazyLock::new(|| {
    let mut leads: HashMap<char, Vec<&str>> = HashMap::new();
    for (lead, _) in words(&[NameRole::Phrase, NameRole::Noun, NameRole::By, NameRole::Before]) {
        leads.entry(lead.chars().next().unwrap_or_default()).or_default().push(lead);
    }
    leads
});

/// The words that begin like a text and are cut off before a name.
fn leads(text: &str) -> impl Iterator<Item = &'static str> {
    let first = text.chars().next().and_then(|c| c.to_lowercase().next()).unwrap_or_default();
    LEADS.get(&first).into_iter().flatten().copied()
}

/// The text after a word such as `By` or `作者：`; `BySummer Swann` and `Written byDan` too, where the space was
/// lost.
pub(super) fn without_lead(text: &str) -> Option<&str> {
    leads(text).find_map(|lead| {
        let rest = behind(text, lead)?;
        let start = &text[..text.len() - rest.len()];
        let next = rest.chars().next()?;
        let short = lead.len() == 2 && lead.is_ascii() && start.starts_with(char::is_uppercase);
        let long = lead.contains(' ') && start.ends_with(char::is_lowercase);
        let glued = next.is_uppercase() && (short || long);
        let parted = next.is_whitespace() || matches!(next, ':' | '：' | '/' | '｜' | '|' | '丨' | '-');
        let left = rest.trim_start_matches([' ', ':', '：', '/', '｜', '|', '丨', '-', '\u{3000}']);
        // `Contributors to the project` is no name behind a noun.
        let phrase = next == ' ' && left.starts_with(char::is_lowercase) && is(lead, NameRole::Noun);
        ((parted || glued) && !phrase && !left.is_empty()).then_some(left)
    })
}

/// The names that a byline begins with, as one value: without agencies, places, what somebody is by trade, and who made the pictures.
pub(super) fn people(text: &str) -> Option<String> {
    let text = text.replace("; ", ", ");
    let text = up_to_remark(&text);
    let mut parts = text.split(", ").map(without_trade);
    let first = parts.next()?;
    // `Jana Döhl, Berlin`, `Jan Novák, ČTK`: a second writer has two names as the first has.
    let is_word = |part: &str| !part.contains(' ') && !is(&part.to_lowercase(), NameRole::Suffix);
    // `Jane Doe, who mends boats`
    let goes_on = |part: &str| {
        let word = part.split(' ').next().unwrap_or_default();
        word.starts_with(char::is_lowercase) && !is(word, NameRole::Particle) && !ANDS.contains(&word)
    };
    // `JANE DOE and BO WU, Associated Press`
    let are_several = several(first) != first;
    let is_remark = |part: &str| {
        part.is_empty()
            || is_proper(first) && (is_word(part) || is_trade(part) || goes_on(part))
            || are_several && is_organisation(part)
    };
    let others = parts.filter(|part| !is_remark(part));
    let names = std::iter::once(first).chain(others).collect::<Vec<_>>().join(", ");
    name(&names).map(|names| several(&names))
}

/// Declared names without what somebody is by trade: `Lotte Graham, Staff Writer`.
fn without_trades(names: &str) -> String {
    let mut parts = names.split(", ");
    let first = parts.next().unwrap_or_default();
    let others = parts.filter(|part| !(is_proper(first) && is_trade(part)));
    std::iter::once(first).chain(others).collect::<Vec<_>>().join(", ")
}

/// Whether it says what somebody is by trade, and where: `Transport Correspondent`.
pub(super) fn is_trade(part: &str) -> bool {
    let last = part.rsplit(' ').next().unwrap_or_default();
    is(&last.to_lowercase(), NameRole::Position)
}

/// A byline up to what is said of its names: `Jana Döhl/dpa`, `Jane Doe (Rome)`, `Jane Doe for the Post`, `Ana Gil. Fotos: Luis Mora`.
fn up_to_remark(text: &str) -> &str {
    let cuts = |word: &str| {
        let lower = word.to_lowercase();
        let is_number = || word.starts_with(char::is_numeric) || word.starts_with('@');
        // `Jane Doe, Editor: Bo Wu`
        let is_label = || word.len() > 1 && word.ends_with([':', '：']);
        is(word, NameRole::Ends)
            || word == "For"
            || is(lower.trim_end_matches(':'), NameRole::Picture)
            || is_number()
            || is_label()
    };
    let mut end = text.find(['(', '（']).unwrap_or(text.len());
    end = text[..end].find('/').filter(|&at| is_proper(&text[..at])).unwrap_or(end);
    let mut at = 0;
    for word in text[..end].split(' ') {
        let before = text[..at].trim_end_matches([' ', ',', '.']);
        if at > 0 && cuts(word) && (is_proper(before) || is_caseless(before)) {
            end = at;
            break;
        }
        at += word.len() + 1;
    }
    let label = date_label(&text[..end]).unwrap_or(end);
    let cut = text[..label].trim_end_matches(|c: char| c == ' ' || c == ',' || c == '.' && label < text.len());
    if cut.chars().filter(|c| c.is_alphabetic()).count() < 2 { text } else { cut }
}

/// A name without what somebody is by trade behind it: `Jane Doe Staff Writer`; nothing of what says no more than that.
fn without_trade(part: &str) -> &str {
    let last = |text: &str, role| text.rsplit(' ').next().is_some_and(|last| is(&last.to_lowercase(), role));
    let mut left = part.trim();
    if is(&left.to_lowercase(), NameRole::Nobody) {
        return "";
    }
    if !last(left, NameRole::Position) {
        return left;
    }
    while last(left, NameRole::Position) || last(left, NameRole::Rank) {
        left = left.rsplit_once(' ').map_or("", |(left, _)| left);
    }
    // `EcoCult Staff` is what stands for a name.
    if left.is_empty() || left.contains(' ') { left } else { part }
}

/// `Ann says` is Ann.
pub(super) fn without_verb(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((left, verb)) if is(&verb.to_lowercase(), NameRole::Says) => left,
        _ => name,
    }
}

/// A date often stands behind a name: its month is what is left once the digits were cut off.
fn without_month(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((left, last))
            if left.contains(' ') && month(&last.trim_matches(['.', ',']).to_lowercase(), "").is_some() =>
        {
            left
        }
        _ => name,
    }
}

/// `Doe, Jane` as Jane Doe; `None` for what may be two people or a firm.
pub(super) fn first_last(name: &str) -> Option<String> {
    let (last, first) = name.split_once(',')?;
    let (last, first) = (last.trim(), first.trim());
    let n_words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).count();
    let one = (1..=2).contains(&n_words(last)) && (1..=3).contains(&n_words(first)) && !first.contains(',');
    // Two names of several words each are two people.
    let is_person = one && (n_words(last) == 1 || n_words(first) == 1) && !is(&first.to_lowercase(), NameRole::Suffix);
    is_person.then(|| format!("{first} {last}"))
}

/// Several names as one value, each once.
pub(super) fn join<'n>(names: impl IntoIterator<Item = &'n String>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names.into_iter().filter_map(|value| name(value)).take(MAX_NAMES) {
        let name = several(&without_trades(&name));
        if !all.contains(&name) {
            all.push(name);
        }
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// Names with a word for `and` between them, with commas in its place: each must be a whole name, as `Ortega y Gasset` are not two.
/// Names of Chinese characters may have other signs between them.
pub(super) fn several(names: &str) -> String {
    let han: Vec<&str> = names.split(['、', '，', '；']).filter(|name| !name.is_empty()).collect();
    if han.len() > 1 && han.iter().all(|name| is_han_name(name)) {
        return han.join(", ");
    }
    if let Some(people) = parted(names) {
        return people;
    }
    let words: Vec<&str> = names.split(' ').collect();
    let in_capitals = !names.contains(char::is_lowercase);
    // `Jane Doe, Gardener & Cook` is one.
    let is_and = |word: &&str| match *word {
        "&" => !names.contains(','),
        "And" => true,
        "AND" | "UND" | "ET" | "OCH" | "OG" => in_capitals,
        word => ANDS.contains(&word),
    };
    let people: Vec<String> = words.split(is_and).map(|name| name.join(" ").trim_end_matches(',').to_owned()).collect();
    let is_whole = |part: &str| is_proper(part) || is(&part.to_lowercase(), NameRole::Suffix);
    let are_whole = people.iter().all(|person| person.split(", ").all(is_whole) && !is_organisation(person));
    if people.len() > 1 && are_whole {
        return people.join(", ");
    }
    before_place(names).unwrap_or_else(|| names.to_owned())
}

/// Two whole names and one word behind a comma: `Anna Martel und Lea Wagner, Nairobi`.
fn before_place(names: &str) -> Option<String> {
    let (two, place) = names.rsplit_once(", ")?;
    let words: Vec<&str> = two.split(' ').collect();
    let people: Vec<String> =
        words.split(|word| *word != "&" && ANDS.contains(word)).map(|name| name.join(" ")).collect();
    let are_whole = people.iter().all(|person| is_personal(person) && !person.contains(','));
    (people.len() == 2 && are_whole && !place.contains(' ')).then(|| format!("{}, {place}", people.join(", ")))
}

/// Whole names with semicolons between them: `Jane Doe; Bo Wu`, `Doe, Jane; Wu, Bo`.
fn parted(names: &str) -> Option<String> {
    let all: Vec<&str> = names.split(';').map(str::trim).filter(|name| !name.is_empty()).collect();
    let turned = || all.iter().map(|name| first_last(name)).collect::<Option<Vec<String>>>();
    let whole = || all.iter().all(|name| is_proper(name) && !name.contains(','));
    match all.len() {
        0 | 1 => None,
        _ => turned().map(|people| people.join(", ")).or_else(|| whole().then(|| all.join(", "))),
    }
}

/// Whether it is two to four Chinese characters.
fn is_han_name(name: &str) -> bool {
    (2..=4).contains(&name.chars().count()) && name.chars().all(is_han)
}

/// Whether it is several words that all begin with a capital, but for particles.
pub(super) fn is_proper(name: &str) -> bool {
    // `d’Almeida`, `al-Rashid`
    let behind_sign = |word: &str| {
        let sign = word.char_indices().take(4).find(|(_, c)| matches!(c, '\'' | '’' | '-'));
        sign.is_some_and(|(at, c)| at > 0 && word[at + c.len_utf8()..].starts_with(char::is_uppercase))
    };
    let begins = |word: &str| word.starts_with(char::is_uppercase) || is(word, NameRole::Particle) || behind_sign(word);
    name.contains(' ') && name.split(' ').all(begins)
}

/// Whether it is a small letter of a script with capitals: Georgian is written without.
pub(super) fn is_small(c: char) -> bool {
    c.is_lowercase() && !('\u{10d0}'..='\u{10ff}').contains(&c)
}

/// Whether it is two to four words of a script without capitals.
pub(super) fn is_caseless(name: &str) -> bool {
    let is_caseless = |c: char| !c.is_ascii() && !is_small(c) && !c.is_uppercase();
    (2..=4).contains(&name.split(' ').count()) && name.split(' ').all(|word| word.chars().all(is_caseless))
}

/// Whether it is written as the names of persons are, and not as those of sites and firms.
pub(super) fn is_personal(name: &str) -> bool {
    is_proper(name) && !is_organisation(name)
}

/// Whether a word of it is in the names of sites and firms, and in no person's.
pub(super) fn is_organisation(name: &str) -> bool {
    name.split(' ').any(|word| is(&word.to_lowercase(), NameRole::Organisation))
}
