//! What counts as the same word: accents, forms, signs, beginnings, slips.

use gristmill_index::{DocumentKind, IndexDocument, ProductAttribute, SearchFilter, SearchQuery, Sort, parse_period};

use crate::search::{Library, page};

/// Documents in a language, one for each pair of key and text.
fn library(language: &str, texts: &[(&str, &str)]) -> Library {
    Library::of(&pages(language, texts))
}

fn pages(language: &str, texts: &[(&str, &str)]) -> Vec<IndexDocument> {
    let document =
        |(key, text): &(&str, &str)| IndexDocument { language: language.into(), ..page(key, "A title", text) };
    texts.iter().map(document).collect()
}

fn marks(library: &Library, query: &str) -> Vec<String> {
    let hit = library.search(query).hits.into_iter().next().expect("a hit");
    hit.snippet.ranges.iter().map(|range| hit.snippet.text[range.clone()].to_owned()).collect()
}

#[test]
fn words_are_found_with_and_without_their_accents() {
    let texts = [
        ("fr", "Le café de la forêt est fermé"),
        ("vi", "Trường đại học Hà Nội đào tạo kỹ sư phần mềm"),
        ("ru", "Ёлка стоит в доме, ежик спит, мой"),
        ("ar", "الكِتَابُ على الطاولة في المدرسة"),
        ("hi", "हिन्दी भाषा में लेख लिखा गया है"),
        ("tr", "İstanbul ve Iğdır"),
        ("da", "Smørrebrød på Østerbro"),
    ];
    let library = library("", &texts);
    let queries = [
        ("cafe", "fr"),
        ("FORET ferme", "fr"),
        ("\"cafe de la forêt\"", "fr"),
        ("dai hoc", "vi"),
        ("phần mem", "vi"),
        ("елка", "ru"),
        ("ёжик", "ru"),
        ("мои", ""),
        ("الكتاب", "ar"),
        ("المدرسه", "ar"),
        ("हिंदी", "hi"),
        ("igdir", "tr"),
        ("smorrebrod", "da"),
    ];
    for (query, key) in queries {
        assert_eq!(library.found(query), key, "{query}");
    }
    assert_eq!(marks(&library, "foret"), ["forêt"]);
}

