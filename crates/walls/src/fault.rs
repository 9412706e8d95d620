//! The last words of a program that broke, where the text of its page should be.

use crate::view::View;

/// How programs and databases begin them, in small letters; they speak English whatever the page does.
const BEGINNINGS: [&str; 9] = [
    "fatal error: ",
    "php fatal error: ",
    "parse error: ",
    "php parse error: ",
    "uncaught exception",
    "traceback (most recent call last)",
    "you have an error in your sql syntax",
    "sqlstate[",
    "java.lang.",
];
/// Longest block beside them, in bytes: with more the page says something itself, if only about such errors.
const LONGEST_OTHER: usize = 160;

/// What a page says that consists of such words, and of what stands on all pages of its site.
pub(crate) fn fault_of(view: &View) -> Option<&'static str> {
    let mut found = None;
    for block in &view.blocks {
        match BEGINNINGS.into_iter().find(|words| block.starts_with(words)) {
            Some(words) => found = found.or(Some(words.trim_end_matches([' ', ':', '.', '[']))),
            None if block.len() > LONGEST_OTHER && found.is_none() => return None,
            // Behind the first line stands where it was.
            None if block.len() > LONGEST_OTHER && !names_line(block) => return None,
            None => {}
        }
    }
    found
}

/// Whether a block names lines of programs: `on line 7`, `mill.java:7`.
fn names_line(block: &str) -> bool {
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    block.split("line ").skip(1).any(is_number) || block.split(':').skip(1).any(is_number)
}
