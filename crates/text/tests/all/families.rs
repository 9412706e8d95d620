//! Languages that share letters, told apart: sentences of our own.

use gristmill_text::language::{identify, language};

#[test]
fn relatives_are_told_apart() {
    for (code, text) in [
        (
            "da",
            "Hvad hedder du, og hvor kommer du fra? Jeg er ikke sikker på, at toget kører i aften, fordi det sner meget.",
        ),
        ("no", "Hva heter du, og hvor kommer du fra? Jeg er ikke sikker på at toget går i kveld, fordi det snør mye."),
        (
            "sv",
            "Vad heter du, och varifrån kommer du? Jag är inte säker på att tåget går i kväll, eftersom det snöar mycket.",
        ),
        (
            "pt",
            "Os pescadores voltaram ao porto de manhã e venderam o peixe aos vizinhos, mas não tinham muito para oferecer.",
        ),
        (
            "gl",
            "Os mariñeiros volveron ao porto pola mañá e venderon o peixe aos veciños, pero non tiñan moito que ofrecer.",
        ),
        (
            "es",
            "Los pescadores volvieron al puerto por la mañana y vendieron el pescado a los vecinos, pero no tenían mucho.",
        ),
        (
            "ca",
            "Els pescadors van tornar al port al matí i van vendre el peix als veïns, però no en tenien gaire per oferir.",
        ),
        (
            "cs",
            "Rybáři se ráno vrátili do přístavu a prodali ryby sousedům, ale neměli toho mnoho, protože moře bylo rozbouřené.",
        ),
        (
            "sk",
            "Rybári sa ráno vrátili do prístavu a predali ryby susedom, ale nemali toho veľa, pretože more bolo rozbúrené.",
        ),
        (
            "ru",
            "Рыбаки утром вернулись в порт и продали рыбу соседям, но у них было немного, потому что море было бурным.",
        ),
        (
            "uk",
            "Рибалки вранці повернулися до порту й продали рибу сусідам, але в них було небагато, бо море було бурхливим.",
        ),
        (
            "bg",
            "Рибарите се върнаха сутринта в пристанището и продадоха рибата на съседите, но нямаха много за предлагане.",
        ),
        (
            "sr",
            "Рибари су се ујутру вратили у луку и продали рибу комшијама, али нису имали много јер је море било узбуркано.",
        ),
        (
            "fa",
            "ماهیگیران صبح به بندر بازگشتند و ماهی را به همسایگان فروختند، اما چیز زیادی نداشتند چون دریا طوفانی بود.",
        ),
        ("ar", "عاد الصيادون في الصباح إلى الميناء وباعوا السمك للجيران، لكن لم يكن لديهم الكثير لأن البحر كان هائجا."),
        (
            "ur",
            "ماہی گیر صبح بندرگاہ پر واپس آئے اور پڑوسیوں کو مچھلی بیچی، لیکن ان کے پاس زیادہ نہیں تھی کیونکہ سمندر طوفانی تھا۔",
        ),
    ] {
        let found = identify(text, None);
        assert_eq!(found.language, Some(code), "{text}: {found:?}");
        assert!(found.score.is_some_and(|score| score > 0.5), "{text}: {found:?}");
    }
}

#[test]
fn a_claim_decides_between_languages_that_letters_cannot_tell_apart() {
    let south_slavic = "Ribari su se ujutro vratili u luku i prodali ribu susjedima, ali nisu imali mnogo.";
    for claim in ["hr", "bs", "sr-Latn"] {
        assert_eq!(language(south_slavic, Some(claim)), claim.get(..2), "{claim}");
    }
    let malay = "Nelayan kembali ke pelabuhan pada waktu pagi dan menjual ikan.";
    for claim in ["id", "ms"] {
        assert_eq!(language(malay, Some(claim)), Some(claim));
    }
    assert_eq!(language(south_slavic, Some("de")).map(|code| ["hr", "bs", "sr"].contains(&code)), Some(true));
}

#[test]
fn a_sure_text_keeps_its_language_against_any_claim() {
    let german =
        "Der Sturm erreichte die Küste in den frühen Morgenstunden, und Tausende mussten ihre Häuser verlassen.";
    for claim in ["en", "nl", "fr", "tr", "pl", "ru", "zh", "xx", "", "de"] {
        assert_eq!(language(german, Some(claim)), Some("de"), "{claim}");
    }
}

#[test]
fn code_is_no_reason_for_a_rare_language() {
    let code = "fn main() { let total = items.iter().map(|item| item.price).sum::<u32>(); println!(\"{total}\"); return value; }";
    assert_eq!(language(code, None), Some("en"));
}
