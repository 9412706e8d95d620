//! One line of a page that says who wrote it: `By Jane Doe | 3 May`, `作者：张三`.

use std::sync::LazyLock;

use super::chinese::chinese;
use super::name::{ANDS, is_caseless, is_proper, is_small, name, people};
use super::words::{NameRole, behind, is, words};
use crate::metadata::date::{is_weekday, without_dates};
use crate::metadata::shapes::WordPrefilter;

/// What stands between the parts of a byline.
const SEPARATORS: [char; 10] = ['|', '•', '·', '⋅', '●', '–', '—', '»', '丨', '｜'];
/// Most words of one or several names.
const MAX_WORDS: usize = 8;
/// Words that a line may begin with before a name.
const LEADS: &[NameRole] = &[NameRole::Phrase, NameRole::Noun, NameRole::By, NameRole::Credit];

/// The name in a line such as `3 May 2020 · By Jane Doe` or `来源：某报 作者：张三`.
pub(super) fn in_byline(text: &str) -> Option<String> {
    let text = &*without_dates(text);
    chinese(text, true)
        .or_else(|| parts(text).find_map(|part| in_part(part, true).or_else(|| before_verb(part))))
        .or_else(|| behind_label(text))
        .or_else(|| text.split([',', ';']).skip(1).find_map(|part| in_part(part.trim(), false)))
        .or_else(|| handle(text))
        .or_else(|| behind_section(text))
}

/// `Author | Jane Doe`: a label, and the name in the part behind it.
fn behind_label(text: &str) -> Option<String> {
    let mut behind = parts(text).skip_while(|part| !is_label(part)).skip(1);
    behind.next().and_then(first_name).filter(|name| is_proper(name) || is_caseless(name))
}

/// `Posted on 3 May in News by Jane Doe with 3 comments`, once the date is a sign.
fn behind_section(text: &str) -> Option<String> {
    const FILED: [&str; 9] = [
        "in ",
        "under ",
        "filed under ",
        "posted in ",
        "posted under ",
        "posted at ",
        "posted on ",
        "published at ",
        "published on ",
    ];
    let filed = |part: &str| {
        let rest = FILED.iter().find_map(|lead| behind(part, lead))?;
        let (_, writer) = rest.split_once(" by ")?;
        first_name(writer).filter(|name| is_proper(name))
    };
    parts(text).find_map(filed)
}

/// The name in a line that says so in a whole phrase, as it begins.
pub(super) fn in_any_line(text: &str) -> Option<String> {
    in_part(text, false).or_else(|| chinese(text, false))
}