#[test]
fn forms_are_found_in_rare_languages_beside_many_common_ones() {
    let common = ["da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "sv"];
    let twice = |code| pages(code, &[(&format!("{code}1"), "a"), (&format!("{code}2"), "b")]);
    let mut documents: Vec<IndexDocument> = common.into_iter().flat_map(twice).collect();
    for (code, text) in
        [("ar", "في المدرسة والكتاب"), ("pl", "Książki leżały"), ("ru", "на берегу реки"), ("tr", "Kitaplar")]
    {
        documents.extend(pages(code, &[(code, text)]));
    }
    let library = Library::of(&documents);
    for (query, key) in [("كتاب", "ar"), ("książka", "pl"), ("реке", "ru"), ("kitap", "tr")] {
        assert_eq!(library.found(query), key, "{query}");
    }
}

#[test]
fn other_forms_of_a_word_are_found_below_the_word_itself() {
    let library = library(
        "en",
        &[
            ("many", "Both councils met and the councils agreed"),
            ("one", "The council of the town met yesterday evening"),
        ],
    );
    assert_eq!(library.keys("council"), ["one", "many"]);
    assert_eq!(library.keys("councils"), ["many", "one"]);
    assert_eq!(library.keys("\"councils\""), ["many"], "quoted words are meant as they stand");
    assert_eq!(library.found("council -councils"), "one", "what is left out is this word alone");
    assert_eq!(library.found("text:agreeing"), "many");
    assert_eq!(library.found("title:titles"), "many one");
    assert_eq!(library.found("title:councils"), "");
    assert_eq!(marks(&library, "meeting agree"), ["met", "agreed"], "irregular forms too");
    assert_eq!(marks(&library, "evenings"), ["evening"]);
}

#[test]
fn stems_are_those_of_the_document_whatever_the_language_of_the_query() {
    let mut documents = pages("en", &[("rats", "Rats live in the barn")]);
    documents.extend(pages("es", &[("ratos", "Ratos de lectura, canciones y ratas")]));
    documents.extend(pages("de", &[("haus", "Die Häuser stehen am Fluss")]));
    documents.extend(pages("xx", &[("none", "Mills and houses")]));
    documents.extend(pages("he", &[("he", "הספר נמצא על השולחן")]));
    documents.extend(pages("ar", &[("ar", "الكتاب على الطاولة")]));
    let library = Library::of(&documents);
    assert_eq!(library.found("rats"), "rats", "a stem of English finds no Spanish word");
    assert_eq!(library.found("ratas"), "ratos", "a stem of Spanish finds no English word");
    assert_eq!(library.found("cancion"), "ratos");
    assert_eq!(library.found("hausern"), "haus");
    assert_eq!(library.found("mill"), "");
    assert_eq!(library.found("ספר"), "he");
    assert_eq!(library.found("كتاب"), "ar");
    let filter = SearchFilter { language: Some("es".into()), ..SearchFilter::default() };
    let query = SearchQuery { text: "canción".into(), filter, ..SearchQuery::default() };
    assert_eq!(library.reader.search(&query).unwrap().hits[0].key, "ratos");
}

#[test]
fn signs_and_touching_words_and_numbers() {
    let texts = [
        ("cpp", "Programming in C++ is fun"),
        ("csharp", "Programming in C# is fun"),
        ("c", "Programming in C is old"),
        ("net", "The .NET runtime of today"),
        ("fish", "The net of the fisher"),
        ("npp", "Edit with Notepad++"),
        ("phone", "The iPhone15ProMax and an USB-C cable"),
        ("spaced", "An iPhone 15 in the box"),
        ("node", "We run node.js on servers"),
        ("num", "The price was 1,234.56 dollars"),
        ("oreilly", "The O’Reilly books"),
        ("pizza", "I love 🍕 slices"),
    ];
    let library = library("en", &texts);
    let queries = [
        ("C++", "cpp"),
        ("c#", "csharp"),
        ("C", "c phone"),
        ("net", "fish net"),
        ("notepad", "npp"),
        ("iphone 15", "phone spaced"),
        ("iphone15", "spaced"),
        ("usbc", "phone"),
        ("usb c", "phone"),
        ("nodejs", "node"),
        ("node-js", "node"),
        ("1234.56", "num"),
        ("1,234.56", "num"),
        ("oreilly", "oreilly"),
        ("🍕", "pizza"),
        ("-🍕 love", ""),
        ("love slices", "pizza"),
        ("\"love slices\"", "pizza"),
    ];
    for (query, keys) in queries {
        assert_eq!(library.found(query), keys, "{query}");
    }
    assert_eq!(library.keys(".NET")[0], "net");
    assert_eq!(marks(&library, "usbc"), ["USB-C"]);
    assert_eq!(marks(&library, "🍕"), ["🍕"]);
    assert_eq!(marks(&library, "\"love slices\" 🍕"), ["love 🍕 slices"]);
}

#[test]
fn beginnings_and_spellings_stand_for_words_of_the_index() {
    let texts = [
        ("granite", "The stones were cut from granite"),
        ("grand", "A grand opening in Granada"),
        ("hash", "commit 9f86d081884c7d65 broke it"),
        ("program", "Programming a mill"),
    ];
    let library = library("en", &texts);
    assert_eq!(library.found("gran*"), "grand granite");
    assert_eq!(library.found("GRÁN* opening"), "grand");
    assert_eq!(library.found("text:9f86d08*"), "hash");
    assert_eq!(library.found("-gran* mill"), "program");
    assert_eq!(library.found("nothing*"), "");
    assert_eq!(library.found("programing~1"), "program");
    assert_eq!(library.found("grenit~2"), "granite");
    assert_eq!(library.found("grenit~1"), "");
    assert_eq!(marks(&library, "gran* cut"), ["cut", "granite"]);
    assert_eq!(library.search("g*").warnings.len(), 1);
}

#[test]
fn words_of_a_phrase_may_stand_apart_where_this_is_asked() {
    let texts = [("near", "the foo and the bar gadget"), ("far", "the foo is one thing and quite another is a gadget")];
    let library = library("en", &texts);
    assert_eq!(library.found("\"foo gadget\""), "");
    assert_eq!(library.found("\"foo gadget\"~3"), "near");
    assert_eq!(library.found("text:\"foo gadget\"~10"), "far near");
    assert_eq!(marks(&library, "\"foo gadget\"~3"), ["foo", "gadget"]);
}

#[test]
fn a_slip_is_told_where_few_documents_match() {
    let mut texts = vec![("rare", "A stoni of grain")];
    let keys: Vec<String> = (0..30).map(|n| format!("d{n:02}")).collect();
    texts.extend(keys.iter().map(|key| (key.as_str(), "The stone mills grind the granite of Zürich")));
    let library = library("en", &texts);
    let suggestion = |query: &str| library.search(query).suggestion;
    assert_eq!(suggestion("graniet stonne"), Some("granite stone".into()));
    assert_eq!(suggestion("granitte zurch"), Some("granite zurich".into()));
    assert_eq!(suggestion("stoni"), Some("stone".into()), "a rare word beside a common one");
    for fine in ["granite", "mill", "xyzzyx", "grinding", "granit", "\"graniet\"", "-graniet stone", "of", ""] {
        assert_eq!(suggestion(fine), None, "{fine}");
    }
}

#[test]
fn a_phrase_ends_with_the_line() {
    let library = library("en", &[("lines", "The old mill\nStone bridge\nA stone mill.\nNext to it, a weir.")]);
    assert_eq!(library.found("\"stone mill\" \"old mill\" \"a weir\""), "lines");
    for across in ["\"mill stone\"", "\"bridge a\"", "\"mill next\"", "\"mill weir\"~10"] {
        assert_eq!(library.found(across), "", "{across}");
    }
}

#[test]
fn a_snippet_does_not_repeat_the_title() {
    let text = "News\nThe old mill\nIt stands beside the river, and the old mill grinds wheat.";
    let library = Library::of(&[page("mill", "The old mill | Valley Post", text)]);
    let snippet = library.search("mill").hits.remove(0).snippet;
    assert_eq!(snippet.text, "It stands beside the river, and the old mill grinds wheat.");
    assert_eq!(snippet.ranges.len(), 1);
}

#[test]
fn hits_are_ordered_by_price_either_way_and_those_without_one_come_last() {
    let product = |key: &str, price: Option<f64>| IndexDocument {
        kind: DocumentKind::Product,
        attributes: price
            .into_iter()
            .map(|price| ProductAttribute {
                canonical: "price".into(),
                number: Some(price),
                ..ProductAttribute::new("Preis", "x")
            })
            .collect(),
        ..page(key, "Mill", "A mill.")
    };
    let shop = [
        product("dear", Some(1200.5)),
        product("none", None),
        product("cheap", Some(9.99)),
        product("mid", Some(48.0)),
    ];
    let library = Library::of(&shop);
    let keys = |sort| -> Vec<String> {
        let query = SearchQuery { text: "mill".into(), sort, ..SearchQuery::default() };
        library.reader.search(&query).unwrap().hits.into_iter().map(|hit| hit.key).collect()
    };
    assert_eq!(keys(Sort::Price), ["cheap", "mid", "dear", "none"]);
    assert_eq!(keys(Sort::PriceDescending), ["dear", "mid", "cheap", "none"]);
}

#[test]
fn documents_are_found_by_time_of_day_and_by_today() {
    let at = |key: &str, time: &str| IndexDocument {
        published: Some(parse_period(time).unwrap().start),
        ..page(key, "T", "mill")
    };
    let library =
        Library::of(&[at("eve", "2026-11-25T23:59"), at("morning", "2026-11-26T09:30"), at("noon", "2026-11-26T12")]);
    let found = |text: &str| {
        let now = parse_period("2026-11-26T18:00").map(|period| period.start);
        let results = library.reader.search(&SearchQuery { text: text.into(), now, ..SearchQuery::default() }).unwrap();
        let mut keys: Vec<String> = results.hits.into_iter().map(|hit| hit.key).collect();
        keys.sort();
        (keys.join(" "), results.warnings.len())
    };
    let cases = [
        ("date:today", "morning noon"),
        ("date:yesterday", "eve"),
        ("date:>=yesterday", "eve morning noon"),
        ("date:2026-11-26T09", "morning"),
        ("date:2026-11-26T09:30..2026-11-26T11", "morning"),
        ("date:>2026-11-26T09:30", "noon"),
        ("date:2026-11-26T00:59+01:00", "eve"),
    ];
    for (query, keys) in cases {
        assert_eq!(found(query), (keys.to_owned(), 0), "{query}");
    }
    assert_eq!(library.search("date:today").warnings.len(), 1, "without a clock nobody knows");
}
