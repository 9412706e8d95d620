//! Titles by their parts: what stands between separators, and words without case.

use std::collections::HashSet;

use gristmill_text::{BigramSegmenter, for_each_word, is_cjk};

/// Parts of a title that are looked at.
const MAX_PARTS: usize = 12;
/// Between the title proper and the name of the site, with and without spaces around.
const SPACED: &[&str] = &[
    "|", "-", "–", "—", "_", "»", "«", "•", "·", ":", "/", "::", "›", "‹", "⋆", "★", "☆", "✦", "~", "∙", "⋅", "◦", "●",
    "‣", "▸", "→", "←", "<", ">", "//", "||", "―", "−", "：", "・",
];
const BARE: &[&str] = &["|", "｜", "_"];
/// The same and hyphens, of which some part a title from its site where words have no spaces.
pub(super) const BARE_SIGNS: [char; 6] = ['|', '｜', '_', '-', '—', '–'];
/// Declared titles that authoring tools leave behind, and what links to home pages say: no names of pages.
#[rustfmt::skip]
const PLACEHOLDERS: &[&str] = &[
    "untitled", "untitled document", "untitled page", "new page", "document", "home", "home page", "homepage", "index", "start",
    "startseite", "accueil", "inicio", "无标题文档", "首页", "主页", "トップページ", "ホーム",
];
/// How the names of sites end in languages that are written without spaces.
#[rustfmt::skip]
const SITE_ENDS: &[&str] = &[
    "网", "網", "报", "報", "社", "台", "站", "频道", "頻道", "新闻", "新聞", "资讯", "資訊", "在线", "论坛", "論壇", "博客", "政府", "门户",
    "官网", "公司", "大学", "学院", "医院", "杂志", "周刊", "ネット", "ニュース", "オンライン", "뉴스", "신문", "일보", "방송",
];

pub(super) fn is_placeholder(text: &str) -> bool {
    PLACEHOLDERS.contains(&fold(text).as_str())
}

/// Whether a name of Chinese characters, kana or Hangul ends like those of sites.
pub(super) fn ends_as_site(name: &str) -> bool {
    const MAX_CHARS: usize = 10;
    let name = name.trim();
    (2..=MAX_CHARS).contains(&name.chars().count()) && SITE_ENDS.iter().any(|end| name.ends_with(end))
}

/// Case and typographic quotes do not count.
pub(super) fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '’' | '‘' | '`' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        c => c,
    };
    if text.is_ascii() {
        return text.trim().replace('`', "'").to_ascii_lowercase();
    }
    text.trim().chars().map(plain).flat_map(char::to_lowercase).collect()
}

/// Where separators stand in a title: (first byte, byte after).
pub(super) fn separators(title: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for separator in SPACED.iter().filter(|separator| title.contains(**separator)) {
        let spaced = format!(" {separator} ");
        let ends = title.match_indices(&spaced).map(|(at, _)| (at, at + spaced.len()));
        found.extend(ends.filter(|&(start, _)| *separator != ">" || !is_within_angles(&title[..start])));
    }
    for separator in BARE {
        let ends = title.match_indices(separator).map(|(at, _)| (at, at + separator.len()));
        found.extend(ends.filter(|&(start, end)| !is_in_identifier(title, start, end)));
    }
    found.extend(hyphens(title));
    // `Title: subtitle` has no space before the colon.
    found.extend(title.match_indices(": ").map(|(at, _)| (at, at + 2)));
    found.sort_unstable();
    found.dedup_by(|next, before| next.0 < before.1);
    found.truncate(MAX_PARTS);
    found
}

/// Whether `_` stands within a name of code: `unary_plus`, `sqlite3_open_v2`.
fn is_in_identifier(title: &str, start: usize, end: usize) -> bool {
    let is_before = title[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let word = title[end..].split(|c: char| !c.is_ascii_alphanumeric() && c != '.').next().unwrap_or_default();
    // `The wheels turn again_mill.example`
    let is_host = word.contains('.') && word.len() == title.len() - end && title[..start].contains(' ');
    &title[start..end] == "_" && is_before && word.starts_with(|c: char| c.is_ascii_lowercase()) && !is_host
}

/// Whether an angle that opened is still open: `Matrix< Scalar > Class Reference`.
fn is_within_angles(before: &str) -> bool {
    let opens = before.matches("< ").count();
    opens > before.matches(" >").count() && !before.contains(" < ")
}

/// Signs that a title of Chinese characters may end with.
const CLOSING: [char; 7] = ['！', '？', '。', '”', '》', '）', '」'];

/// Hyphens between Chinese characters behind which the name of a site stands.
fn hyphens(title: &str) -> impl Iterator<Item = (usize, usize)> {
    let is_before_site = |&(at, sign): &(usize, &str)| {
        let (before, rest) = (&title[..at], &title[at + sign.len()..]);
        let piece = rest.split(['-', '_', '|', '—', '–']).next().unwrap_or(rest);
        let is_wide = |c: char| is_cjk(c) || CLOSING.contains(&c);
        before.trim_end_matches('-').ends_with(is_wide) && rest.starts_with(is_cjk) && ends_as_site(piece)
    };
    let signs = title.match_indices(['-', '—', '–']).filter(is_before_site);
    signs.map(|(at, sign)| (title[..at].trim_end_matches('-').len(), at + sign.len())).take(MAX_PARTS)
}

/// The page and the site of a title as DokuWiki writes it: `mill:wheel [Mill wiki]`.
pub(super) fn page_and_site(title: &str) -> Option<(&str, &str)> {
    title.strip_suffix(']')?.rsplit_once(" [")
}

/// What stands between the separators of a title.
pub(super) fn pieces(title: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in separators(title) {
        pieces.push(title[from..start].trim());
        from = end;
    }
    pieces.push(title[from..].trim());
    pieces
}

/// The title, its parts, and what stands before and after each separator.
pub(super) fn parts(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    let mut from = 0;
    for (start, end) in separators(title) {
        parts.extend([&title[from..start], &title[..start], &title[end..]]);
        from = end;
    }
    parts.push(&title[from..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

pub(super) fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let text = fold(text);
    for_each_word(&text, &BigramSegmenter, |word| {
        words.insert(word.to_owned());
    });
    words
}