/// The parts of a byline.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(SEPARATORS)
        .flat_map(|part| part.split(" - "))
        .flat_map(|part| part.split(" / "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// Whether a label speaks of several.
pub(super) fn is_plural(label: &str) -> bool {
    let label = label.trim_end_matches([' ', ':', '：']);
    ["authors", "contributors", "autores", "autoren", "auteurs", "autori", "writers"]
        .iter()
        .any(|own| label.eq_ignore_ascii_case(own))
}

/// Whether a row only says that a name follows.
pub(super) fn is_label(text: &str) -> bool {
    let text = text.trim_end_matches([' ', ':', '：']);
    let mut labels = words(&[NameRole::Phrase, NameRole::Noun])
        .chain(words(&[NameRole::By]).filter(|(_, language)| *language == "en"));
    text.len() <= 20 && may_lead(text) && labels.any(|(label, _)| behind(text, label) == Some(""))
}

/// A line that is a name and nothing else; initials stand for a picture of whoever is named next.
pub(super) fn whole(text: &str) -> Option<String> {
    // `Jane Doe <jane@example.com>`
    let text = text.split_once(" <").filter(|(_, address)| address.ends_with('>')).map_or(text, |(name, _)| name);
    let plain = !text.contains(|c: char| c.is_ascii_digit()) && text.split(' ').count() <= 5;
    let initials = text.len() <= 3 && text.is_ascii();
    // `Foto aus dem Archiv Berg`
    let of_picture = text.split(' ').next().is_some_and(is_picture);
    (plain && !initials && !of_picture && !is_label(text)).then(|| parts(text).next().and_then(people)).flatten()
}

/// The first words of leads: most lines fail at a glance at theirs.
struct FirstWords {
    shapes: WordPrefilter,
    ascii: Vec<&'static str>,
    /// First letters of those that do not begin in ASCII.
    others: Vec<char>,
}

static FIRST_WORDS: LazyLock<FirstWords> = LazyLock::new(|| {
    let ascii: Vec<_> = words(LEADS).map(|(lead, _)| first_word(lead)).filter(|word| !word.is_empty()).collect();
    let firsts = words(LEADS).filter_map(|(lead, _)| lead.chars().next()).filter(|c| !c.is_ascii());
    FirstWords { shapes: WordPrefilter::of(&ascii), others: firsts.collect(), ascii }
});

/// The letters of ASCII that a text begins with.
fn first_word(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

/// Whether the first word of a text is that of a phrase, a noun or `by`.
fn may_lead(text: &str) -> bool {
    let word = first_word(text);
    match text.chars().next() {
        Some(c) if !c.is_ascii() => FIRST_WORDS.others.contains(&c.to_lowercase().next().unwrap_or(c)),
        // The space behind it may be lost.
        _ if word.starts_with("By") => true,
        _ => {
            let first = &*FIRST_WORDS;
            first.shapes.fits(word.as_bytes()) && first.ascii.iter().any(|other| word.eq_ignore_ascii_case(other))
        }
    }
}

/// The name behind a phrase, or behind a noun and a colon, with which a part of a byline begins; near the title also
/// behind `by`.
fn in_part(part: &str, near_title: bool) -> Option<String> {
    let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || " /.-:,)".contains(c));
    if !may_lead(part) {
        return None;
    }
    let phrase = words(&[NameRole::Phrase]).find_map(|(phrase, _)| behind_phrase(part, phrase));
    let rest = phrase.or_else(|| words(&[NameRole::Noun]).find_map(|(noun, _)| behind_colon(part, noun)));
    if rest.is_some() || !near_title {
        return first_name(rest?);
    }
    let credit = words(&[NameRole::Credit]).find_map(|(word, _)| {
        let rest = behind(part, word)?;
        colon(behind_pictures(rest).unwrap_or(rest))
    });
    let bare = || {
        words(&[NameRole::Credit]).find_map(|(word, _)| behind_phrase(part, word)).filter(|rest| names_pictures(rest))
    };
    let credited = credit.or_else(bare).and_then(first_name).filter(|name| is_proper(name));
    let by = || {
        words(&[NameRole::By]).find_map(|(by, language)| {
            // `Por qué` asks why.
            let asks = |name: &str| language == "es" && name.to_lowercase().starts_with("qué ");
            let name = first_name(behind_phrase(part, by)?).filter(|name| !asks(name))?;
            (language == "en" || is_proper(&name) || is_caseless(&name)).then_some(name)
        })
    };
    credited.or_else(by)
}

/// `by` and the phrases stand apart from the name, or right before it where the space between them was lost.
fn behind_phrase<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = behind(text, phrase)?;
    let glued = phrase.contains(' ') || text.starts_with("By");
    let parted = rest.starts_with([':', '：']) || rest.starts_with(char::is_whitespace);
    (glued || parted).then(|| rest.trim_start_matches([':', '：', ' ']))
}

/// Whether a text names who made the pictures behind another name: `Jane Doe Photo Bo Wu`.
fn names_pictures(text: &str) -> bool {
    text.split(' ').skip(1).any(is_picture)
}

fn is_picture(word: &str) -> bool {
    is(word.to_lowercase().trim_end_matches(':'), NameRole::Picture)
}

/// What follows where somebody made the pictures of a text, too: ` y fotos: Jane Doe`.
fn behind_pictures(rest: &str) -> Option<&str> {
    let (and, rest) = rest.trim_start().split_once(' ')?;
    let end = rest.find([':', '：', ' '])?;
    (ANDS.contains(&and) && is_picture(&rest[..end])).then(|| &rest[end..])
}

fn behind_colon<'t>(text: &'t str, noun: &str) -> Option<&'t str> {
    colon(behind(text, noun)?)
}

fn colon(rest: &str) -> Option<&str> {
    rest.trim_start().strip_prefix([':', '：']).map(str::trim_start)
}

