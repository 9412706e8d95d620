//! Pages that say what others say: for whom they are left out, and that `explain` tells it.

use crate::common;

use common::server::{HTML, serve};
use common::{finish, gristmill, text};

const WORDS: &str = "The mill stands beside the river and grinds wheat for the bakers of the village every morning. Its two stones \
    were cut from granite, and the miller dresses them with a hammer each winter, when the water is low.";

fn article(title: &str, head: &str, words: &str) -> String {
    format!("<!doctype html><html lang=en><title>{title}</title>{head}<article><h1>{title}</h1><p>{words}</article>")
}

/// The URLs that stand in the index after a crawl of the site at `origin`, and what the data directory is.
fn crawled(origin: &str) -> (tempfile::TempDir, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.args(["crawl", "--allow-private", "--delay", "0s", "--data"]).arg(dir.path()).arg(format!("{origin}/"));
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let mut export = gristmill();
    export.arg("--data").arg(dir.path()).arg("export");
    let told = text(&finish(export));
    let rows = told.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut urls: Vec<String> =
        rows.map(|row| row["url"].as_str().unwrap_or_default().replacen(origin, "", 1)).collect();
    urls.sort();
    (dir, urls)
}

fn explained(dir: &tempfile::TempDir, url: &str) -> String {
    let mut explain = gristmill();
    explain.arg("--data").arg(dir.path()).args(["explain", url]);
    text(&finish(explain))
}

#[test]
fn a_page_is_left_out_for_its_canonical_one_by_head_or_header_and_stays_where_that_one_says_something_else() {
    let named = |path: &str| format!("<link rel=canonical href={path}>");
    let address = serve(move |_, path| {
        let links = ["/rye", "/rye?ref=mail", "/header", "/list?page=2", "/list", "/lost"];
        let links: String = links.map(|path| format!("<a href={path}>on</a>")).concat();
        let body = match path {
            "/" => article("The mill", &links, "We grind rye, oats and spelt, and sell flour on Fridays in the yard."),
            "/rye" => article("Rye", "", WORDS),
            "/rye?ref=mail" => article("Rye", &named("/rye"), WORDS),
            "/header" => {
                return (
                    "200 OK",
                    "Content-Type: text/html\r\nLink: </rye>; rel=canonical\r\n",
                    article("Rye", "", WORDS),
                );
            }
            "/list" => {
                article("News", "", "Storm breaks the wheel. A new wheel is made of oak by the joiner of the town.")
            }
            "/list?page=2" => article("News", &named("/list"), "A thief took the scales. Prices of oats rise in May."),
            "/lost" => article("Lost", &named("/nowhere"), "The key of the upper door was found below the stairs."),
            _ => return ("404 Not Found", HTML, String::new()),
        };
        ("200 OK", HTML, body)
    });
    let origin = format!("http://{address}");
    let (dir, urls) = crawled(&origin);
    assert_eq!(urls, ["/", "/list", "/list?page=2", "/lost", "/rye"]);
    for path in ["/rye?ref=mail", "/header"] {
        let told = explained(&dir, &format!("{origin}{path}"));
        assert!(told.contains(&format!("it names {origin}/rye as its canonical page, which says the same")), "{told}");
    }
    let told = explained(&dir, &format!("{origin}/lost"));
    assert!(
        told.contains(&format!("It names {origin}/nowhere as its canonical page, and stays all the same")),
        "{told}"
    );
}

/// The words are of no language that any list knows.
#[test]
fn a_login_that_answers_for_many_addresses_is_no_document_and_a_notice_is_one() {
    let address = serve(|_, path| {
        let links = |kind: &str| (0..30).map(|n| format!("<a href=/{kind}/{n}>{n}</a>")).collect::<String>();
        let body = match path {
            "/" => article("The mill", &(links("members") + &links("lost") + &links("page")), WORDS),
            path if path.starts_with("/members/") => article(
                "Enirejo de la muelejo",
                "",
                "Bonvolu tajpi vian nomon kaj vian pasvorton por legi.<form><input name=nomo><input type=password></form>",
            ),
            path if path.starts_with("/lost/") => {
                article("Pardonu", "", "Tiu paĝo ne plu estas ĉi tie, aŭ ĝi neniam estis ĉi tie. Bonvolu serĉi alie.")
            }
            path => {
                let letters: String = path.bytes().map(|byte| char::from(b'a' + byte % 26)).collect();
                article(&format!("Piece {letters}"), "", &format!("{letters} is what this one is about. {WORDS}"))
            }
        };
        ("200 OK", HTML, body)
    });
    let origin = format!("http://{address}");
    let (dir, urls) = crawled(&origin);
    let count = |kind: &str| urls.iter().filter(|url| url.starts_with(kind)).count();
    assert_eq!([count("/members/"), count("/lost/"), count("/page/")], [0, 1, 30], "{urls:?}");
    let told = explained(&dir, &format!("{origin}/members/7"));
    assert!(told.contains("ask for a password in the same words"), "{told}");
    let told = explained(&dir, &format!("{origin}/lost/29"));
    assert!(told.contains("many addresses of its site say the same"), "{told}");
}

#[test]
fn of_the_variants_of_an_address_that_say_the_same_one_is_a_document_and_the_others_are_soon_left_out() {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = asked.clone();
    let grains = ["rye", "oats", "spelt", "wheat", "barley", "maize", "millet", "buckwheat"];
    let address = serve(move |_, path| {
        let (place, query) = path.split_once('?').unwrap_or((path, ""));
        let grain = grains.into_iter().find(|grain| place.eq_ignore_ascii_case(&format!("/{grain}")));
        count.fetch_add(
            usize::from(place != path || place.contains(char::is_uppercase)),
            std::sync::atomic::Ordering::Relaxed,
        );
        match grain {
            Some(grain) if query.is_empty() || query.starts_with("reply=") => {
                let upper = grain.to_uppercase();
                let replies: String = (0..6).map(|n| format!("<a href='/{grain}?reply={n}'>reply</a>")).collect();
                let words = format!("{} of {grain}", WORDS.replace("wheat", grain)).repeat(3);
                ("200 OK", HTML, article(grain, &format!("<a href=/{upper}>{upper}</a>{replies}"), &words))
            }
            None if path == "/" => {
                let links: String = grains.iter().map(|grain| format!("<p><a href=/{grain}>{grain}</a>")).collect();
                ("200 OK", HTML, article("The mill", &links, "We grind what grows here, and sell it on Fridays."))
            }
            _ => ("404 Not Found", HTML, String::new()),
        }
    });
    let (_dir, urls) = crawled(&format!("http://{address}"));
    let mut expected: Vec<String> = grains.iter().map(|grain| format!("/{grain}")).chain(["/".to_owned()]).collect();
    expected.sort();
    assert_eq!(urls, expected);
    let asked = asked.load(std::sync::atomic::Ordering::Relaxed);
    assert!(asked < 8 * 7 / 2, "{asked} of 56 variants were asked for");
}
