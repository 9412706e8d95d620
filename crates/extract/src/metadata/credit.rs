//! Words of a text that say who wrote it: `By Jane Doe | 3 May`, `作者：张三`, a row `Written by` above one with the name.

use std::ops::Range;

use gristmill_page::Page;
use gristmill_text::is_han;

use super::author::is_comment;
use super::byline::name;
use super::shapes::Shapes;

/// What stands between the parts of a byline.
const SEPARATORS: [char; 10] = ['|', '•', '·', '⋅', '●', '–', '—', '»', '丨', '｜'];
/// Before a name in Chinese; what follows ends at the next space.
const MARKS: [&str; 8] = ["作者：", "作者:", "作者丨", "撰文：", "撰文:", "记者：", "记者:", "文/"];
/// Phrases that say of the name behind them that it wrote the page, in lower case.
#[rustfmt::skip]
const PHRASES: &[&str] = &[
    "written by", "posted by", "post by", "article by", "story by", "words by", "text by", "authored by", "contributed by",
    "geschrieben von", "ein artikel von", "verfasst von", "geschreven door", "geplaatst door", "rédigé par", "écrit par",
    "publié par", "escrito por", "redactado por", "publicado por", "scritto da", "a cura di", "scris de", "skriven av",
    "skrevet af", "skrevet av", "napisane przez", "ditulis oleh",
];
/// The same as `by` in other languages: mostly of other meaning, so that only proper names count behind them.
const BY: &[&str] = &["von", "par", "por", "door", "di", "av", "af", "przez", "oleh"];
/// Small words within and between names.
const PARTICLES: &[&str] =
    &["de", "da", "di", "del", "der", "den", "van", "von", "la", "le", "dos", "und", "et", "y", "e", "en", "och", "og"];
/// Nouns that do, with a colon behind them or in a row of their own.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "author", "authors", "author(s)", "contributor", "contributors", "autor", "autorin", "autores", "auteur", "autore",
    "автор", "yazar", "tác giả", "penulis", "szerző", "kirjoittaja", "skribent", "forfatter", "作者", "執筆者", "著者",
];
/// Longest row that is a byline.
const MAX_CHARS: u32 = 120;
/// Most words of one or several names.
const MAX_WORDS: usize = 8;

/// The name that rows near the title say wrote the page, else that a row below says so in a whole phrase.
///
/// A name may stand in the row after its label. What stands among comments does not count.
pub(super) fn in_rows(page: &Page<'_>, near: Range<usize>) -> Option<String> {
    let text = |at: usize| page.rows.get(at).filter(|row| row.chars <= MAX_CHARS).map(|row| page.row_text(row));
    let says = |at: usize, is_near: bool| {
        let own = text(at)?;
        let found = match is_label(own) {
            true => (at + 1..at + 3).map_while(text).find_map(whole),
            false if is_near => in_text(own),
            false => of_part(own, false).or_else(|| chinese(own, false)),
        };
        found.filter(|_| !is_comment(page.doc, page.rows[at].block))
    };
    near.clone().find_map(|at| says(at, true)).or_else(|| (near.end..page.rows.len()).find_map(|at| says(at, false)))
}

/// Whether the first word of a text is that of a phrase, a noun or `by`: most texts fail at a glance.
fn may_lead(text: &str) -> bool {
    #[rustfmt::skip]
    const FIRST: &[&str] = &[
        "by", "written", "posted", "post", "article", "story", "words", "text", "authored", "contributed", "geschrieben",
        "ein", "verfasst", "geschreven", "geplaatst", "r", "publi", "escrito", "redactado", "publicado", "scritto", "a",
        "scris", "skriven", "skrevet", "napisane", "ditulis", "author", "authors", "contributor", "contributors", "autor",
        "autorin", "autores", "auteur", "autore", "yazar", "t", "penulis", "szerz", "kirjoittaja", "skribent", "forfatter",
        "von", "par", "por", "door", "di", "av", "af", "przez", "oleh",
    ];
    const SHAPES: Shapes = Shapes::of(FIRST);
    let head = &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()];
    match text.chars().next() {
        Some(c) if !c.is_ascii() => matches!(c, 'é' | 'É' | 'а' | 'А' | '作' | '執' | '著'),
        // The space behind it may be lost.
        _ if head.starts_with("By") => true,
        _ => SHAPES.fits(head.as_bytes()) && FIRST.iter().any(|word| head.eq_ignore_ascii_case(word)),
    }
}

/// The name in a line such as `3 May 2020 · By Jane Doe` or `来源：某报 作者：张三`.
pub(super) fn in_text(text: &str) -> Option<String> {
    chinese(text, true).or_else(|| parts(text).find_map(|part| of_part(part, true))).or_else(|| handle(text))
}

