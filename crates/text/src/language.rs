//! The language of a text, from its letters first and from the page's own claim second.

use whatlang::{Detector, Lang, Script};

use crate::chars::is_han;
use crate::letters::is_letter;

/// Characters looked at: enough for trigrams, few enough to be cheap.
const SAMPLE_CHARS: usize = 800;
/// Below so many letters the page's claim is worth more than a guess.
const FEW_LETTERS: usize = 40;

/// The language of `text` as an ISO 639-1 code (`en`, `zh`; ISO 639-3 where there is none).
///
/// `hint` is what the page declares (`zh-Hans-CN`, `en_US`), if anything; it decides for short texts, when the
/// statistics are unsure, and for languages that they do not know, unless the script contradicts it. `None` for a text
/// without letters and without a hint. Norwegian is `no`, whichever of its two forms.
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
    if let Some(code) = told_by_letters(sample, letters.all) {
        return Some(code.to_owned());
    }
    if let Some(claim) = hint.as_deref().filter(|claim| confirmed(sample, claim)) {
        return Some(claim.to_owned());
    }
    let Some(info) = whatlang::detect(sample) else { return hint };
    let detected = iso_639_1(info.lang());
    if let Some(claim) = hint.as_deref().filter(|claim| stands_untaught(claim, &info)) {
        return Some(claim.to_owned());
    }
    if let Some(code) = told_by_words(sample).filter(|_| info.script() == Script::Latin && !sure(&info)) {
        return Some(code.to_owned());
    }
    let claim = hint.filter(|hint| Lang::from_code(iso_639_3(hint)).is_some_and(|lang| uses(lang, info.script())));
    match claim {
        Some(claim) if claim != detected && (letters.all < FEW_LETTERS || prefers(sample, &claim, &info)) => {
            Some(claim)
        }
        _ => Some(detected.to_owned()),
    }
}

/// Languages that the detector was not taught and so takes for their likes (Icelandic for Welsh, Galician for
/// Spanish), each with its script.
const UNTAUGHT: &[(Script, &[&str])] = &[
    (
        Script::Latin,
        &[
            "is", "sw", "eu", "gl", "sq", "ms", "mt", "ga", "bs", "lb", "fo", "fy", "gd", "br", "co", "oc", "an",
            "ast", "rm", "sc", "fur", "wa", "ku", "ha", "ig", "yo", "xh", "st", "tn", "ts", "ny", "so", "rw", "rn",
            "lg", "ln", "mg", "om", "wo", "ht", "qu", "gn", "ay", "mi", "sm", "to", "fj", "haw", "su", "ceb", "hmn",
            "kl", "se", "tg",
        ],
    ),
    (Script::Cyrillic, &["kk", "ky", "mn", "tg", "tt", "ba", "cv", "os", "ce", "sah", "ab"]),
    (Script::Arabic, &["ps", "ku", "ckb", "sd", "ug", "ks", "dv"]),
    (Script::Devanagari, &["sa", "mai", "bho", "kok"]),
    (Script::Bengali, &["as"]),
    (Script::Ethiopic, &["ti"]),
];

/// Codes that are set by mistake or left over from a template: those of countries (`br`, `se`).
const DOUBTFUL: [&str; 5] = ["br", "se", "co", "an", "st"];

