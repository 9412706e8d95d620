//! Author names: cleaned from declarations, recognised in bylines.

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::collapse;

use super::credit;

const MAX_NAME_CHARS: usize = 100;

/// What stands before a name, longest first where one begins with another.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    // English
    "about the author", "article by", "recipe by", "written by", "posted by", "reviewed by", "story by", "words by",
    "edited by", "text by", "authored by", "created by", "published by", "contributed by", "reported by",
    "authors", "author", "by",
    // German, Dutch
    "geschrieben von", "ein artikel von", "erstellt von", "eingestellt von", "verfasst von", "veröffentlicht von",
    "text von", "autorin", "autor", "von", "geschreven door", "geplaatst door", "gepubliceerd door", "door", "auteur",
    // French, Spanish, Portuguese, Italian, Romanian
    "rédigé par", "écrit par", "publié par", "posté par", "par", "publicado por", "escrito por", "creado por",
    "redactado por", "postado por", "criado por", "por", "scritto da", "pubblicato da", "a cura di", "di", "autores",
    "autore", "scris de", "publicat de",
    // Swedish, Danish, Norwegian, Finnish
    "skriven av", "publicerad av", "skrevet af", "skrevet av", "publisert av", "kirjoittanut", "kirjoittaja",
    // Polish, Czech, Hungarian
    "napisane przez", "dodane przez", "opublikowane przez", "napsal", "napsala", "írta", "szerző",
    // Russian, Ukrainian, Turkish, Vietnamese, Indonesian, Arabic
    "автор", "текст", "опубликовал", "опубликовала", "опубліковано", "yazan", "yazar", "tác giả", "ditulis oleh",
    "oleh", "penulis", "بقلم", "كتب",
    // Chinese, Japanese, Korean
    "作者", "撰文", "文", "记者", "記者", "编辑", "本报记者", "通讯员", "發表", "投稿者", "執筆者", "著者", "글", "작성자",
];
/// What names nobody, in lower case: roles, accounts that programs made or write with, and what stands in a byline's place.
#[rustfmt::skip]
const NOBODY: &[&str] = &[
    // Roles
    "author", "the author", "editor", "editors", "editorial", "the editors", "editorial team", "editorial staff", "staff",
    "staff writer", "staff report", "guest", "guest author", "guest post", "contributor", "moderator", "webmaster",
    "webmistress", "redaktion", "redaction", "redacción", "redação", "redazione", "redactie", "rédaction", "la rédaction",
    "редакция", "编辑", "編輯", "编辑部", "小编", "責任編輯", "编者", "編集部", "管理员", "管理員", "管理人", "편집부", "관리자",
    // Accounts
    "admin", "administrator", "super user", "root", "system", "automoderator", "unknown", "anonymous", "anonym",
    "anonyme", "anónimo", "deleted user", "former member", "wpadmin", "wordpress", "匿名", "佚名", "名無しさん",
    // Links and labels
    "about", "share", "view profile", "follow", "login", "log in", "sign in", "register", "profile", "search", "archive",
    "募集", "募集中", "一覧", "紹介", "検索", "情報", "登録", "ランキング", "プロフィール", "について", "更多", "简介", "介绍",
];

/// The name in an element that microdata or `rel` calls the author: its `itemprop=name`, its first link, or its text.
pub(super) fn of_item(doc: &Doc, id: NodeId) -> Option<String> {
    if let Some(content) = doc.attr(id, Name::CONTENT).and_then(name) {
        return Some(content);
    }
    let inner = || doc.subtree(id).skip(1).take(60);
    let named =
        inner().find(|&id| doc.attr(id, Name::ITEMPROP).is_some_and(|value| value.eq_ignore_ascii_case("name")));
    let by_name = named.and_then(|id| {
        let content = doc.attr(id, Name::CONTENT).map(str::to_owned);
        name(&content.unwrap_or_else(|| gristmill_page::text_of(doc, id)))
    });
    let by_link = || {
        let links = inner().filter(|&id| doc.name(id) == Name::A);
        links.map(|id| gristmill_page::text_of(doc, id)).find_map(|text| name(&text))
    };
    by_name.or_else(|| of_byline(doc, id)).or_else(by_link)
}

/// A declared author as a name; `None` for an address, a handle, or a sentence.
pub(super) fn name(value: &str) -> Option<String> {
    let mut name = collapse(value);
    while let Some(rest) = without_lead(&name) {
        name = rest.to_owned();
    }
    let edges = [
        ',', '|', '·', '•', '⋅', '●', '-', '–', ':', '：', ' ', '/', '"', '“', '”', '\'', '(', '（', ')', '）', '»',
        '«',
    ];
    let closed = name.contains('(') || name.contains('（');
    let trimmed = name.trim_matches(|c| edges.contains(&c) && !(closed && matches!(c, ')' | '）')));
    let name = without_month(trimmed).trim_end_matches([',', '|', '·', '•', '-', ' ']).to_owned();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let plausible = letters >= 2
        && name.chars().count() <= MAX_NAME_CHARS
        && !name.contains("://")
        && !name.contains(['@', '=', '<']);
    let sentence = name.contains(['。', '！', '？', '!', '?']) || name.split(' ').count() > 12;
    let lower = name.to_lowercase();
    // Words before a name, and no name behind them; `Di` is one.
    let lead = lower.len() > 4 && LEADS.contains(&lower.as_str());
    let nobody = lead || NOBODY.contains(&lower.as_str());
    (plausible && !sentence && !nobody).then_some(name)
}

