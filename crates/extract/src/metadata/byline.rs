//! Author names: cleaned from declarations, recognised in bylines.

use gristmill_text::collapse;

const MAX_NAME_CHARS: usize = 100;

/// Whether a class or id names a byline, on token boundaries: `post-author` does, `authority` does not.
pub(super) fn is_byline_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    value.split(|c: char| !c.is_ascii_alphanumeric()).any(|token| {
        ["byline", "author", "authors", "writer", "zuozhe"].iter().any(|name| token.eq_ignore_ascii_case(name))
    })
}

/// A declared author as a name; `None` for an address, a handle, or a sentence.
pub(super) fn name(value: &str) -> Option<String> {
    let mut name = collapse(value);
    for lead in
        ["by ", "By ", "BY ", "written by ", "Written by ", "von ", "作者：", "作者:", "文/", "文｜", "记者：", "记者 "]
    {
        if let Some(rest) = name.strip_prefix(lead) {
            name = rest.trim().to_owned();
        }
    }
    let name = name.trim_matches([',', '|', '·', '-', ':', '：', ' ', '/']).to_owned();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let plausible =
        letters >= 2 && name.chars().count() <= MAX_NAME_CHARS && !name.contains("://") && !name.contains('@');
    let sentence = name.contains(['。', '！', '？', '!', '?']) || name.split(' ').count() > 12;
    (plausible && !sentence).then_some(name)
}

/// Several names as one value, each once.
pub(super) fn join<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names.filter_map(name).take(10) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    (!all.is_empty()).then(|| all.join(", "))
}

/// The name in an element that is named as a byline.
pub(super) fn in_byline(text: &str) -> Option<String> {
    in_text(text).or_else(|| {
        let words = text.split(' ').count();
        let digits = text.chars().any(|c| c.is_ascii_digit());
        (words <= 5 && !digits).then(|| name(text)).flatten()
    })
}

/// The name in a line such as `By Jane Doe | 3 May 2020` or `来源：某报 作者：张三`.
pub(super) fn in_text(text: &str) -> Option<String> {
    let marks = ["作者：", "作者:", "作者丨", "撰文：", "撰文:", "记者：", "记者:", "文/"];
    for mark in marks {
        if let Some(at) = text.find(mark) {
            return chinese_name(&text[at + mark.len()..]);
        }
    }
    let rest = text
        .strip_prefix("By ")
        .or_else(|| text.strip_prefix("BY "))
        .or_else(|| text.strip_prefix("by "))
        .or_else(|| text.strip_prefix("Written by "))
        .or_else(|| text.strip_prefix("Posted by "))?;
    let end = rest.find(['|', '•', '·', '–', '—', '(', '/']).unwrap_or(rest.len());
    let candidate = match rest[..end].find(" on ") {
        Some(on) => &rest[..on],
        None => &rest[..end],
    };
    let candidate = candidate.split(|c: char| c.is_ascii_digit()).next().unwrap_or("");
    let capital = candidate.chars().next().is_some_and(char::is_uppercase);
    (capital && candidate.split(' ').count() <= 8).then(|| name(candidate)).flatten()
}

/// Up to the next space after some characters, or the next label.
fn chinese_name(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let end = rest.find([' ', '|', '｜', '　', '，', '。', '（', '(', '来']).unwrap_or(rest.len());
    let found = &rest[..end];
    (found.chars().count() <= 20).then(|| name(found)).flatten()
}