/// Whether a claim of a language that the detector does not know stands: its script is that of the text, the text is
/// not surely English, which foreign templates hold most often, and the code is not more likely a mistake.
fn stands_untaught(claim: &str, info: &whatlang::Info) -> bool {
    let written = UNTAUGHT.iter().any(|(script, codes)| *script == info.script() && codes.contains(&claim));
    let overruled = sure(info) && (info.lang() == Lang::Eng || DOUBTFUL.contains(&claim));
    written && !overruled
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

/// Whether a text is more like the claimed language than like the best guess, where that is not sure.
fn prefers(sample: &str, claim: &str, best: &whatlang::Info) -> bool {
    let Some(claim) = Lang::from_code(iso_639_3(claim)) else { return false };
    let between = || Detector::with_allowlist(vec![claim, best.lang()]).detect(sample);
    !sure(best) && between().is_some_and(|info| info.lang() == claim)
}

/// Languages that the detector was not taught and that have letters of their own: code, these letters, of a thousand letters of a
/// text so many at least, and letters that the language has not.
#[rustfmt::skip]
const BY_LETTERS: &[(&str, &str, usize, &str)] = &[
    ("kk", "қғұ", 10, "ҳҷӣӯҡҙҫў"), ("tt", "җ", 2, "қғҡҙ"), ("ba", "ҡҙҫ", 10, "қ"), ("tg", "ҷӣӯ", 5, "ўүө"),
    ("ky", "ң", 1, "қғұәҗӑӗҥ"), ("mn", "өү", 15, "қғұәҗңҡҥіў"), ("cv", "ӑӗ", 10, "қө"), ("os", "ӕ", 10, "қ"), ("sah", "ҥҕ", 5, "қ"),
    ("is", "ðþ", 10, "ø"), ("fo", "ð", 10, "þ"), ("yo", "ẹọṣ\u{323}", 20, "ịụăđơưấầảãĩ"), ("ig", "ịụ", 10, "ẹṣăđơưấầả"), ("mt", "ħġċ", 10, ""),
    ("ha", "ɗƙɓ", 3, "ẹọ"), ("sq", "ë", 40, "ä"),
    ("ckb", "ێۆڵڕ", 20, "ټډ"), ("ps", "ټډړږښڼې", 15, "ێ"), ("ug", "ۇۈۋې", 30, "ټ"), ("sd", "ڪڻڌڳ", 10, "ێ"),
];

/// Languages in letters that others have, too, by small words of theirs, which are one in so many words at least.
const BY_WORDS: &[(&str, &[&str], usize)] = &[
    ("eu", &["eta", "zen", "dira", "izan", "ziren", "duen"], 25),
    ("ga", &["agus", "bhí", "leis", "sna", "ina", "tá"], 25),
    ("sw", &["kwa", "katika", "wa", "ya", "hii"], 12),
    ("so", &["iyo", "oo", "waxaa", "ayaa", "waa", "uu"], 12),
    ("mi", &["ngā", "nga", "te", "ki", "he"], 8),
];

/// The language whose small words a text has.
fn told_by_words(sample: &str) -> Option<&'static str> {
    let lower = sample.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let told = |&&(_, own, one_in): &&(&str, &[&str], usize)| {
        let n_own = words.iter().filter(|word| own.contains(word)).count();
        let kinds = own.iter().filter(|word| words.contains(word)).count();
        n_own >= 3 && kinds >= 2 && n_own * one_in >= words.len()
    };
    BY_WORDS.iter().find(told).map(|(code, ..)| *code)
}

/// The language whose own letters a text has.
fn told_by_letters(sample: &str, n_letters: usize) -> Option<&'static str> {
    if sample.is_ascii() {
        return None;
    }
    let own = counts_beyond_ascii(&sample.to_lowercase());
    let count = |letters: &str| -> usize {
        own.iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, count)| count).sum()
    };
    let told = |&&(_, own, least, none): &&(&str, &str, usize, &str)| {
        let n_own = count(own);
        n_own >= 2 && n_own * 1000 >= least * n_letters && count(none) * 5 <= n_own
    };
    BY_LETTERS.iter().find(told).map(|(code, ..)| *code)
}

