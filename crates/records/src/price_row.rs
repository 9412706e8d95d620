//! The text of a row as prices are read from it.

use std::borrow::Cow;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use crate::price::{self, PriceStyle, digit};
use crate::price_classes::strikes;
use crate::view::{ByteRange, RecordView};

/// Elements around an amount that may strike it out or call it a price.
const MAX_AROUND: usize = 4;

/// The text of a row with digits and words kept apart that stand in different elements, and where something was set in: cents behind a whole
/// amount get their point (`19` and a small `99`), numbers of their own a new line (`250` and `180 €`), all else a space (`$145` and `19% off`,
/// `99 zł` and `Regular price`).
pub(crate) fn apart<'v>(view: &'v RecordView, row: &Row, span: ByteRange) -> (Cow<'v, str>, Vec<usize>) {
    let text = view.slice(span);
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let leaves = &view.leaves[row.first_leaf as usize..row.end_leaf as usize];
    let starts = leaves.iter().skip(1).filter_map(|leaf| leaf.start.checked_sub(span.start)).map(|at| at as usize);
    let starts: Vec<usize> = starts.collect();
    let is_seam = |at: &usize| {
        let (before, behind) = (text[..*at].chars().next_back(), text[*at..].chars().next());
        before.zip(behind).is_some_and(|(before, behind)| {
            let is_number = |c: char| c.is_ascii_digit();
            is_number(before) && is_number(behind)
                || is_number(before) != is_number(behind) && before.is_alphanumeric() && behind.is_alphanumeric()
                || before.is_lowercase() && behind.is_uppercase()
                || is_number(behind) && ends_in_cents(&text[..*at - before.len_utf8()])
                || is_number(behind) && ends_in_dash(&text[..*at])
                || is_number(behind) && ends_in_sign(text, *at, &starts)
                || behind.is_alphabetic() && ends_in_letters(&text[..*at])
        })
    };
    let is_parted = |at: usize| {
        is_between_digits(text, at)
            && (begins_thousands(text, at) || is_struck_on_one_side(view, span.start + at as u32))
    };
    // `34 <sup>99</sup>`
    let is_raised = |at: &usize| {
        let whole = text[..*at].trim_end();
        let last = whole.rsplit(char::is_whitespace).next().unwrap_or_default();
        let behind = text[*at..].trim_start();
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        digits == 2
            && whole.len() + behind.len() < text.len()
            && !last.is_empty()
            && last.bytes().all(|byte| byte.is_ascii_digit())
            && is_within(view, span.start + (text.len() - behind.len()) as u32, names_cents)
    };
    let raised: Vec<usize> = starts.iter().filter(|at| is_raised(at)).map(|&at| text[..at].trim_end().len()).collect();
    let mut seams: Vec<usize> = starts.iter().copied().filter(|at| is_seam(at) || is_parted(*at)).collect();
    seams.extend(&raised);
    seams.sort_unstable();
    if seams.is_empty() {
        return (Cow::Borrowed(text), seams);
    }
    let (mut out, mut set_in, mut from) = (String::with_capacity(text.len() + seams.len()), Vec::new(), 0);
    for at in seams {
        out.push_str(&text[from..at]);
        from = at;
        set_in.push(out.len());
        let last = out.rsplit(char::is_whitespace).next().unwrap_or_default();
        let mark = last.rfind(['.', ',']);
        let divides = mark.is_some_and(|mark| last.len() - mark == 4);
        let is_named = || divides && is_within(view, span.start + at as u32, names_cents);
        let is_whole = mark.is_none() || is_named();
        let are_cents = is_digit(at - 1)
            && is_digit(at)
            && is_digit(at + 1)
            && (!is_digit(at + 2) || starts.binary_search(&(at + 2)).is_ok())
            && !text[at + 2..].starts_with(['%', '.', ',']);
        out.push(match () {
            () if raised.contains(&at) => '.',
            () if is_parted(at) => '\n',
            () if is_whole && are_cents && mark.is_some_and(|mark| last[mark..].starts_with('.')) => ',',
            () if is_whole && are_cents => '.',
            // A space would make the cents before it the thousands of what is behind it, and the dash one of a range.
            () if ends_in_apart_cents(&out) || ends_in_dash(&out) => '\n',
            () => ' ',
        });
    }
    out.push_str(&text[from..]);
    (Cow::Owned(out), set_in)
}

