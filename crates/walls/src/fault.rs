//! The last words of a program that broke, where the text of its page should be.

use crate::view::View;

/// How programs and databases begin them, in small letters; they speak English whatever the page does.
const BEGINNINGS: [&str; 12] = [
    "fatal error: ",
    "php fatal error: ",
    "parse error: ",
    "php parse error: ",
    "uncaught exception",
    "traceback (most recent call last)",
    "you have an error in your sql syntax",
    "sqlstate[",
    "java.lang.",
    "warning: mysql",
    "warning: pg_connect",
    "warning: new pdo",
];
/// Longest block beside them, in bytes: with more the page says something itself, if only about such errors.
const LONGEST_OTHER: usize = 160;

/// What a page says that consists of such words, and of what stands on all pages of its site.
pub(crate) fn fault_of(view: &View) -> Option<&str> {
    let mut found = None;
    for block in &view.blocks {
        match beginning_of(block) {
            Some(words) => found = found.or(Some(words.trim_end_matches([' ', ':', '.', '[']))),
            None if block.len() > LONGEST_OTHER && found.is_none() => return None,
            // Behind the first line stands where it was.
            None if block.len() > LONGEST_OTHER && !names_line(block) => return None,
            None => {}
        }
    }
    found
}

fn beginning_of(block: &str) -> Option<&str> {
    let named = BEGINNINGS.into_iter().find(|words| block.starts_with(words));
    named.or_else(|| names_exception(block).then_some(block))
}

/// Whether it is the heading of a page of Django's: `operationalerror at /rye`.
fn names_exception(block: &str) -> bool {
    let Some((name, path)) = block.split_once(" at ") else { return false };
    let is_name = name.ends_with("error") || name.ends_with("exception") || name == "doesnotexist";
    is_name && !name.contains(' ') && path.starts_with('/') && !path.contains(' ')
}

/// Whether a text is no page but the short answer of a program to another: `{"error":"internal"}`.
pub(crate) fn is_bare_json(text: &str) -> bool {
    /// More than that may be what a page shows.
    const LONGEST: usize = 350;
    let inner = match text.as_bytes() {
        [b'{', .., b'}'] | [b'[', .., b']'] if text.len() <= LONGEST => text[1..text.len() - 1].trim(),
        _ => return false,
    };
    let is_value = |first: char| matches!(first, '"' | '{' | '[');
    inner.is_empty() || inner.starts_with(is_value) && (text.starts_with('[') || inner.contains(':'))
}

/// Whether a block names lines of programs: `on line 7`, `mill.java:7`.
fn names_line(block: &str) -> bool {
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    block.split("line ").skip(1).any(is_number) || block.split(':').skip(1).any(is_number)
}