/// The name or names that a text begins with, up to what says when, where or what that person is.
fn first_name(rest: &str) -> Option<String> {
    let rest = without_our(rest);
    let ends = |word: &str| {
        is(word.to_lowercase().trim_end_matches(':'), NameRole::Ends)
            || word.contains(|c: char| c.is_ascii_digit() || matches!(c, '(' | '（' | '/'))
    };
    let mut words: Vec<&str> = Vec::new();
    let mut left = rest.split(' ').peekable();
    while let Some(word) = left.next() {
        // A name and an address may be glued.
        let is_account = word.contains('@') && !word.starts_with(char::is_uppercase) || word.starts_with('<');
        let is_other = is_account || ends_capitals(&words, word) || ends(word) && left.peek().is_some();
        if !words.is_empty() && is_other || words.len() > MAX_WORDS {
            break;
        }
        words.push(word);
        if ends_sentence(word, words.len() == 1) {
            break;
        }
    }
    // What is left of `By Jane Doe on 3 May` and of `Jana Nová st 14. 4.`, once its date is a sign.
    let is_short = |last: &str| last.starts_with(char::is_lowercase) && last.chars().count() <= 3;
    while words.len() > 1
        && words.last().is_some_and(|last| is(last, NameRole::Ends) || is_short(last) || is_day_name(last))
    {
        words.pop();
    }
    // `By Jane Doe Jane Doe is a writer`
    let (once, again) = words.split_at(words.len() / 2);
    let words = if once == again { once } else { &words };
    let candidate = words.join(" ");
    let candidate = candidate.trim_end_matches(|c| left.peek().is_some() && c == '.');
    let capital = candidate.starts_with(|c: char| c.is_alphabetic() && !is_small(c));
    (capital && words.len() <= MAX_WORDS).then(|| people(candidate)).flatten()
}

/// Whether a word is the name of a day of the week: `Rédigé par Luc Morel le jeudi 4 mars`.
fn is_day_name(word: &str) -> bool {
    word.chars().count() > 3 && is_weekday(word)
}

/// Whether a whole name in capitals ends before a word that is written otherwise: `JANE DOE Associated Press`.
fn ends_capitals(words: &[&str], next: &str) -> bool {
    let in_capitals =
        |word: &&str| word.chars().filter(|c| c.is_uppercase()).count() > 1 && !word.contains(char::is_lowercase);
    let is_plain = next.chars().skip(1).any(char::is_lowercase) && next.starts_with(char::is_uppercase);
    words.len() > 1
        && words.iter().all(in_capitals)
        && is_plain
        && !words.last().is_some_and(|word| word.ends_with(','))
}

/// Whether a sentence ends with a word; it does not with `Dr.` and `Prof.`, nor with the initials that a name begins with.
fn ends_sentence(word: &str, is_first: bool) -> bool {
    let initials = is_first && word.matches('.').count() > 1;
    word.len() > 4 && word.ends_with('.') && !initials && !is(&word.to_lowercase(), NameRole::Honorific)
}

/// `Jón Sigurðsson skrifar`: a whole name and that it writes.
fn before_verb(part: &str) -> Option<String> {
    let (name, verb) = part.rsplit_once(' ')?;
    let is_name = is(verb, NameRole::Writes) && is_proper(name) && name.split(' ').count() <= 4;
    is_name.then(|| people(name)).flatten()
}

/// `unserer Korrespondentin Jana Döhl`: without what the writer is to the paper.
fn without_our(text: &str) -> &str {
    let mut words = text.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(our), Some(_), Some(name)) if is(&our.to_lowercase(), NameRole::Our) => name,
        _ => text,
    }
}

