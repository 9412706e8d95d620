//! Names in lines of Chinese: behind a mark such as `作者：`, or behind the word for reporters.

use std::sync::LazyLock;

use gristmill_text::{PhraseMatcher, is_han};

use super::name::name;
use super::words::{NameRole, words};

/// The name behind a mark, anywhere in a line or else at its beginning, or those of reporters.
pub(super) fn chinese(text: &str, anywhere: bool) -> Option<String> {
    static MARKS: LazyLock<PhraseMatcher> = LazyLock::new(|| {
        let marks = words(&[NameRole::Mark]).map(|(mark, _)| mark);
        PhraseMatcher::new(&marks.chain(["记者", "記者"]).collect::<Vec<_>>())
    });
    if text.is_ascii() || !MARKS.is_in(text) {
        return None;
    }
    let behind = |mark: &str| match anywhere {
        true => text.split_once(mark).map(|(_, rest)| rest),
        false => text.strip_prefix(mark),
    };
    match words(&[NameRole::Mark]).find_map(|(mark, _)| behind(mark)) {
        Some(rest) => up_to_a_space(rest),
        None => reporters(text),
    }
}

/// Up to the next space after some characters, or the next label.
fn up_to_a_space(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let end = rest.find([' ', '|', '｜', '　', '，', '。', '（', '(', '来']).unwrap_or(rest.len());
    let found = &rest[..end];
    (found.chars().count() <= 20).then(|| name(found)).flatten()
}

/// `新华日报记者 张三 李四`, `本报记者张三发自北京`: names of two to four characters up to the end of a short row, or to a verb.
fn reporters(text: &str) -> Option<String> {
    const MAX_BEFORE: usize = 12;
    /// `记者了解到` is the beginning of a sentence.
    const NO_NAMES: [char; 12] = ['了', '从', '從', '获', '采', '在', '昨', '今', '近', '来', '招', '站'];
    let (paper, rest) = text.split_once("记者").or_else(|| text.split_once("記者"))?;
    let mut names = Vec::new();
    let parts = rest.trim_start_matches([' ', '　', '：', ':']).split([' ', '　', '、', '/']);
    for part in parts.filter(|part| !part.is_empty()) {
        let verb = words(&[NameRole::Reports]).filter_map(|(verb, _)| part.find(verb)).min();
        let name = &part[..verb.unwrap_or(part.len())];
        if (2..=4).contains(&name.chars().count()) && name.chars().all(is_han) {
            names.push(name);
        } else if !name.is_empty() {
            return None;
        }
        if verb.is_some() {
            break;
        }
    }
    let is_paper = paper.chars().count() <= MAX_BEFORE && !paper.contains(['，', '。', '：', ',', '“']);
    let are_names = !names.is_empty() && !names.iter().any(|name| name.starts_with(NO_NAMES));
    (is_paper && are_names).then(|| names.join(", "))
}