/// How often each character beyond ASCII stands in a text.
fn counts_beyond_ascii(text: &str) -> Vec<(char, usize)> {
    let mut letters: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
    letters.sort_unstable();
    letters.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
}

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
        for c in text.chars().filter(|&c| is_letter(c)) {
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
        // Bokmål, Nynorsk and both are one language to a reader and to the detector.
        "nb" | "nn" | "nno" | "nor" => Some("no".to_owned()),
        "fil" => Some("tl".to_owned()),
        "iw" => Some("he".to_owned()),
        three if plausible && three.len() == 3 => {
            let two = CODES.iter().find(|(code, _)| *code == three).map(|(_, two)| *two);
            Some(two.map_or(primary, str::to_owned))
        }
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
    CODES.iter().find(|(_, two)| *two == code).map_or(code, |(three, _)| three)
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

    /// The first article of the declaration of human rights.
    const OF_LANGUAGES_NOT_TAUGHT: &[(&str, &str)] = &[
        (
            "is",
            "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum. Menn eru gæddir vitsmunum og \
            samvizku, og ber þeim að breyta bróðurlega hverjum við annan.",
        ),
        (
            "sw",
            "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa \
            watendeane kindugu.",
        ),
        (
            "eu",
            "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela; eta ezaguera eta \
            kontzientzia dutenez gero, elkarren artean senide legez jokatu beharra dute.",
        ),
        (
            "gl",
            "Tódolos seres humanos nacen libres e iguais en dignidade e dereitos e, dotados como están de razón e \
            conciencia, débense comportar fraternalmente uns cos outros.",
        ),
        (
            "sq",
            "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta. Ata kanë arsye dhe \
            ndërgjegje dhe duhet të sillen ndaj njëri tjetrit me frymë vëllazërimi.",
        ),
        (
            "ms",
            "Semua manusia dilahirkan bebas dan samarata dari segi kemuliaan dan hak-hak. Mereka mempunyai \
            pemikiran dan perasaan hati dan hendaklah bertindak di antara satu sama lain dengan semangat persaudaraan.",
        ),
        (
            "ga",
            "Saolaítear na daoine uile saor agus comhionann ina ndínit agus ina gcearta. Tá bua an réasúin agus an \
            choinsiasa acu agus dlíd iad féin d'iompar de mheon bráithreachais i leith a chéile.",
        ),
        (
            "kk",
            "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға \
            ақыл-парасат, ар-ождан берілген, сондықтан олар бір-бірімен туыстық қарым-қатынас жасаулары тиіс.",
        ),
        (
            "mn",
            "Хүн бүр төрж мэндлэхэд эрх чөлөөтэй, адилхан нэр төртэй, ижил эрхтэй байдаг. Оюун ухаан, нандин чанар \
            заяасан хүн гэгч өөр хоорондоо ахан дүүгийн үзэл санаагаар харьцах учиртай.",
        ),
        (
            "bs",
            "Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima. Ona su obdarena razumom i \
            sviješću i treba da jedno prema drugome postupaju u duhu bratstva.",
        ),
        (
            "mt",
            "Il-bnedmin kollha jitwieldu ħielsa u ugwali fid-dinjità u d-drittijiet. Huma mogħnija bir-raġuni u \
            bil-kuxjenza u għandhom iġibu ruħhom ma' xulxin bi spirtu ta' aħwa.",
        ),
    ];

    #[test]
    fn a_claim_of_a_language_that_the_statistics_do_not_know_stands() {
        for (code, text) in OF_LANGUAGES_NOT_TAUGHT {
            assert_eq!(language(text, Some(code)).as_deref(), Some(*code), "{text}");
        }
        assert_eq!(language(ENGLISH, Some("is")).as_deref(), Some("en"), "an English page in a foreign template");
        assert_eq!(language("Вчера вечером в городе прошёл сильный дождь.", Some("is")).as_deref(), Some("ru"));
        assert_eq!(language(ENGLISH, Some("xx")).as_deref(), Some("en"), "no language");
        let portuguese = "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e \
            de consciência, devem agir uns para com os outros em espírito de fraternidade.";
        assert_eq!(language(portuguese, Some("br")).as_deref(), Some("pt"), "the code of a country");
    }

    #[test]
    fn letters_of_their_own_tell_languages_that_the_statistics_do_not_know() {
        let told = ["is", "sq", "kk", "mn", "mt"];
        for (code, text) in OF_LANGUAGES_NOT_TAUGHT.iter().filter(|(code, _)| told.contains(code)) {
            for claim in [None, Some("en"), Some("ru")] {
                assert_eq!(language(text, claim).as_deref(), Some(*code), "{claim:?} {text}");
            }
        }
        let yoruba =
            "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn làákàyè àti ti ẹ̀rí-ọkàn.";
        assert_eq!(language(yoruba, None).as_deref(), Some("yo"));
    }

    #[test]
    fn a_mistaken_claim_gives_way_to_a_close_guess_that_is_nearer() {
        for (code, text) in [
            (
                "da",
                "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og \
                 samvittighed, og de bør handle mod hverandre i en broderskabets ånd. Enhver har krav på alle de \
                 rettigheder og friheder, som nævnes i denne erklæring, uden forskelsbehandling af nogen art.",
            ),
            (
                "no",
                "Fergen går igjen på søndager, og reisende venter ved kaia med syklene sine mens skipperen forteller \
                    historier om elva og flommene. Rådet skal snakke om prisen til våren.",
            ),
            (
                "sl",
                "Trajekt ob nedeljah spet vozi, potniki pa čakajo na pomolu s svojimi kolesi, medtem ko brodar pripoveduje \
                    zgodbe o reki in njenih poplavah. Svet bo spomladi govoril o ceni.",
            ),
        ] {
            assert_eq!(language(text, Some("en")).as_deref(), Some(code), "{text}");
        }
    }

    #[test]
    fn norwegian_is_one_language() {
        let text = "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med \
            fornuft og samvittighet og bør handle mot hverandre i brorskapets ånd.";
        for hint in [None, Some("no"), Some("nb-NO"), Some("nn"), Some("nor")] {
            assert_eq!(language(text, hint).as_deref(), Some("no"), "{hint:?}");
        }
        assert_eq!(language("1", Some("deu")).as_deref(), Some("de"));
    }

    #[test]
    fn every_known_language_has_a_code() {
        for lang in Lang::all() {
            assert_eq!(iso_639_1(*lang).len(), 2, "{lang:?}");
        }
    }
}
