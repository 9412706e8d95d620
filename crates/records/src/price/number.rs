//! Numbers as shops of the world write them, in any digits.

use std::ops::Range;

/// The zeros of the scripts that have digits of their own; nine more stand behind each.
const ZEROS: [char; 18] = ['٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '๐', '໐', '༠', '၀', '០', '０'];

/// Longest number in bytes.
const MAX_BYTES: usize = 40;

/// The digit that a character is, in any script.
pub(crate) fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    if c < ZEROS[0] {
        return None;
    }
    let of = |zero: &char| (c as u32).checked_sub(*zero as u32).filter(|digit| *digit < 10);
    ZEROS.iter().find_map(of).map(|digit| digit as u8)
}

/// The digit that a raised character is.
fn raised_digit(c: char) -> Option<u8> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c).map(|digit| digit as u8)
}

/// The digit that a character is, raised or not.
pub(super) fn any_digit(c: char) -> Option<u8> {
    digit(c).or_else(|| raised_digit(c))
}

/// The bytes of the two raised digits that a text begins with: `12⁹⁹`.
pub(super) fn raised_cents(text: &str) -> Option<usize> {
    let mut raised = text.char_indices().skip_while(|&(at, c)| at < text.len() && raised_digit(c).is_some());
    let end = raised.next().map_or(text.len(), |(at, _)| at);
    (text[..end].chars().count() == 2).then_some(end)
}

/// What a character within a number is: a point, a comma, or a mark that only divides thousands.
fn mark(c: char) -> Option<char> {
    match c {
        '.' | '．' | '·' => Some('.'),
        ',' | '，' | '،' | '٫' => Some(','),
        '\'' | '’' | '‘' | 'ʼ' | '′' | '´' | '`' | '٬' => Some('\''),
        _ => None,
    }
}

/// A space that may stand within a number.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() && c != '\n' && c != '\r'
}

/// How many digits a text begins with.
pub(super) fn n_digits(text: &str) -> usize {
    text.chars().take_while(|&c| digit(c).is_some()).count()
}

/// The next number from a byte on: digits and the marks between them, spaces that divide thousands, and cents behind a mark with spaces
/// or a colon (`119. 95`, `12:50`). A mark before the first digit belongs to it where no whole number is written (`.75`).
pub(super) fn next(text: &str, from: usize) -> Option<Range<usize>> {
    let (at, _) = text[from..].char_indices().find(|&(_, c)| digit(c).is_some())?;
    let first = from + at;
    let start = if is_fraction(&text[from..first], &text[first..]) { first - 1 } else { first };
    let mut end = first;
    let mut group = 0;
    let mut chars = text[first..].char_indices();
    while let Some((at, c)) = chars.next() {
        let at = first + at;
        let rest = chars.as_str();
        if digit(c).is_some() {
            (end, group) = (at + c.len_utf8(), group + 1);
        } else if end - start > MAX_BYTES {
            break;
        } else if divides(c, rest, group, &text[start..end]) {
            group = 0;
        } else {
            return Some(start..end + apart_cents(&text[start..end], &text[end..]).unwrap_or(0));
        }
    }
    Some(start..end)
}

/// Whether a character stands within a number: a mark with a digit behind it, or a space between thousands.
fn divides(c: char, rest: &str, group: usize, number: &str) -> bool {
    match mark(c) {
        Some(_) => n_digits(rest) > 0,
        None => is_space(c) && group <= 3 && n_digits(rest) == 3 && !number.contains(['.', ',']),
    }
}

/// Whether digits behind `before` are those of a fraction without a whole number.
fn is_fraction(before: &str, digits: &str) -> bool {
    let mut back = before.chars().rev();
    let is_point = matches!(back.next(), Some('.' | ','));
    is_point && back.next().is_none_or(|c| !c.is_alphanumeric() && mark(c).is_none()) && is_cents(digits)
}

/// How far cents reach that stand behind a number, apart from it by a mark with spaces, or by a colon.
fn apart_cents(number: &str, rest: &str) -> Option<usize> {
    let is_whole = !number.contains(['.', ',']);
    let are_thousands = number.rfind('.').is_some_and(|at| n_digits(&number[at + 1..]) == 3 && number.len() - at == 4);
    if let Some(raised) = raised_cents(rest).filter(|_| is_whole) {
        return Some(raised);
    }
    // `1250-00` is no range.
    if let Some(behind) = rest.strip_prefix("-00").filter(|behind| is_whole && n_digits(behind) == 0) {
        return (!behind.starts_with(['-', '/', '.', ','])).then_some("-00".len());
    }
    let point = rest.trim_start_matches(is_space);
    let mark = mark(point.chars().next()?).or(point.starts_with(':').then_some(':'))?;
    let behind = &point[point.chars().next()?.len_utf8()..];
    let digits = behind.trim_start_matches(is_space);
    let fits = match mark {
        '\'' => false,
        ':' => digits.len() + 1 == rest.len() && (is_whole || are_thousands),
        mark => !number.contains(mark),
    };
    Some(rest.len() - digits.len() + cents(digits).filter(|_| fits)?)
}

