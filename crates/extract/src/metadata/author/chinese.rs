//! Names in lines of Chinese, Japanese and Korean: behind a mark such as `作者：`, or beside the word for reporters.

use std::sync::LazyLock;

use gristmill_text::{PhraseMatcher, is_han};

use super::name::{name, several};
use super::words::{NameRole, is, words};

/// The name behind a mark, anywhere in a line or else at its beginning, or those of reporters.
pub(super) fn chinese(text: &str, anywhere: bool) -> Option<String> {
    static MARKS: LazyLock<PhraseMatcher> = LazyLock::new(|| {
        let marks = words(&[NameRole::Mark, NameRole::Title]).map(|(mark, _)| mark);
        PhraseMatcher::new(&marks.collect::<Vec<_>>())
    });
    if text.is_ascii() || !MARKS.is_in(text) {
        return None;
    }
    let behind = |mark: &str| match anywhere {
        true => text
            .match_indices(mark)
            .find(|&(at, _)| begins_word(text, at, mark))
            .map(|(at, _)| &text[at + mark.len()..]),
        false => text.strip_prefix(mark),
    };
    match words(&[NameRole::Mark]).find_map(|(mark, _)| behind(mark)) {
        Some(rest) => up_to_a_space(rest),
        None => reporters(text).or_else(|| titled(text)),
    }
}

/// Whether a mark is no end of a longer word: `文：` is one of `原文：`.
fn begins_word(text: &str, at: usize, mark: &str) -> bool {
    !mark.starts_with('文') || !text[..at].ends_with(is_han)
}

/// `강도윤 기자 kang@mill.example`, `[밀신문 강도윤·한지우 기자]`, `田中花子記者`: names right before what reporters are called.
pub(super) fn titled(text: &str) -> Option<String> {
    /// Last letters of papers, and of what is said of reporters.
    const NO_NAMES: [char; 20] = [
        '报', '報', '社', '网', '網', '台', '刊', '闻', '聞', '视', '視', '通', '习', '習', '约', '約', '席', '深',
        '驻', '駐',
    ];
    let text = text.trim_start_matches(['[', '(', '【', '〔', '■', '▶', '/']);
    let text = text
        .split_once(['=', ')', '】'])
        .map_or(text, |(place, rest)| if place.chars().count() <= 12 { rest } else { text });
    let (before, after) = words(&[NameRole::Title]).find_map(|(title, _)| text.split_once(title))?;
    // `기자들`, `기자회견`: reporters, a press conference.
    if after.starts_with(char::is_alphabetic) {
        return None;
    }
    let is_hangul = |c: char| ('가'..='힣').contains(&c);
    let is_kana = |c: char| ('ぁ'..='ヿ').contains(&c);
    let is_name = |name: &str| {
        let n = name.chars().count();
        let is_korean = (2..=4).contains(&n) && name.chars().all(is_hangul);
        let is_other =
            (2..=6).contains(&n) && name.chars().all(|c| is_han(c) || is_kana(c)) && !name.ends_with(NO_NAMES);
        is_korean || is_other
    };
    // The paper comes first.
    let names = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let parts: Vec<&str> = names.split(['·', '・', ',', '、', '\u{3000}']).filter(|part| !part.is_empty()).collect();
    let is_short = before.chars().count() <= 24;
    (is_short && !parts.is_empty() && parts.iter().all(|part| is_name(part))).then(|| parts.join(", "))
}

/// Up to the next space after some characters, or the next label.
fn up_to_a_space(rest: &str) -> Option<String> {
    let rest = rest.trim_start();
    let end = rest.find([' ', '|', '｜', '　', '，', '。', '（', '(', '来', '】']).unwrap_or(rest.len());
    let found = &rest[..end];
    let first = (found.chars().count() <= 20).then(|| name(found)).flatten().map(|names| several(&names))?;
    // `作者：张三 李四`
    let others =
        rest[end..].split([' ', '\u{3000}']).filter(|part| !part.is_empty()).take_while(|part| is_full_name(part));
    Some(std::iter::once(first.as_str()).chain(others.filter(|_| is_full_name(&first))).collect::<Vec<_>>().join(", "))
}

/// Whether it is one of the surnames that nine in ten bear in China, with a given name of one or two characters.
fn is_full_name(text: &str) -> bool {
    const SURNAMES: &str = "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖蕭田董袁潘于蒋蔣蔡余杜叶葉程\
        苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范廖贾賈夏韦韋付傅方邹鄒孟熊秦邱江尹薛闫閻段侯龙龍陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔汤湯";
    let is_long = (2..=3).contains(&text.chars().count());
    is_long && text.chars().all(is_han) && text.starts_with(|c| SURNAMES.contains(c)) && !is(text, NameRole::Nobody)
}

fn ends_in_report(text: &str) -> bool {
    words(&[NameRole::Reports]).any(|(verb, _)| text.trim_end().ends_with(verb))
}

/// `新华日报记者 张三 李四`, `本报记者张三发自北京`: names of two to four characters up to the end of a short row, or to a verb.
fn reporters(text: &str) -> Option<String> {
    const MAX_BEFORE: usize = 12;
    /// `记者了解到` is the beginning of a sentence.
    const NO_NAMES: [char; 12] = ['了', '从', '從', '获', '采', '在', '昨', '今', '近', '来', '招', '站'];
    let (paper, rest) = text.split_once("记者").or_else(|| text.split_once("記者"))?;
    // `〔記者陳怡君／高雄報導〕`
    let rest = rest.split(['〕', '】', ']', '）', ')']).next().unwrap_or_default();
    // From where behind a stroke.
    let rest = rest.split_once('／').filter(|(_, place)| ends_in_report(place)).map_or(rest, |(names, _)| names);
    let mut names = Vec::new();
    let parts = rest.trim_start_matches([' ', '　', '：', ':']).split([' ', '　', '、', '/', '／']);
    let parts = parts.filter(|part| !is(part, NameRole::Nobody));
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