/// The text after a word such as `By` or `作者：`; `BySummer Swann` and `Written byDan` too, where the space was
/// lost.
fn without_lead(text: &str) -> Option<&str> {
    let first = text.chars().next()?.to_lowercase().next()?;
    LEADS.iter().filter(|lead| lead.starts_with(first)).find_map(|lead| {
        let start = text.get(..text.chars().take(lead.chars().count()).map(char::len_utf8).sum())?;
        if start.to_lowercase() != **lead {
            return None;
        }
        let rest = &text[start.len()..];
        let next = rest.chars().next()?;
        let short = lead.len() == 2 && lead.is_ascii() && start.starts_with(char::is_uppercase);
        let phrase = lead.contains(' ') && start.ends_with(char::is_lowercase);
        let glued = next.is_uppercase() && (short || phrase);
        let parted = next.is_whitespace() || matches!(next, ':' | '：' | '/' | '｜' | '|' | '丨' | '-');
        let left = rest.trim_start_matches([' ', ':', '：', '/', '｜', '|', '丨', '-', '\u{3000}']);
        ((parted || glued) && !left.is_empty()).then_some(left)
    })
}

/// `Ann says` is Ann.
pub(super) fn without_verb(name: &str) -> &str {
    const VERBS: [&str; 10] = ["says", "said", "wrote", "writes", "sagt", "schrieb", "dit", "dice", "dijo", "says:"];
    match name.rsplit_once(' ') {
        Some((left, verb)) if VERBS.contains(&verb.to_lowercase().as_str()) => left,
        _ => name,
    }
}

/// A date often stands behind a name: its month is what is left once the digits were cut off.
fn without_month(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((left, last)) if super::months::month(&last.trim_matches(['.', ',']).to_lowercase()).is_some() => {
            if left.contains(' ') { left } else { name }
        }
        _ => name,
    }
}

/// What follows a comma in a name or firm and is no first name, in lower case.
const SUFFIXES: &[&str] =
    &["jr", "jr.", "sr", "sr.", "ii", "iii", "phd", "ph.d.", "md", "m.d.", "inc", "inc.", "ltd", "ltd.", "llc", "ag"];

/// `Doe, Jane` as Jane Doe; `None` for what may be two people or a firm.
pub(super) fn first_last(name: &str) -> Option<String> {
    let (last, first) = name.split_once(',')?;
    let (last, first) = (last.trim(), first.trim());
    let n_words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).count();
    let one = (1..=2).contains(&n_words(last)) && (1..=3).contains(&n_words(first)) && !first.contains(',');
    // Two names of several words each are two people.
    let is_person =
        one && (n_words(last) == 1 || n_words(first) == 1) && !SUFFIXES.contains(&first.to_lowercase().as_str());
    is_person.then(|| format!("{first} {last}"))
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

/// The name in an element that is named as a byline: behind words that say so, in the first of its parts, or all that it says.
pub(super) fn of_byline(doc: &Doc, id: NodeId) -> Option<String> {
    let text = gristmill_page::text_of(doc, id);
    let parts = || first_part(doc, id).filter(|part| part.len() < text.len());
    credit::in_text(&text).or_else(|| parts().and_then(|part| name(&part))).or_else(|| in_byline(&text))
}

/// The name that the text of a byline is, or its first part.
fn in_byline(text: &str) -> Option<String> {
    let part = credit::parts(text).next()?;
    let most = if part.len() < text.len() { 4 } else { 5 };
    let digits = text.chars().any(|c| c.is_ascii_digit());
    (part.split(' ').count() <= most && !digits).then(|| name(part)).flatten()
}

/// What the first text in an element says, when it is a whole name and another text of several words follows, which
/// says what that person is.
fn first_part(doc: &Doc, id: NodeId) -> Option<String> {
    let texts = doc.subtree(id).take(60).filter(|&id| doc.name(id) == Name::TEXT).map(|id| collapse(doc.text(id)));
    let mut texts = texts.filter(|text| !text.is_empty());
    let (first, next) = (texts.next()?, texts.next()?);
    let words = || first.split(' ');
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = (2..=4).contains(&words().count()) && words().all(capital) && !first.contains([':', ',', '.']);
    let is_role = next.contains(' ') && next.starts_with(char::is_uppercase);
    (is_name && is_role && without_lead(&first).is_none()).then_some(first)
}
