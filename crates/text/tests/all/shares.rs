//! Texts in more than one language.

use gristmill_text::language::{TextLanguage, identify};

const ENGLISH: &str =
    "The storm reached the coast in the early hours of the morning, and thousands of residents were told to leave.";
const GERMAN: &str =
    "Der Sturm erreichte die Küste in den frühen Morgenstunden, und Tausende mussten ihre Häuser verlassen.";
const RUSSIAN: &str =
    "Шторм достиг побережья ранним утром, и тысячам жителей пришлось покинуть свои дома до наводнения.";
const CHINESE: &str =
    "风暴在清晨抵达海岸，数千名居民被要求在河水上涨之前离开家园，学校和商店全部关闭，救援人员已经赶到现场。";

fn text(paragraphs: &[(&str, usize)]) -> String {
    paragraphs.iter().map(|(paragraph, n)| format!("{paragraph}\n").repeat(*n)).collect()
}

fn codes(found: &TextLanguage) -> Vec<&str> {
    found.shares.iter().map(|share| share.language).collect()
}

#[test]
fn a_text_in_one_language_is_all_in_it() {
    for (paragraph, code) in [(ENGLISH, "en"), (GERMAN, "de"), (RUSSIAN, "ru"), (CHINESE, "zh")] {
        for n in [1, 30] {
            let found = identify(&text(&[(paragraph, n)]), None);
            assert_eq!((codes(&found), found.shares[0].share), (vec![code], 1.0), "{found:?}");
        }
    }
}

#[test]
fn each_language_of_the_paragraphs_has_its_share() {
    for (first, second, codes_expected) in
        [(ENGLISH, GERMAN, ["en", "de"]), (GERMAN, RUSSIAN, ["de", "ru"]), (RUSSIAN, ENGLISH, ["ru", "en"])]
    {
        let found = identify(&text(&[(first, 14), (second, 7)]), None);
        assert_eq!(codes(&found), codes_expected, "{found:?}");
        assert!((found.shares[0].share - 0.66).abs() < 0.12, "{found:?}");
        assert_eq!(found.language, Some(codes_expected[0]), "{found:?}");
        assert!((found.shares.iter().map(|share| share.share).sum::<f32>() - 1.0).abs() < 0.001, "{found:?}");
    }
}

#[test]
fn a_greater_part_that_comes_last_is_the_language_of_the_text() {
    let found = identify(&text(&[(ENGLISH, 5), (CHINESE, 12)]), Some("en"));
    assert_eq!((found.language, codes(&found)), (Some("zh"), vec!["zh", "en"]), "{found:?}");
}

#[test]
fn a_foreign_name_or_line_is_no_second_language() {
    let found = identify(&format!("{}Guten Tag\n{}", text(&[(ENGLISH, 20)]), text(&[(ENGLISH, 20)])), None);
    assert_eq!(codes(&found), ["en"], "{found:?}");
}

#[test]
fn chinese_has_its_form_and_other_texts_their_script() {
    for (text, script) in [
        (CHINESE, "Hans"),
        (
            "風暴在清晨抵達海岸，數千名居民被要求離開家園，學校和商店全部關閉，救援人員已經趕到現場，動員了兩個軍隊。",
            "Hant",
        ),
        ("今日は天気がいいので散歩に行きます。", "Jpan"),
        ("오늘은 날씨가 좋습니다.", "Kore"),
        (RUSSIAN, "Cyrl"),
        (GERMAN, "Latn"),
        ("ภาษาไทยเป็นภาษาที่สวยงาม", "Thai"),
    ] {
        assert_eq!(identify(text, None).script, Some(script), "{text}");
    }
}

#[test]
fn filler_text_is_no_language() {
    let filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna \
        aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.";
    for claim in [None, Some("en"), Some("de-DE")] {
        let found = identify(filler, claim);
        assert_eq!((found.language, found.score, found.script), (None, None, Some("Latn")), "{claim:?}");
        assert!(found.shares.is_empty(), "{found:?}");
    }
    let latin = "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua \
        Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, legibus inter se differunt.";
    assert_eq!(identify(latin, None).language, Some("la"));
}