/// The name behind a phrase, or behind a noun and a colon, with which a part of a byline begins; near the title also
/// behind `by`.
fn of_part(part: &str, is_near: bool) -> Option<String> {
    let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || " /.-:,".contains(c));
    if !may_lead(part) {
        return None;
    }
    let behind_one = |leads: &[&str]| leads.iter().find_map(|lead| behind_phrase(part, lead));
    let rest = behind_one(PHRASES).or_else(|| NOUNS.iter().find_map(|noun| behind_colon(part, noun)));
    if rest.is_some() || !is_near {
        return first_name(rest?);
    }
    let foreign = || behind_one(BY).and_then(first_name).filter(|name| is_proper(name));
    behind_one(&["by"]).and_then(first_name).or_else(foreign)
}

/// The parts of a byline.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(SEPARATORS).flat_map(|part| part.split(" - ")).map(str::trim).filter(|part| !part.is_empty())
}

/// `by` and the phrases stand apart from the name, or right before it where the space between them was lost.
fn behind_phrase<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = behind(text, phrase)?;
    let glued = phrase.contains(' ') || text.starts_with("By");
    let parted = rest.starts_with([':', '：']) || rest.starts_with(char::is_whitespace);
    (glued || parted).then(|| rest.trim_start_matches([':', '：', ' ']))
}

/// What follows `lead` in a text, whatever the case.
fn behind<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let (first, leads) = (text.as_bytes().first()?, lead.as_bytes().first()?);
    // Nearly all fail here.
    if first.is_ascii() != leads.is_ascii() || first.is_ascii() && !first.eq_ignore_ascii_case(leads) {
        return None;
    }
    let end = text.char_indices().nth(lead.chars().count()).map_or(text.len(), |(end, _)| end);
    (text[..end].to_lowercase() == lead).then(|| &text[end..])
}

fn behind_colon<'t>(text: &'t str, noun: &str) -> Option<&'t str> {
    behind(text, noun)?.trim_start().strip_prefix([':', '：']).map(str::trim_start)
}

/// The name or names that a text begins with, up to what says when, where or what that person is.
fn first_name(rest: &str) -> Option<String> {
    const ENDS: [&str; 11] =
        ["on", "in", "for", "at", "am", "is", "last", "updated", "published", "reviewed", "posted"];
    let ends = |word: &str| {
        let lower = word.to_lowercase();
        ENDS.contains(&lower.trim_end_matches(':'))
            || word.contains(|c: char| c.is_ascii_digit() || matches!(c, '(' | '（' | '/'))
    };
    let mut words: Vec<&str> = Vec::new();
    let mut left = rest.split(' ').peekable();
    while let Some(word) = left.next() {
        if !words.is_empty() && ends(word) && left.peek().is_some() || words.len() > MAX_WORDS {
            break;
        }
        words.push(word);
        // A sentence ends; `Dr.` and initials end none.
        if word.len() > 4 && word.ends_with('.') {
            break;
        }
    }
    // `By Jane Doe Jane Doe is a writer`
    let (once, again) = words.split_at(words.len() / 2);
    let words = if once == again { once } else { &words };
    let candidate = words.join(" ");
    let candidate = candidate.trim_end_matches(|c| left.peek().is_some() && c == '.');
    let capital = candidate.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    (capital && words.len() <= MAX_WORDS).then(|| name(candidate)).flatten()
}

/// Whether it is several words that all begin with a capital, but for particles.
pub(super) fn is_proper(name: &str) -> bool {
    name.contains(' ') && name.split(' ').all(|word| word.starts_with(char::is_uppercase) || PARTICLES.contains(&word))
}

/// `by someone`, and nothing else.
fn handle(text: &str) -> Option<String> {
    let rest = text.strip_prefix("by ")?;
    (!rest.contains(' ')).then(|| name(rest)).flatten()
}

/// Whether a row only says that a name follows.
fn is_label(text: &str) -> bool {
    let text = text.trim_end_matches([' ', ':', '：']);
    let mut labels = PHRASES.iter().chain(NOUNS).chain(&["by"]);
    text.len() <= 20 && may_lead(text) && labels.any(|label| behind(text, label) == Some(""))
}

/// A row that is a name and nothing else; initials stand for a picture of whoever is named next.
fn whole(text: &str) -> Option<String> {
    let plain = !text.contains(|c: char| c.is_ascii_digit()) && text.split(' ').count() <= 5;
    let initials = text.len() <= 3 && text.is_ascii();
    (plain && !initials && !is_label(text)).then(|| parts(text).next().and_then(name)).flatten()
}

/// The name behind a mark, anywhere in a byline or else at the beginning of a row, or those of reporters.
fn chinese(text: &str, is_near: bool) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let behind = |mark: &&str| Some(&text[text.find(*mark).filter(|&at| is_near || at == 0)? + mark.len()..]);
    match MARKS.iter().find_map(behind) {
        Some(rest) => chinese_name(rest),
        None => reporters(text),
    }
}

