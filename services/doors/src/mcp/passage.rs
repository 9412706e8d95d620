//! A part of a Markdown text: a section by its heading, a stretch of bytes, and where the rest stands.

use std::fmt::Write;

use rmcp::model::CallToolResult;

use super::answer::{material, stretch};
use super::arguments::{BUDGET, MAX_BUDGET, bounded};
use crate::sections::{MarkdownSection, places, section, sections, tokens};

/// Most headings that are listed.
const MAX_HEADINGS: usize = 100;
/// Most letters of a heading in a list.
const MAX_TITLE: usize = 120;
/// Least tokens that a list of sections is worth.
const LEAST_OUTLINE: usize = 20;
/// Most places of a text without headings that are listed, and what each costs at most, in tokens.
const MAX_PLACES: usize = 20;
const PLACE_COST: usize = 30;

/// Which part is asked for.
pub(super) struct PassageRequest<'a> {
    /// The words of a heading, or its number in the list of sections.
    pub section: Option<&'a str>,
    /// A byte of the text, or of the section.
    pub start: Option<usize>,
    /// Most tokens of the answer.
    pub budget: Option<usize>,
}

/// The part that is asked for. Where a whole text is too long for the budget, the answer begins with an outline in at most a quarter
/// of it: the sections, or, of a text without them, places with their `start`.
///
/// `about`: what is said of the text, without words of strangers.
pub(super) fn passage(about: &str, whole: &str, asked: &PassageRequest<'_>) -> CallToolResult {
    let all = sections(whole);
    let (start, budget) = (asked.start.unwrap_or(0), bounded(asked.budget, BUDGET, MAX_BUDGET));
    let Some(wanted) = asked.section else {
        let outline = match start == 0 && tokens(whole) > budget {
            true => outline(whole, &all, budget / 4),
            false => String::new(),
        };
        let (shown, rest) = stretch(whole, start, budget - tokens(&outline).min(budget));
        return material(&format!("{about} {rest}"), &format!("{outline}{shown}"));
    };
    match section(&all, wanted) {
        Some(found) => {
            let (shown, rest) = stretch(&whole[found.start..found.end], start, budget);
            material(&format!("{about} {rest}"), shown)
        }
        None if all.is_empty() => material("The text has no sections; it begins so:", stretch(whole, 0, budget).0),
        None => material("There is no such section. These there are:", &listed(&all, budget)),
    }
}

/// A single section is no choice.
fn outline(whole: &str, all: &[MarkdownSection<'_>], budget: usize) -> String {
    if all.len() > 1 && budget >= LEAST_OUTLINE {
        return format!("Sections, for `section`:\n{}\n", listed(all, budget));
    }
    let most = (budget / PLACE_COST).min(MAX_PLACES);
    if most < 3 {
        return String::new();
    }
    let mut lines = "Outline, each line with its `start`:\n".to_owned();
    for (start, words) in places(whole, most) {
        let _ = writeln!(lines, "{start}: {words}");
    }
    lines.push('\n');
    lines
}

/// The numbers and words of the headings, as many as the budget of tokens takes.
fn listed(all: &[MarkdownSection<'_>], budget: usize) -> String {
    let (mut lines, mut room) = (String::new(), budget);
    for (at, section) in all.iter().enumerate() {
        let (indent, title) =
            ("  ".repeat(section.level - 1), section.title.chars().take(MAX_TITLE).collect::<String>());
        let line = format!("{indent}{}. {title}\n", at + 1);
        let Some(left) = room.checked_sub(tokens(&line)).filter(|_| at < MAX_HEADINGS) else {
            let _ = writeln!(lines, "… and {} more", all.len() - at);
            break;
        };
        room = left;
        lines.push_str(&line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_begins_with_its_sections_in_a_quarter_of_the_budget() {
        let text: String = (1..=300).map(|n| format!("## Chapter {n}\n\n{}\n\n", "grain ".repeat(50))).collect();
        let lines = outline(&text, &sections(&text), 100);
        assert!(lines.starts_with("Sections, for `section`:\n  1. Chapter 1\n  2. Chapter 2\n"), "{lines}");
        assert!(lines.contains("\n… and 2") && tokens(&lines) <= 115, "{lines}");
        assert_eq!(outline(&text, &sections(&text), LEAST_OUTLINE - 1), "", "too little for one");
        assert!(listed(&sections(&text), 100_000).ends_with("  100. Chapter 100\n… and 200 more\n"));
    }
}
