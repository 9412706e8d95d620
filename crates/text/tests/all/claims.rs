//! A text and what its page claims: which of them decides.

use gristmill_text::language::language;

const ENGLISH: &str = "The storm reached the coast in the early hours of the morning, and thousands of residents \
    were told to leave their homes before the rivers rose.";

#[test]
fn letters_decide_over_a_wrong_claim() {
    assert_eq!(language(ENGLISH, Some("de-DE")), Some("en"));
    assert_eq!(language("今天天气很好，我们去公园散步。", Some("en")), Some("zh"));
    assert_eq!(language("今日は天気がいいので散歩に行きます。", Some("zh")), Some("ja"));
    assert_eq!(language("오늘은 날씨가 좋습니다.", None), Some("ko"));
    assert_eq!(language("Вчера вечером в городе прошёл сильный дождь, и улицы затопило.", None), Some("ru"));
}

#[test]
fn the_claim_decides_for_short_texts_unless_the_script_says_no() {
    assert_eq!(language("Hotel Menu", Some("fr")), Some("fr"));
    assert_eq!(language("Привет, мир! Как дела?", Some("fr")), Some("ru"));
    assert_eq!(language("1234", Some("zh_CN")), Some("zh"));
    assert_eq!(language("1234", None), None);
    assert_eq!(language("", Some("<script>")), None);
}

#[test]
fn english_names_in_a_chinese_text_leave_it_chinese() {
    assert_eq!(language("苹果公司 Apple 发布了新款 iPhone 手机", None), Some("zh"));
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
        assert_eq!(language(text, Some(code)), Some(*code), "{text}");
    }
    assert_eq!(language(ENGLISH, Some("is")), Some("en"), "an English page in a foreign template");
    assert_eq!(language("Вчера вечером в городе прошёл сильный дождь.", Some("is")), Some("ru"));
    assert_eq!(language(ENGLISH, Some("xx")), Some("en"), "no language");
    let portuguese = "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e \
        de consciência, devem agir uns para com os outros em espírito de fraternidade.";
    assert_eq!(language(portuguese, Some("br")), Some("pt"), "the code of a country");
}

#[test]
fn letters_of_their_own_tell_languages_that_the_statistics_do_not_know() {
    let told = ["is", "sq", "kk", "mn", "mt"];
    for (code, text) in OF_LANGUAGES_NOT_TAUGHT.iter().filter(|(code, _)| told.contains(code)) {
        for claim in [None, Some("en"), Some("ru")] {
            assert_eq!(language(text, claim), Some(*code), "{claim:?} {text}");
        }
    }
    let yoruba = "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn làákàyè àti ti ẹ̀rí-ọkàn.";
    assert_eq!(language(yoruba, None), Some("yo"));
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
        assert_eq!(language(text, Some("en")), Some(code), "{text}");
    }
}

#[test]
fn norwegian_is_one_language() {
    let text = "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er utstyrt med \
        fornuft og samvittighet og bør handle mot hverandre i brorskapets ånd.";
    for hint in [None, Some("no"), Some("nb-NO"), Some("nn"), Some("nor")] {
        assert_eq!(language(text, hint), Some("no"), "{hint:?}");
    }
    assert_eq!(language("1", Some("deu")), Some("de"));
}