/// `新华日报记者 张三 李四`, `本报记者张三发自北京`: names of two to four characters up to the end of a short row, or to a verb.
fn reporters(text: &str) -> Option<String> {
    const VERBS: [&str; 8] = ["发自", "发回", "报道", "報道", "報導", "摄", "攝", "通讯员"];
    const BEFORE: usize = 12;
    let (paper, rest) = text.split_once("记者").or_else(|| text.split_once("記者"))?;
    let words = rest.trim_start_matches([' ', '　', '：', ':']).split([' ', '　', '、', '/']);
    let mut names = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let verb = VERBS.iter().filter_map(|verb| word.find(verb)).min();
        let name = &word[..verb.unwrap_or(word.len())];
        if (2..=4).contains(&name.chars().count()) && name.chars().all(is_han) {
            names.push(name);
        } else if !name.is_empty() {
            return None;
        }
        if verb.is_some() {
            break;
        }
    }
    let is_paper = paper.chars().count() <= BEFORE && !paper.contains(['，', '。', '：', ',', '“']);
    // `记者了解到`
    let is_verb =
        |name: &str| name.starts_with(['了', '从', '從', '获', '采', '在', '昨', '今', '近', '来', '招', '站']);
    (is_paper && !names.is_empty() && !names.iter().any(|name| is_verb(name))).then(|| names.join(", "))
}

/// Up to the next space after some characters, or the next label.
fn chinese_name(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let end = rest.find([' ', '|', '｜', '　', '，', '。', '（', '(', '来']).unwrap_or(rest.len());
    let found = &rest[..end];
    (found.chars().count() <= 20).then(|| name(found)).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "(By|written by|Von|author|作者|É)?[:： ]?(\\PC| ){0,40}") {
            let _ = (in_text(&text), is_label(&text), whole(&text));
        }
    }

    fn page(rows: &[&str]) -> Option<String> {
        let html: String = rows.iter().map(|row| format!("<p>{row}</p>")).collect();
        let doc = gristmill_html::Doc::parse(&format!("<h1>Storm hits coast</h1>{html}"), &Default::default());
        let page = Page::new(&doc);
        in_rows(&page, 0..4.min(page.rows.len()))
    }

    #[test]
    fn a_byline_says_who_wrote_it_in_many_forms() {
        for text in [
            "By Jane Doe | 3 May 2020",
            "by: Jane Doe, Dec 17, 2025",
            "March 15, 2022 · 3 min read · By Jane Doe",
            "03/01/2017 by Jane Doe",
            "ByJane Doe",
            "Written byJane Doe",
            "WRITTEN BY: Jane Doe",
            "Posted by Jane Doe on 2025-12-18 in debian",
            "By Jane Doe Last updated: May 3",
            "By Jane Doe Jane Doe is a writer",
            "Written by Jane Doe. Reviewed by Bo Wu",
            "Contributors: Jane Doe",
            "Von Jane Doe, 3. Mai 2020",
            "Escrito por Jane Doe",
        ] {
            assert_eq!(in_text(text).as_deref(), Some("Jane Doe"), "{text}");
        }
        assert_eq!(in_text("by jdoe").as_deref(), Some("jdoe"));
        assert_eq!(in_text("来源：某报 作者：张三 2020").as_deref(), Some("张三"));
        assert_eq!(in_text("新华日报·交汇点记者 徐睿翔 王建").as_deref(), Some("徐睿翔, 王建"));
        assert_eq!(in_text("本报记者罗科苏盈发自北京").as_deref(), Some("罗科苏盈"));
    }

    #[test]
    fn words_that_only_begin_like_a_byline_name_nobody() {
        for text in [
            "Bypass surgery for all",
            "BYTE magazine",
            "By default all is off",
            "Von der Leyen spricht",
            "by 2030",
            "Author",
            "记者了解到",
            "记者从会上获悉",
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
    }

    #[test]
    fn no_phrase_fails_the_glance() {
        for lead in PHRASES.iter().chain(NOUNS).chain(BY) {
            assert!(may_lead(lead) && may_lead(&lead.to_uppercase()), "{lead}");
        }
    }

    #[test]
    fn a_name_may_stand_below_its_label_and_far_from_the_title() {
        assert_eq!(page(&["Written by", "Jane Doe", "Text."]).as_deref(), Some("Jane Doe"));
        assert_eq!(page(&["Author(s):", "JD", "Jane Doe", "Text."]).as_deref(), Some("Jane Doe"));
        let far = ["a", "b", "c", "d", "e", "Written by Jane Doe"];
        assert_eq!(page(&far).as_deref(), Some("Jane Doe"));
        let far = ["a", "b", "c", "d", "e", "By Jane Doe"];
        assert_eq!(page(&far), None, "far from the title it may be of another page");
        assert_eq!(page(&["Author", "Subscribe to all 12 newsletters of ours"]), None);
    }
}
