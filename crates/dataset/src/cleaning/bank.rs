//! Numbers of bank accounts and of payment cards, told by their check digits.

use std::ops::Range;

use super::numbers::DigitRun;

/// The account number that begins here: the length of its country, and the remainder 1 of 97.
pub fn iban(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let head = bytes.get(at..at + 4)?;
    if !head[..2].iter().all(u8::is_ascii_uppercase) || !head[2..].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let line = include_str!("iban.tsv").lines().find(|line| line.as_bytes().starts_with(&head[..2]))?;
    let len: usize = line.split('\t').nth(1)?.parse().ok()?;
    let (mut found, mut end) = (Vec::with_capacity(len), at);
    while found.len() < len {
        let byte = *bytes.get(end)?;
        let is_blank = byte == b' ' && found.len().is_multiple_of(4) && bytes[end - 1] != b' ';
        if byte.is_ascii_digit() || byte.is_ascii_uppercase() {
            found.push(byte);
        } else if !is_blank {
            return None;
        }
        end += 1;
    }
    let goes_on = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (!goes_on && remainder(&found) == 1).then_some(at..end)
}

fn remainder(iban: &[u8]) -> u32 {
    let moved = iban[4..].iter().chain(&iban[..4]);
    moved.fold(0, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    })
}

/// Where the card number ends that a run begins with: groups of a card, a known issuer, and a check digit that is right.
pub fn card(run: &DigitRun) -> Option<usize> {
    let groups = run.groups();
    let is_plain = run.signs.iter().all(|(_, sign)| matches!(sign, ' ' | '-'));
    let len = match groups.as_slice() {
        [len @ 13..=19] => *len,
        [4, 4, 4, 4, ..] => 16,
        [4, 6, 5, ..] => 15,
        [4, 6, 4, ..] => 14,
        _ => return None,
    };
    let digits = &run.digits[..len];
    (is_plain && is_of_issuer(digits) && luhn(digits)).then(|| run.ends[len - 1])
}

fn is_of_issuer(digits: &[u8]) -> bool {
    let first = |n: usize| digits[..n].iter().fold(0u32, |number, digit| number * 10 + u32::from(*digit));
    let (two, four) = (first(2), first(4));
    match digits.len() {
        13 | 19 => two / 10 == 4 || two == 62,
        14 => matches!(two, 36 | 38 | 39) || matches!(four / 10, 300..=305),
        15 => matches!(two, 34 | 37),
        16 => {
            two / 10 == 4
                || matches!(two, 51..=55 | 62 | 65)
                || matches!(four, 2221..=2720 | 6011 | 3528..=3589)
                || matches!(four / 10, 644..=649)
        }
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = (0..)
        .zip(digits.iter().rev())
        .map(|(at, digit)| {
            let value = u32::from(*digit) << (at % 2);
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    sum.is_multiple_of(10)
}
