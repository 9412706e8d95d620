//! The language of a text, from its letters first and from the page's own claim second.

use whatlang::{Detector, Lang, Script};

use crate::chars::is_han;

/// Characters looked at: enough for trigrams, few enough to be cheap.
const SAMPLE_CHARS: usize = 800;
/// Below so many letters the page's claim is worth more than a guess.
const FEW_LETTERS: usize = 40;

/// The language of `text` as an ISO 639-1 code (`en`, `zh`; ISO 639-3 where there is none).
///
/// `hint` is what the page declares (`zh-Hans-CN`, `en_US`), if anything; it decides for short texts and when the
/// statistics are unsure, unless the script contradicts it. `None` for a text without letters and without a hint.
pub fn language(text: &str, hint: Option<&str>) -> Option<String> {
    let hint = hint.and_then(primary_subtag);
    let sample = sample(text);
    let letters = Letters::count(sample);
    if letters.all == 0 {
        return hint;
    }
    if let Some(code) = letters.decisive() {
        return Some(code.to_owned());
    }
    if let Some(claim) = hint.as_deref().filter(|claim| confirmed(sample, claim)) {
        return Some(claim.to_owned());
    }
    let Some(info) = whatlang::detect(sample) else { return hint };
    let detected = iso_639_1(info.lang());
    let claim = hint.filter(|hint| Lang::from_code(iso_639_3(hint)).is_some_and(|lang| uses(lang, info.script())));
    match claim {
        Some(claim) if claim != detected && (letters.all < FEW_LETTERS || !sure(&info)) => Some(claim),
        _ => Some(detected.to_owned()),
    }
}

/// Whether the claim holds against its commonest rivals. Most pages declare their language rightly, and asking for a
/// dozen languages costs a fifth of asking for all.
fn confirmed(sample: &str, claim: &str) -> bool {
    let Some(claim) = Lang::from_code(iso_639_3(claim)) else { return false };
    let mut rivals = RIVALS.to_vec();
    if !rivals.contains(&claim) {
        rivals.push(claim);
    }
    // Half of what a free guess needs is enough to confirm one.
    let sample = &sample[..sample.floor_char_boundary(sample.len() / 2)];
    let found = Detector::with_allowlist(rivals).detect(sample);
    found.is_some_and(|info| info.lang() == claim && sure(&info))
}

/// The languages that pages are mostly written in, whatever they declare.
const RIVALS: [Lang; 12] = [
    Lang::Eng,
    Lang::Deu,
    Lang::Fra,
    Lang::Spa,
    Lang::Ita,
    Lang::Por,
    Lang::Nld,
    Lang::Pol,
    Lang::Tur,
    Lang::Rus,
    Lang::Ukr,
    Lang::Ara,
];

fn sure(info: &whatlang::Info) -> bool {
    info.is_reliable() && info.confidence() > 0.9
}

/// A stretch from the middle: the first lines are often names, dates and places.
fn sample(text: &str) -> &str {
    let most = SAMPLE_CHARS * 3;
    if text.len() <= most {
        return text;
    }
    let from = text.floor_char_boundary((text.len() - most) / 2);
    let sample = &text[from..text.floor_char_boundary(from + most)];
    match sample.char_indices().nth(SAMPLE_CHARS) {
        Some((end, _)) => &sample[..end],
        None => sample,
    }
}

#[derive(Default)]
struct Letters {
    all: usize,
    han: usize,
    kana: usize,
    hangul: usize,
}

impl Letters {
    fn count(text: &str) -> Letters {
        let mut letters = Letters::default();
        if text.is_ascii() {
            letters.all = text.bytes().filter(u8::is_ascii_alphabetic).count();
            return letters;
        }
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters.all += 1;
            letters.han += usize::from(is_han(c));
            letters.kana += usize::from(matches!(c, '\u{3041}'..='\u{30FA}' | '\u{FF66}'..='\u{FF9D}'));
            letters.hangul += usize::from(matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}'));
        }
        letters
    }

    /// A Chinese character says as much as a word of three letters; a twentieth of kana makes a text Japanese.
    fn decisive(&self) -> Option<&'static str> {
        let cjk = self.han + self.kana + self.hangul;
        if cjk * 3 < self.all - cjk {
            return None;
        }
        match self {
            _ if self.hangul > self.han + self.kana => Some("ko"),
            _ if self.kana * 20 > cjk => Some("ja"),
            _ => Some("zh"),
        }
    }
}

fn primary_subtag(tag: &str) -> Option<String> {
    let primary = tag.trim().split(['-', '_', ',', ';', ' ']).next().unwrap_or("").to_ascii_lowercase();
    let plausible = (2..=3).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_lowercase());
    match primary.as_str() {
        "cn" | "chi" | "zho" => Some("zh".to_owned()),
        "jp" => Some("ja".to_owned()),
        "kr" => Some("ko".to_owned()),
        _ => plausible.then_some(primary),
    }
}

fn uses(lang: Lang, script: Script) -> bool {
    script.langs().contains(&lang)
}

/// ISO 639-3 (what the detector says) against ISO 639-1 (what pages say).
const CODES: &[(&str, &str)] = &[
    ("afr", "af"),
    ("aka", "ak"),
    ("amh", "am"),
    ("ara", "ar"),
    ("aze", "az"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cmn", "zh"),
    ("cym", "cy"),
    ("dan", "da"),
    ("deu", "de"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ind", "id"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("mkd", "mk"),
    ("mya", "my"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nob", "no"),
    ("ori", "or"),
    ("pan", "pa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rus", "ru"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
    ("zul", "zu"),
];

fn iso_639_1(lang: Lang) -> &'static str {
    let code = lang.code();
    CODES.iter().find(|(three, _)| *three == code).map_or(code, |(_, two)| two)
}

fn iso_639_3(code: &str) -> &str {
    match code {
        "nb" | "nn" => "nob",
        _ => CODES.iter().find(|(_, two)| *two == code).map_or(code, |(three, _)| three),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "The storm reached the coast in the early hours of the morning, and thousands of residents \
        were told to leave their homes before the rivers rose.";

    #[test]
    fn letters_decide_over_a_wrong_claim() {
        assert_eq!(language(ENGLISH, Some("de-DE")).as_deref(), Some("en"));
        assert_eq!(language("今天天气很好，我们去公园散步。", Some("en")).as_deref(), Some("zh"));
        assert_eq!(language("今日は天気がいいので散歩に行きます。", Some("zh")).as_deref(), Some("ja"));
        assert_eq!(language("오늘은 날씨가 좋습니다.", None).as_deref(), Some("ko"));
        assert_eq!(
            language("Вчера вечером в городе прошёл сильный дождь, и улицы затопило.", None).as_deref(),
            Some("ru")
        );
    }

    #[test]
    fn the_claim_decides_for_short_texts_unless_the_script_says_no() {
        assert_eq!(language("Hotel Menu", Some("fr")).as_deref(), Some("fr"));
        assert_eq!(language("Привет мир", Some("fr")).as_deref(), Some("ru"));
        assert_eq!(language("1234", Some("zh_CN")).as_deref(), Some("zh"));
        assert_eq!(language("1234", None), None);
        assert_eq!(language("", Some("<script>")), None);
    }

    #[test]
    fn english_names_in_a_chinese_text_leave_it_chinese() {
        assert_eq!(language("苹果公司 Apple 发布了新款 iPhone 手机", None).as_deref(), Some("zh"));
    }

    #[test]
    fn every_known_language_has_a_code() {
        for lang in Lang::all() {
            assert_eq!(iso_639_1(*lang).len(), 2, "{lang:?}");
        }
    }
}