/// The bytes of the two digits that a text begins with, if they can be cents: no number, percentage, fraction or word goes on behind them.
pub(super) fn cents(text: &str) -> Option<usize> {
    if let Some(raised) = raised_cents(text) {
        return Some(raised);
    }
    if !is_cents(text) {
        return None;
    }
    let n: usize = text.chars().take(2).map(char::len_utf8).sum();
    let rest = &text[n..];
    let next = rest.trim_start_matches(is_space).chars().next();
    // `12 990` are thousands.
    let is_thousands = n_digits(rest.trim_start_matches(is_space)) == 3;
    // `59:90 /st` is the price of a piece, `12/24` none.
    let is_fraction = rest.trim_start().strip_prefix('/').is_some_and(|of| !of.starts_with(char::is_alphabetic));
    let goes_on = is_thousands
        || is_fraction
        || next.is_some_and(|c| matches!(c, '%' | '-' | '–' | ':' | '×'))
        || rest.chars().next().is_some_and(|c| c.is_alphanumeric())
        || next.is_some_and(|c| c.is_alphabetic() && rest.len() > 12);
    (!goes_on).then_some(n)
}

/// Whether a text begins with one or two digits and no number goes on behind them.
fn is_cents(text: &str) -> bool {
    let n = n_digits(text);
    let mut rest = text.chars().skip(n);
    let goes_on = rest.next().and_then(mark).is_some() && rest.next().and_then(digit).is_some();
    n == 2 && !goes_on
}

/// A number as written into digits with a dot: thousands marks go, a decimal comma becomes a dot.
///
/// The last mark is a decimal mark if it occurs once and other than three digits follow (or another mark stands before
/// it); otherwise it divides thousands: `1.299` is 1299, `1.29` is 1.29, `1,299.5` is 1299.5. Four digits before it
/// are no thousands: `5700.000` is 5700.000.
pub fn decimal(number: &str) -> Option<String> {
    decimal_with(number, None)
}

/// As [`decimal`], where the page is known to have `point` before decimals: three digits may follow it then.
pub(super) fn decimal_with(number: &str, point: Option<char>) -> Option<String> {
    let mut plain = String::with_capacity(number.len());
    let cents = apostrophe_point(number);
    for (at, c) in number.char_indices() {
        let next = match any_digit(c) {
            Some(digit) => Some((b'0' + digit) as char),
            None if cents == Some(at) => Some('.'),
            None if matches!(c, ':' | '-') => Some('.'),
            None => mark(c).filter(|mark| *mark != '\''),
        };
        if raised_digit(c).is_some() && !plain.contains('.') {
            plain.push('.');
        }
        plain.extend(next);
    }
    let last = plain.rfind(['.', ',']).filter(|&at| is_point(&plain, at, point)).unwrap_or(plain.len());
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).collect::<String>();
    let (whole, parts) = (digits(&plain[..last]), digits(&plain[last..]));
    let whole = match whole.trim_start_matches('0') {
        "" if whole.is_empty() && parts.is_empty() => return None,
        "" => "0",
        whole => whole,
    };
    let out = if parts.is_empty() { whole.to_owned() } else { format!("{whole}.{parts}") };
    (out.len() <= 24).then_some(out)
}

/// Where an apostrophe stands before cents, as Spain writes it by hand: `49'90`; before three digits it divides thousands.
fn apostrophe_point(number: &str) -> Option<usize> {
    let mut marks = number.char_indices().filter(|&(_, c)| mark(c).is_some());
    let (at, c) = marks.next().filter(|&(_, c)| mark(c) == Some('\''))?;
    let behind = &number[at + c.len_utf8()..];
    (marks.next().is_none() && n_digits(behind) == 2 && behind.chars().count() == 2).then_some(at)
}

/// Whether the last mark of a number stands before its decimals.
fn is_point(plain: &str, at: usize, point: Option<char>) -> bool {
    let (before, mark, follows) = (&plain[..at], plain.as_bytes()[at] as char, plain.len() - at - 1);
    if follows != 3 {
        return true;
    }
    let n_before = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let is_no_group = n_before > 3 || before.bytes().all(|byte| byte == b'0');
    !before.contains(mark) && (before.contains(['.', ',']) || is_no_group || point == Some(mark))
}

/// The mark before the decimals of a number, where it can be nothing else: one or two digits stand behind it.
pub(super) fn certain_point(number: &str) -> Option<char> {
    let (at, c) = number.char_indices().rev().find(|&(_, c)| mark(c).is_some_and(|mark| mark != '\''))?;
    matches!(n_digits(&number[at + c.len_utf8()..]), 1 | 2).then(|| mark(c)).flatten()
}

/// An amount times a power of ten.
pub(super) fn shifted(amount: &str, places: usize) -> String {
    let (whole, parts) = amount.split_once('.').unwrap_or((amount, ""));
    let cut = parts.len().min(places);
    let zeros = "0".repeat(places - cut);
    let whole = format!("{whole}{}{zeros}", &parts[..cut]);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if cut == parts.len() { whole.to_owned() } else { format!("{whole}.{}", &parts[cut..]) }
}

/// An amount in the hundredth parts of its currency, in whole ones: `99` is 0.99.
pub(super) fn hundredth(amount: &str) -> String {
    let (whole, parts) = amount.split_once('.').unwrap_or((amount, ""));
    let cents = format!("{whole:0>3}");
    let (whole, cents) = cents.split_at(cents.len() - 2);
    format!("{whole}.{cents}{parts}")
}
