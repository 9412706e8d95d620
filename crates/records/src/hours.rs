//! Opening hours: two times of day with a dash between. They stand beside names of days as attributes stand beside theirs.

/// Longest text that is looked at, in bytes, and most bytes between the two times.
const MAX_BYTES: usize = 60;
const MAX_BETWEEN: usize = 5;

/// Whether a text holds a span of hours: `10h30-19h`, `9:00 – 17:30`, `9 am - 5 pm`. Says nothing of `2.5-3 cm` or `16:9`. O(bytes).
pub(crate) fn is_hours(text: &str) -> bool {
    let bytes = &text.as_bytes()[..text.len().min(MAX_BYTES)];
    let (mut at, mut last_end) = (0, None);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() || at > 0 && bytes[at - 1].is_ascii_digit() {
            at += 1;
            continue;
        }
        let Some(end) = time(bytes, at) else {
            at += 1;
            continue;
        };
        let has_dash = |from: usize| {
            let between = std::str::from_utf8(&bytes[from..at]).unwrap_or_default();
            between.contains(['-', '–', '—', '~', '〜', '至'])
        };
        if last_end.is_some_and(|from| at - from <= MAX_BETWEEN && has_dash(from)) {
            return true;
        }
        (at, last_end) = (end, Some(end));
    }
    false
}

/// Whether a text names times of day in words: `Mo–Fr 9–17 Uhr`, where `Fr` is no franc.
pub(crate) fn names_hours(text: &str) -> bool {
    const CLOCKS: [&str; 6] = ["uhr", "uur", "godz", "hod", "heures", "часов"];
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    is_hours(text) || words.any(|word| CLOCKS.iter().any(|clock| word.to_lowercase() == *clock))
}

/// Where the time of day ends that begins at `at`: hours, and minutes in two digits, or a mark that says what the number is.
fn time(bytes: &[u8], at: usize) -> Option<usize> {
    let number = |at: usize| {
        let n = bytes[at.min(bytes.len())..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let value = bytes[at.min(bytes.len())..][..n].iter().fold(0, |value, byte| value * 10 + u32::from(byte - b'0'));
        (n > 0).then_some((value, at + n))
    };
    let (_, end) = number(at).filter(|(hours, _)| *hours <= 24)?;
    let minutes =
        |from: usize| number(from).filter(|(value, after)| after - from == 2 && value % 5 == 0 && *value < 60);
    match bytes.get(end)? {
        b':' => Some(minutes(end + 1)?.1),
        b'h' | b'H' => Some(minutes(end + 1).map_or(end + 1, |(_, after)| after)),
        _ => {
            let rest = bytes[end..].strip_prefix(b" ").unwrap_or(&bytes[end..]);
            let is_mark = rest.len() >= 2 && matches!(rest[..2].to_ascii_lowercase()[..], [b'a' | b'p', b'm']);
            is_mark.then(|| bytes.len() - rest.len() + 2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_hours;

    #[test]
    fn spans_of_hours_are_told_from_measures() {
        for text in ["10h30-19h", "10h30 - 19h00", "9:00 – 17:30", "Mon 9 am - 5 pm", "8H-12H", "09:30~21:00"] {
            assert!(is_hours(text), "{text}");
        }
        for text in ["2.5-3 cm", "16:9", "10-12", "up to 10 h", "1:10-1:12", "5-10 h", "", "12:00", "9–", "9h\u{2013}"]
        {
            assert!(!is_hours(text), "{text}");
        }
    }
}
