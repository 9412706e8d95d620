//! Spans of hours behind a day, which are those of an event: `20 April 2024, 10 am – 4 pm`.

/// Words and signs between the two hours.
const BETWEEN: [&str; 12] = ["-", "–", "—", "to ", "bis ", "till ", "until ", "à ", "a ", "alle ", "tot ", "do "];
/// Words before the first hour.
const FROM: [&str; 8] = ["from ", "von ", "de ", "dalle ", "van ", "od ", "at ", "um "];
/// What is written behind hours, the longest first.
const MARKS: [&str; 10] = ["a.m.", "p.m.", "am", "pm", "a.m", "p.m", "uhr", "h", "hrs", "noon"];

/// Whether a text that follows a date goes on with the hours of an event; behind a date and an hour with the second of them.
pub(super) fn follow(after: &str, is_timed: bool) -> bool {
    const MAX_BYTES: usize = 40;
    let after = after[..after.floor_char_boundary(MAX_BYTES)].to_lowercase();
    let text = after.trim_start();
    if is_timed {
        return between(text).and_then(hour).is_some_and(|(_, is_marked)| is_marked);
    }
    let text = text.trim_start_matches([' ', ',', '|', '·', '•']);
    let text = FROM.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let second = hour(text).and_then(|(rest, _)| between(rest.trim_start())).and_then(hour);
    second.is_some_and(|(_, is_marked)| is_marked)
}

fn between(text: &str) -> Option<&str> {
    BETWEEN.iter().find_map(|word| text.strip_prefix(word)).map(str::trim_start)
}

/// What follows an hour, and whether minutes or a mark say that it is one.
fn hour(text: &str) -> Option<(&str, bool)> {
    let (hour, rest) = number(text, 1).filter(|(hour, _)| *hour <= 24)?;
    let minutes =
        rest.strip_prefix([':', '.', 'h']).and_then(|rest| number(rest, 2)).filter(|(minute, _)| *minute < 60);
    let (rest, has_minutes) = minutes.map_or((rest, false), |(_, rest)| (rest, true));
    let behind = rest.trim_start();
    let mark =
        MARKS.iter().find_map(|mark| behind.strip_prefix(mark)).filter(|rest| !rest.starts_with(char::is_alphabetic));
    let is_free = !rest.starts_with(|c: char| c.is_ascii_digit());
    (hour > 0 || has_minutes).then_some((mark.unwrap_or(rest), mark.is_some() || has_minutes && is_free))
}

/// The number of at most two digits that a text begins with.
fn number(text: &str, least: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits].parse().ok().filter(|_| (least..=2).contains(&digits))?;
    Some((number, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_events_are_told_from_times_of_day() {
        for after in [", 10 am – 4 pm", ", 19 bis 22 Uhr", " from 9.30 to 11.00", " · 6pm - 8pm", ", de 10h à 18h"]
        {
            assert!(follow(after, false), "{after}");
        }
        assert!(follow("–22:00", true) && follow("-11:30", true) && follow(" - 4 pm", true));
        for after in ["", ", 10:15", " - 4.34pm", " 10:15 - 5 comments", ", 10 Uhr", " - 2020", " | 10-12-2020"] {
            assert!(!follow(after, false), "{after}");
        }
        assert!(!follow(" - 5 min read", true) && !follow("", true) && !follow(" – 12 pages", true));
    }
}