/// `by someone`, and nothing else; `Submitted by someone on` a day.
fn handle(text: &str) -> Option<String> {
    let by_program = ["Submitted by ", "Posted by ", "Written by "].iter().find_map(|lead| text.strip_prefix(lead));
    if let Some((account, rest)) = by_program.and_then(|rest| rest.split_once(' ')) {
        return rest.starts_with(['o', '|', '»']).then(|| name(account)).flatten();
    }
    let rest = text.strip_prefix("by ")?;
    (!rest.contains(' ')).then(|| name(rest)).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_gives_an_answer(text in "(By|written by|Von|author|作者|É)?[:： ]?(\\PC| ){0,40}") {
            let _ = (in_byline(&text), is_label(&text), whole(&text));
        }
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
            "Guest contributor: Jane Doe",
            "Von Jane Doe, 3. Mai 2020",
            "Escrito por Jane Doe",
            "Tekst: Jane Doe",
            "Par Jane Doe, le 3 mai 2020",
            "Por Jane Doe, g1 SP — São Paulo",
            "By Jane Doe @janedoe",
            "By Jane Doe jane@mill.example @janedoe",
            "Posted by Jane Doe @ 9:14 pm",
            "Gastbeitrag von Jane Doe",
            "Jane Doe skrifar",
            "Автор: Jane Doe, для «Вістей»",
            "Submitted by Jane Doe on Tue, 11/03/2026 - 14:30",
            "Author | Jane Doe",
            "Posted at 07:15 by Jane Doe, in News",
            "Edited by Bo Wu, Written by Jane Doe",
            "Curated By: Jane Doe",
            "Rédigé par Jane Doe le Jeudi 4 Mars 2021 à 07:15",
            "Story: Jane Doe. Photos: Bo Wu.",
            "Texto y fotos: Jane Doe",
            "Text und Bilder: Jane Doe",
            "oprac. Jane Doe",
            "(Stand: 04.03.2021) Text: Jane Doe, Bild: Bo Wu",
            "Подготовил Jane Doe",
            "3 May 2020 – Written by – Jane Doe",
        ] {
            assert_eq!(in_byline(text).as_deref(), Some("Jane Doe"), "{text}");
        }
        for (text, names) in [
            ("By Jane Doe and Bo Wu", "Jane Doe, Bo Wu"),
            ("By Jane Doe, and Bo Wu", "Jane Doe, Bo Wu"),
            ("By Jane Doe, Bo Wu, and Ann Lee", "Jane Doe, Bo Wu, Ann Lee"),
            ("By JANE DOE AND BO WU", "JANE DOE, BO WU"),
            ("By JANE DOE and BO WU, Associated Press", "JANE DOE, BO WU"),
            ("By Prof. Hans Meier", "Prof. Hans Meier"),
            ("Von Prof. Dr. Hans Meier", "Prof. Dr. Hans Meier"),
            ("By J.R.R. MacDonald and K. L. bin Yusof", "J.R.R. MacDonald, K. L. bin Yusof"),
            ("Par Hélène d’Almeida", "Hélène d’Almeida"),
            ("Submitted by jdoe on Tue, 11/03/2026 - 14:30", "jdoe"),
            ("作者：王小明、李静", "王小明, 李静"),
            ("Por Ana Souza y Luis Gil", "Ana Souza, Luis Gil"),
            ("Por José Ortega y Gasset", "José Ortega y Gasset"),
            ("Автор: Анна Иванова и Пётр Белов", "Анна Иванова, Пётр Белов"),
            ("بقلم: سلمى عبد الرحمن", "سلمى عبد الرحمن"),
            ("كتب - محمد علي", "محمد علي"),
            ("【記者：山田太郎】", "山田太郎"),
            ("โดย กิตติพงษ์ ศรีสุวรรณ", "กิตติพงษ์ ศรีสุวรรณ"),
            ("Γράφει ο Νίκος Παπαδόπουλος", "Νίκος Παπαδόπουλος"),
            ("강도윤 기자 kang@mill.example", "강도윤"),
            ("[밀신문 강도윤·한지우 기자]", "강도윤, 한지우"),
            ("取材・文：田中花子", "田中花子"),
            ("文 | 王小明", "王小明"),
            ("撰文｜王小明 摄影｜李静", "王小明"),
            ("田中花子記者", "田中花子"),
        ] {
            assert_eq!(in_byline(text).as_deref(), Some(names), "{text}");
        }
        assert_eq!(in_byline("by jdoe").as_deref(), Some("jdoe"));
        assert_eq!(in_byline("来源：某报 作者：张三 2020").as_deref(), Some("张三"));
        assert_eq!(in_byline("新华日报·交汇点记者 徐睿翔 王建").as_deref(), Some("徐睿翔, 王建"));
        assert_eq!(in_byline("本报记者罗科苏盈发自北京").as_deref(), Some("罗科苏盈"));
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
            "기자회견 열린다",
            "本报记者",
            "原文：某书",
            "Text Editor Basics",
        ] {
            assert_eq!(in_byline(text), None, "{text}");
        }
    }

    #[test]
    fn no_lead_fails_the_glance() {
        for (lead, _) in words(LEADS) {
            assert!(may_lead(lead) && may_lead(&lead.to_uppercase()), "{lead}");
        }
        assert!(!may_lead("Bread of rye") && !may_lead("Übrigens"));
    }
}
