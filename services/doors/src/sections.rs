//! Markdown in sections by its headings, and within a budget of tokens.

/// A section: a heading with what stands below it, deeper sections too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkdownSection<'m> {
    /// 1 to 6.
    pub level: usize,
    /// The words of the heading.
    pub title: &'m str,
    /// Its bytes in the text.
    pub start: usize,
    pub end: usize,
}

/// The sections of a text, in its order. Lines in fenced code are no headings. O(bytes).
pub(crate) fn sections(markdown: &str) -> Vec<MarkdownSection<'_>> {
    let (mut found, mut at, mut fence) = (Vec::<MarkdownSection<'_>>::new(), 0, None);
    let mut open: Vec<usize> = Vec::new();
    for line in markdown.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some(mark) = fence_mark(line) {
            fence = match fence {
                None => Some(mark),
                Some((sign, least)) if mark.0 == sign && mark.1 >= least => None,
                inside => inside,
            };
            continue;
        }
        let Some((level, title)) = heading(line).filter(|_| fence.is_none()) else { continue };
        while open.last().is_some_and(|above| found[*above].level >= level) {
            let ended = open.pop().expect("it was there");
            found[ended].end = start;
        }
        open.push(found.len());
        found.push(MarkdownSection { level, title, start, end: markdown.len() });
    }
    found
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix(' ')?.trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// The sign and length of a line that opens or ends fenced code.
fn fence_mark(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_start_matches(' ').as_bytes();
    let sign = *line.first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = line.iter().take_while(|byte| **byte == sign).count();
    (length >= 3).then_some((sign, length))
}

/// The section that is asked for: by its number from 1 on, else by the words of its heading, case aside; of several the first.
pub(crate) fn section<'s, 'm>(all: &'s [MarkdownSection<'m>], wanted: &str) -> Option<&'s MarkdownSection<'m>> {
    let wanted = wanted.trim().trim_start_matches('#').trim();
    if let Some(section) = wanted.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?)) {
        return Some(section);
    }
    let lower = wanted.to_lowercase();
    let titled = |same: &dyn Fn(&str) -> bool| all.iter().find(|section| same(&section.title.to_lowercase()));
    titled(&|title| title == lower).or_else(|| titled(&|title| !lower.is_empty() && title.contains(&lower)))
}

/// Most tokens that an outline has of a line.
const PLACE_TOKENS: usize = 25;

/// Places to go on reading from, in a text without headings: of each of its equal stretches the first line that looks like a
/// heading, else the first line. The byte where it begins, and its beginning. O(bytes).
///
/// * `most`: how many, at least 1.
pub(crate) fn places(text: &str, most: usize) -> Vec<(usize, &str)> {
    let step = text.len().div_ceil(most.max(1)).max(1);
    let mut found: Vec<(usize, &str, bool)> = Vec::new();
    let (mut at, mut lines) = (0, text.split_inclusive('\n').peekable());
    while let Some(line) = lines.next() {
        let (start, next) = (at, lines.peek().copied().unwrap_or_default());
        at += line.len();
        let words = line.trim().trim_start_matches('#').trim();
        if words.is_empty() {
            continue;
        }
        let is_heading = line.starts_with('#') || is_like_heading(words) && next.trim().len() > 2 * words.len();
        match found.last_mut() {
            Some((last, shown, was_heading)) if *last / step == start / step => {
                if is_heading && !*was_heading {
                    (*last, *shown, *was_heading) = (start, words, true);
                }
            }
            _ => found.push((start, words, is_heading)),
        }
    }
    found.into_iter().map(|(start, words, _)| (start, &words[..within(words, PLACE_TOKENS)])).collect()
}

fn is_like_heading(words: &str) -> bool {
    words.chars().count() <= 80 && !words.ends_with(['.', ',', ';', ':', '!', '?', '。', '，', '；', '：', '！', '？'])
}

/// How many tokens a text has for a language model, about: four letters of ASCII, or one of any other script.
pub(crate) fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(4) + (text.chars().count() - ascii)
}

/// The bytes of the beginning that has at most so many tokens, and ends with a paragraph, a line or a word if one does.
pub(crate) fn within(text: &str, budget: usize) -> usize {
    let (mut quarters, most) = (0, budget.saturating_mul(4));
    let end = text.char_indices().find(|(_, letter)| {
        quarters += if letter.is_ascii() { 1 } else { 4 };
        quarters > most
    });
    let Some((end, _)) = end else { return text.len() };
    let head = &text[..end];
    // Not for the price of half of it.
    let cut = |mark: &str| head.rfind(mark).filter(|at| *at > end / 2);
    cut("\n\n").or_else(|| cut("\n")).or_else(|| cut(" ")).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Mill\n\nIntro.\n\n## Stones\n\nGranite.\n\n### Care\n\nDress them.\n\n```\n# no heading\n```\n\n## 磨坊\n\n水。\n";

    #[test]
    fn sections_hold_what_stands_below_their_heading_and_code_has_none() {
        let all = sections(TEXT);
        let titles: Vec<_> = all.iter().map(|section| (section.level, section.title)).collect();
        assert_eq!(titles, [(1, "Mill"), (2, "Stones"), (3, "Care"), (2, "磨坊")]);
        let text = |wanted: &str| section(&all, wanted).map(|found| &TEXT[found.start..found.end]);
        assert!(text("stones").unwrap().ends_with("```\n\n") && text("Stones").unwrap().contains("### Care"));
        assert_eq!(text("4"), text("## 磨坊"));
        assert_eq!(text("car"), text("Care"));
        assert_eq!((text("5"), text("nothing"), text("")), (None, None, None));
        for odd in ["", "#", "# ", "#x", "####### x", "```\n# a", "~~~\n```\n# a\n~~~"] {
            assert_eq!(sections(odd), [], "{odd}");
        }
    }

    #[test]
    fn places_are_few_in_order_and_prefer_what_looks_like_a_heading() {
        let part = |n: usize| format!("The end of the part before.\nPart {n}\n{}\n", "Rye is milled here. ".repeat(40));
        let text: String = (0..50).map(part).collect();
        let found = places(&text, 20);
        assert!((10..=20).contains(&found.len()), "{found:?}");
        assert!(found.is_sorted() && found.iter().all(|(start, words)| text[*start..].starts_with(*words)));
        assert!(found.iter().filter(|(_, words)| words.starts_with("Part ")).count() >= 10, "{found:?}");
        for odd in ["", "\n\n", "#", &"x".repeat(1000), &"磨\n".repeat(500), "# Mill\n\nIntro."] {
            let found = places(odd, 20);
            assert!(found.len() <= 21 && found.iter().all(|(start, words)| odd[*start..].contains(words)), "{found:?}");
        }
    }

    #[test]
    fn a_beginning_within_the_budget_ends_where_a_reader_can_stop() {
        assert_eq!((tokens("four"), tokens("fours"), tokens("磨坊"), tokens("")), (1, 2, 2, 0));
        for text in [TEXT, &"word ".repeat(1000), &"x".repeat(1000), &"磨".repeat(500), &"é a\n".repeat(99)] {
            for budget in [0, 1, 3, 10, 100, 10_000] {
                let head = &text[..within(text, budget)];
                assert!(tokens(head) <= budget, "{budget}: {head}");
            }
        }
        assert_eq!(&TEXT[..within(TEXT, 5)], "# Mill\n\nIntro.");
        assert_eq!(within(TEXT, 1000), TEXT.len());
    }
}