fn is_between_digits(text: &str, at: usize) -> bool {
    let is_digit = |c: char| digit(c).is_some();
    text[..at].trim_end().ends_with(is_digit) && text[at..].trim_start().starts_with(is_digit)
}

/// Whether what stands behind white space at `at` would be thousands of a number before it.
fn begins_thousands(text: &str, at: usize) -> bool {
    let behind = text[at..].trim_start();
    let is_spaced = text[..at].ends_with(char::is_whitespace) || behind.len() < text.len() - at;
    is_spaced && behind.chars().take_while(|&c| digit(c).is_some()).count() == 3
}

/// Whether one of two texts that meet at a byte is struck out and the other is not.
fn is_struck_on_one_side(view: &RecordView, position: u32) -> bool {
    let is_struck = |position: u32| is_within(view, position, strikes);
    is_struck(position) != is_struck(position.saturating_sub(1))
}

/// Whether a text ends before `at` in an amount with the sign behind it, and what follows are no cents: another amount begins.
fn ends_in_sign(text: &str, at: usize, starts: &[usize]) -> bool {
    let Some(sign) = text[..at].chars().next_back().filter(|sign| !sign.is_ascii() && !sign.is_alphanumeric()) else {
        return false;
    };
    let begin = at - sign.len_utf8();
    let end = starts.iter().copied().find(|&start| start > at).unwrap_or(text.len());
    let digits = text[at..end].bytes().take_while(u8::is_ascii_digit).count();
    // `15 490` and `15.490` behind a sign are no cents.
    let goes_on = text[at + digits..end].trim_start_matches([' ', '\u{a0}', '\u{202f}', '.', ',']);
    let is_thousands = goes_on.len() < end - at - digits && goes_on.starts_with(|c: char| c.is_ascii_digit());
    let is_behind = text[..begin].trim_end().ends_with(|c: char| c.is_ascii_digit());
    !sign.is_whitespace() && is_behind && (digits != 2 || is_thousands) && starts.binary_search(&begin).is_err()
}

/// Whether a text ends in an amount with a sign of letters: `34,99 zł`, and `netto` in the next element.
fn ends_in_letters(text: &str) -> bool {
    text.ends_with(char::is_alphabetic)
        && price::amounts(text, PriceStyle::default()).last().is_some_and(|amount| amount.place.end == text.len())
}

/// Whether a text ends in an amount with the dash that stands for no cents: `1299,-`.
fn ends_in_dash(text: &str) -> bool {
    let whole = text.trim_end_matches(['-', '–', '—']);
    let amount = whole.trim_end_matches(['.', ',', ':']);
    whole.len() < text.len() && amount.len() < whole.len() && amount.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether an element is called the cents of an amount, or is raised.
fn names_cents(view: &RecordView, id: NodeId) -> bool {
    const NAMES: [&str; 5] = ["cents", "decimal", "fraction", "centavos", "sup"];
    let class = view.doc.attr(id, LocalName::CLASS).unwrap_or_default();
    view.doc.name(id) == LocalName::SUP || class.len() <= 200 && NAMES.iter().any(|name| class.contains(name))
}

/// Whether a text ends in cents behind the sign of their amount: `549€99`.
fn ends_in_apart_cents(text: &str) -> bool {
    let whole = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut back = whole.chars().rev();
    let is_sign = back.next().is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace() && !c.is_ascii());
    text.len() - whole.len() == 2 && is_sign && back.next().is_some_and(|c| c.is_ascii_digit())
}

/// Whether a text ends in an amount with cents: the sign behind it is its own, and not that of the next number.
fn ends_in_cents(text: &str) -> bool {
    let whole = text.trim_end().trim_end_matches(|c: char| c.is_ascii_digit());
    text.trim_end().len() - whole.len() == 2 && whole.ends_with(['.', ','])
}

/// Whether an element close around a byte is one of a kind.
pub(crate) fn is_within(view: &RecordView, position: u32, is_kind: impl Fn(&RecordView, NodeId) -> bool) -> bool {
    let leaf = &view.leaves[view.leaf_at(position)];
    view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND).any(|id| is_kind(view, id))
}
