//! `gristmill extract` as a person would use it.

use crate::common;

use std::process::Output;

use common::{finish, gristmill, text};

const PAGE: &str = "<title>Mills of the valley</title><nav><a href=/>Home</a> <a href=/n>News</a></nav>
    <div><h1>Mills of the valley</h1><p>The mill grinds grain, day and night, and its stones turn slowly.</p>
    <p>Nobody knew, they said, when it was built.</p></div><div>About us</div>";

fn extract(arguments: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, PAGE).unwrap();
    let mut command = gristmill();
    command.arg("extract").arg(&page).args(arguments);
    finish(command)
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_method_extracts() {
    for method in gristmill_extract::methods() {
        let name = method.name;
        let answer: serde_json::Value =
            serde_json::from_str(&stdout(&extract(&["--method", name, "--format", "json"]))).unwrap();
        assert!(answer["text"].as_str().unwrap().contains("The mill grinds grain"), "{name}: {answer}");
    }
}

#[test]
fn the_settings_name_the_method_unless_the_command_line_does() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, PAGE).unwrap();
    let method = |arguments: &[&str]| {
        let mut command = gristmill();
        command.env("GRISTMILL__EXTRACTOR__METHOD", "sun").arg("extract").arg(&page).args(["--format", "json"]);
        let answer: serde_json::Value = serde_json::from_str(&stdout(&finish({
            command.args(arguments);
            command
        })))
        .unwrap();
        answer["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(method(&[]), "sun");
    assert_eq!(method(&["--method", "lori"]), "lori");
}

#[test]
fn markdown_has_the_title_once() {
    let titles = |arguments: &[&str]| stdout(&extract(arguments)).matches("Mills of the valley").count();
    assert_eq!(titles(&["--format", "markdown", "--method", "plain"]), 1);
    assert_eq!(titles(&["--format", "markdown", "--method", "lori"]), 1);
    assert_eq!(titles(&["--format", "markdown", "--drop", "headings"]), 0);
}

#[test]
fn a_packed_page_is_unpacked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, PAGE.as_bytes()).unwrap();
    std::fs::write(&file, packed.finish().unwrap()).unwrap();
    let mut command = gristmill();
    command.arg("extract").arg(&file);
    assert!(stdout(&finish(command)).contains("The mill grinds grain"));
}

/// Files of every kind in a folder: two pages, and what has no text.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let oats = PAGE.replace("The mill grinds grain", "The mill grinds oats");
    let files: [(&str, &[u8]); 7] = [
        ("rye.html", PAGE.as_bytes()),
        ("oats.html", oats.as_bytes()),
        ("a.pdf", b"%PDF-1.7\n1 0 obj <</Title (Mill)>> stream of words endstream"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR some letters here"),
        ("a.zip", b"PK\x03\x04 more letters"),
        ("a.bin", b"\x01\x02\0\0\x03 letters"),
        ("empty.html", b""),
    ];
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

fn extract_in(dir: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = gristmill();
    command.current_dir(dir).arg("extract").args(arguments);
    finish(command)
}

#[test]
fn what_has_no_text_prints_nothing_says_why_and_ends_with_1() {
    let dir = folder();
    for (file, reason) in [
        ("a.pdf", "this is a PDF"),
        ("a.png", "this is a picture (PNG)"),
        ("a.zip", "a ZIP archive"),
        ("a.bin", "bytes that are no text"),
        ("empty.html", "no text on the page"),
        ("absent.html", "could not read `absent.html`"),
    ] {
        let output = extract_in(dir.path(), &[file]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains(reason), "{file}: {}", text(&output));
        assert!(String::from_utf8_lossy(&output.stdout).trim().is_empty(), "{file}: {}", text(&output));
    }
}

#[test]
fn several_files_are_told_apart_and_one_without_text_does_not_stop_the_rest() {
    let dir = folder();
    let told = stdout(&extract_in(dir.path(), &["rye.html", "oats.html"]));
    let (rye, oats) = told.split_once("\n==> oats.html <==\n").unwrap_or_else(|| panic!("{told}"));
    assert!(
        rye.starts_with("==> rye.html <==\n") && rye.contains("grinds grain") && oats.contains("grinds oats"),
        "{told}"
    );
    assert!(!stdout(&extract_in(dir.path(), &["rye.html"])).contains("==>"));

    let output = extract_in(dir.path(), &["rye.html", "a.pdf", "oats.html", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let answers: Vec<serde_json::Value> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<&str> = answers.iter().map(|answer| answer["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["rye.html", "a.pdf", "oats.html"]);
    assert!(answers[1]["reason"].as_str().unwrap().contains("a PDF") && answers[1]["text"] == "");
    assert!(answers[2]["text"].as_str().unwrap().contains("grinds oats"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 of 3 inputs gave no text"), "{}", text(&output));

    let one = extract_in(dir.path(), &["rye.html", "--url", "https://a.example/rye", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&stdout(&one)).unwrap();
    assert_eq!((answer["file"].as_str(), answer["url"].as_str()), (Some("rye.html"), Some("https://a.example/rye")));
}

#[test]
fn the_help_of_batch_names_its_fields_and_pages_come_and_go_inline() {
    let mut command = gristmill();
    command.args(["extract", "--help"]);
    let help = stdout(&finish(command));
    let (_, batch) = help.split_once("--batch\n").unwrap_or_else(|| panic!("{help}"));
    let batch = batch.split("--threads").next().unwrap();
    let dir = folder();
    let requests = dir.path().join("requests.jsonl");
    let request =
        serde_json::json!({"id": 7, "html": PAGE, "url": "https://a.example/", "anchor_title": "Mills", "parts": true});
    std::fs::write(&requests, format!("{request}\n")).unwrap();
    let mut command = gristmill();
    command.args(["extract", "--batch", "--format", "markdown"]).stdin(std::fs::File::open(&requests).unwrap());
    let answer: serde_json::Value = serde_json::from_str(&stdout(&finish(command))).unwrap();
    assert_eq!(answer["id"], 7);
    assert!(answer["markdown"].as_str().unwrap().contains("The mill grinds grain"), "{answer}");
    let of_page = stdout(&extract(&["--format", "json"]));
    let of_page: serde_json::Value = serde_json::from_str(&of_page).unwrap();
    let fields = request.as_object().unwrap().keys().chain(answer.as_object().unwrap().keys());
    for field in fields.filter(|field| of_page.get(field.as_str()).is_none()) {
        assert!(batch.contains(&format!("`{field}")) || batch.contains(field.as_str()), "`{field}` is not in: {batch}");
    }
}

#[test]
fn threads_without_a_batch_are_refused() {
    let output = extract(&["--threads", "2"]);
    assert!(!output.status.success() && text(&output).contains("--threads"), "{}", text(&output));
}

#[test]
fn the_whole_page_is_shown_with_the_kept_parts_marked_and_these_alone_as_html() {
    let html = stdout(&extract(&["--method", "twcem", "--format", "marked"]));
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert!(html.contains("<p><mark>The mill grinds grain, day and night"), "{html}");
    assert!(html.contains("<p>About us</p>"), "{html}");
    let clean = stdout(&extract(&["--method", "twcem", "--format", "html"]));
    assert!(clean.contains("<p>The mill grinds grain") && !clean.contains("About us"), "{clean}");
}

#[test]
fn parts_of_the_structure_can_be_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let table = "<table><tr><th>Stone<th>Turns<tr><td>upper<td>forty</table>";
    std::fs::write(&page, format!("{PAGE}{table}<p>See <a href=/x>the stones</a>.</p><img src=/i.png><p>End.</p>"))
        .unwrap();
    let run = |arguments: &[&str]| {
        let mut command = gristmill();
        command.args(["extract", "--method", "plain"]).arg(&page).args(arguments);
        stdout(&finish(command))
    };
    let markdown = run(&["--format", "markdown"]);
    assert!(markdown.contains("See [the stones](/x).") && markdown.contains("| upper | forty |"), "{markdown}");
    let markdown = run(&["--format", "markdown", "--drop", "links,tables", "--images"]);
    assert!(markdown.contains("See the stones.\n\n![](/i.png)\n\nEnd."), "{markdown}");
    assert!(!run(&["--drop", "tables"]).contains("forty"));
    let answer: serde_json::Value = serde_json::from_str(&run(&["--drop", "tables", "--format", "json"])).unwrap();
    assert!(!answer["text"].as_str().unwrap().contains("forty"), "{answer}");
}

/// A story with what readers wrote below it.
const STORY: &str = "<title>The clock stands still | Post</title><nav><a href=/>Home</a> <a href=/n>News</a></nav><main><article>
    <h1>The clock stands still</h1><p>The clock of the old station has stood still since Sunday, and nobody knows who has the
    key to its case. The railway says that it belongs to the town, and the town that it belongs to the railway.</p>
    <p>Travellers set their watches by the bell of the abbey, which is four minutes late. The council will speak about it.</p>
    <p>The case was opened for the last time in spring, when a clockmaker from the next town oiled the wheels and took a photograph
    of them.</p><div id=comments><h3>2 comments</h3><div class=comment><p>I have lived here for forty years and the clock was never right
    in any of them, so why does it matter now? The trains were never on time either, and we caught them all the same, because
    everybody left home ten minutes early and had a coffee at the counter.</p><p class=posted>Posted by: <b class=author>Bo</b> | <time
    datetime=2024-05-01>1 May 2024</time></p></div><div class=comment><p>My father had the key. He gave it to the station
    master in 1971, who gave it to his son, I believe. He moved to the coast some years ago, and when I met him there last
    summer he said that he still had it in a drawer, together with the whistle.</p><p class=posted>Posted by: <b class=author>Cy Miller</b> | <time
    datetime=2024-05-02>2 May 2024</time></p></div></div></article></main>";

#[test]
fn comments_of_readers_stand_apart_until_flag_or_setting_includes_them() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    std::fs::write(&page, STORY).unwrap();
    let run = |setting: &str, arguments: &[&str]| {
        let mut command = gristmill();
        command.env("GRISTMILL__EXTRACTOR__COMMENTS", setting).arg("extract").arg(&page).args(arguments);
        stdout(&finish(command))
    };
    for format in ["text", "markdown", "html"] {
        let plain = run("false", &["--format", format]);
        assert!(plain.contains("four minutes late") && !plain.contains("forty years"), "{format}: {plain}");
        assert!(run("false", &["--format", format, "--include", "comments"]).contains("forty years"), "{format}");
        assert!(run("true", &["--format", format]).contains("forty years"), "{format}");
        assert!(!run("true", &["--format", format, "--drop", "comments"]).contains("forty years"), "{format}");
    }
    let answer: serde_json::Value = serde_json::from_str(&run("false", &["--format", "json"])).unwrap();
    assert!(!answer["text"].as_str().unwrap().contains("forty years"), "{answer}");
    assert_eq!(answer["comments"][1]["author"], "Cy Miller", "{answer}");
    let batch = |arguments: &[&str]| -> serde_json::Value {
        let requests = dir.path().join("requests");
        std::fs::write(&requests, serde_json::json!({"id": 1, "path": page}).to_string()).unwrap();
        let mut command = gristmill();
        command.args(["extract", "--batch"]).args(arguments).stdin(std::fs::File::open(requests).unwrap());
        serde_json::from_str(&stdout(&finish(command))).unwrap()
    };
    let answer = batch(&[]);
    assert!(!answer["text"].as_str().unwrap().contains("forty years"), "{answer}");
    assert!(answer["comments"][0]["text"].as_str().unwrap().contains("forty years"), "{answer}");
    assert!(batch(&["--include", "comments"])["text"].as_str().unwrap().contains("forty years"));
}

#[test]
fn the_trace_shows_the_numbers_of_the_method() {
    let output = extract(&["--method", "vsse(refine=off)", "--trace"]);
    assert!(stdout(&output).contains("Nobody knew"));
    let trace = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(trace.contains("\nratios = [0, 0, 0, 1, ") && trace.contains("\npath = html body div p\n"), "{trace}");
    let answer: serde_json::Value =
        serde_json::from_str(&stdout(&extract(&["--method", "sun", "--trace", "--format", "json"]))).unwrap();
    let names: Vec<&str> = answer["trace"].as_array().unwrap().iter().map(|pair| pair[0].as_str().unwrap()).collect();
    assert!(names.contains(&"container"), "{names:?}");
}

#[test]
fn the_words_of_a_home_page_do_not_replace_what_the_page_calls_itself() {
    let title = |arguments: &[&str]| {
        let output = extract(&[&["--format", "json", "--trace"], arguments].concat());
        let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        answer["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(title(&[]), "Mills of the valley");
    for anchor in ["Old mills still grind", "Live updates", "Picture of the day", "Read more"] {
        assert_eq!(title(&["--anchor-title", anchor]), "Mills of the valley", "{anchor}");
    }
}

#[test]
fn a_parameter_that_does_not_exist_is_refused_with_those_that_do() {
    let output = extract(&["--method", "vsse(t3=1)"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("no parameter `t3`; it has `unit`, `t1`"),
        "{}",
        text(&output)
    );
}

/// The example of `docs/rendering.md`.
#[test]
fn a_side_car_is_extracted_and_clg_works_on_its_boxes() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rendering.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let example = manual.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let sidecar = dir.path().join("page.layout.json");
    std::fs::write(&sidecar, example).unwrap();
    let run = |method: &str| {
        let mut command = gristmill();
        command.args(["extract", "--method", method, "--layout"]).arg(&sidecar);
        finish(command)
    };
    assert!(!stdout(&run("plain")).trim().is_empty());
    assert_eq!(String::from_utf8_lossy(&run("clg").stderr), "");
    let unused = run("clg-nolayout");
    assert!(String::from_utf8_lossy(&unused.stderr).contains("`clg-nolayout` does not use the layout side-car"));
    std::fs::write(&sidecar, "{\"format\":").unwrap();
    assert!(String::from_utf8_lossy(&run("plain").stderr).contains("page.layout.json"));
}

const SHOP: &str = "<h1>Hand mill</h1><p>$49.00</p><button>Add to cart</button><div class=ad><p>Soap, they say, cleans.</p></div>
    <table><tr><th>Brand</th><td>Stein</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Colour</th><td>Black</td></tr>
    <tr><th>Material</th><td>Cast iron</td></tr></table><p>The mill is made of cast iron, and it grinds rye, wheat and oats as
    coarse or as fine as you like. It stands on any table, and its handle is of beech. Clean it with a dry brush.</p>
    <p class=now>45.00</p>";

/// Extracts the shop page under a URL of `shop.example`, with a settings file.
fn extract_shop(settings: &str, arguments: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let (page, config) = (dir.path().join("page.html"), dir.path().join("gristmill.toml"));
    std::fs::write(&page, SHOP).unwrap();
    std::fs::write(&config, settings).unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(&config).arg("extract").arg(&page);
    command.args(["--url", "https://www.shop.example/mill"]).args(arguments);
    finish(command)
}

#[test]
fn explain_names_the_layout_of_each_pair() {
    let explained = stdout(&extract_shop("", &["--explain"]));
    let line = |start: &str| {
        let mut lines = explained.lines().filter(|line| line.trim_start().starts_with(start));
        lines.next().unwrap_or_else(|| panic!("no `{start}` in {explained}")).to_owned()
    };
    assert!(line("kind\tproduct").contains("judged"));
    let weight = line("Weight");
    assert!(weight.contains("1.2 kg\ttable-row") && weight.ends_with("body/table/tbody/tr[2]"), "{weight}");
    assert!(line("price").contains("49.00 USD"));
    let area = line("area 1");
    assert!(area.contains("characteristic leaves") && area.contains("body ") && area.contains("> table "), "{area}");
}

#[test]
fn title_author_and_date_name_their_sources() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let head = "<meta name=author content='Jane Doe'><time datetime=2024-05-17>May</time>";
    std::fs::write(&page, format!("{head}{PAGE}")).unwrap();
    let answer = |arguments: &[&str]| {
        let mut command = gristmill();
        command.arg("extract").arg(&page).args(arguments);
        stdout(&finish(command))
    };
    let json: serde_json::Value = serde_json::from_str(&answer(&["--format", "json"])).unwrap();
    assert_eq!((json["author"].as_str(), json["published"].as_str()), (Some("Jane Doe"), Some("2024-05-17")));
    let explained = answer(&["--explain"]);
    for (field, source) in [("title", "heading"), ("author", "meta"), ("published", "time-element")] {
        let of = &json["sources"][field];
        let confidence = of["confidence"].as_f64().unwrap();
        assert!(of["source"] == source && (0.0..=1.0).contains(&confidence), "{field}: {of}");
        let line = format!("{field}\t{}\t{source}\tconfidence {confidence:.2}", json[field].as_str().unwrap());
        assert!(explained.lines().any(|other| other == line), "{line} in {explained}");
    }
    let bare = stdout(&extract(&["--format", "json"]));
    let bare: serde_json::Value = serde_json::from_str(&bare).unwrap();
    assert!(bare["sources"]["author"].is_null() && bare["sources"]["published"].is_null(), "{bare}");
}

#[test]
fn the_rules_of_a_site_decide_and_explain_names_them() {
    let rules = "[[sites]]\nhosts = ['*.shop.example']\nprice = '.now'\nremove = ['.ad']\n\
        attributes = [{ label = 'Make', value = 'tr:first-child td' }]\n";
    let explained = stdout(&extract_shop(rules, &["--explain"]));
    assert!(explained.contains("Make [brand]\tStein\tsites[0].attributes[0]\t1.00\tbody/table"), "{explained}");
    assert!(explained.contains("45.00 USD\tsites[0].price"), "{explained}");
    assert!(!explained.lines().any(|line| line.starts_with("  Weight")), "{explained}");
    assert!(!stdout(&extract_shop(rules, &["--format", "text"])).contains("Soap"));
    let no_product = "[[sites]]\nhosts = ['*.shop.example']\nkind = 'article'\n";
    let answer: serde_json::Value =
        serde_json::from_str(&stdout(&extract_shop(no_product, &["--format", "json"]))).unwrap();
    assert_eq!((answer["kind"].as_str(), answer["records"].as_array().map(Vec::len)), (Some("article"), Some(0)));
}

#[test]
fn a_rule_that_cannot_be_used_stops_with_its_place() {
    let output = extract_shop("[[sites]]\nhosts = ['a.test']\nprice = 'p['\n", &[]);
    assert!(!output.status.success());
    assert!(text(&output).contains("sites[0].price"), "{}", text(&output));
    let said = |rule: &str| text(&extract_shop(&format!("[[sites]]\nhosts = ['a.test']\n{rule}\n"), &[]));
    let wrong = [
        ("remove = ['']", "it is missing or empty"),
        ("title = 'h1::text'", "only `::attr(NAME)`"),
        ("price = 'p >'", "it does not read as CSS"),
    ];
    for (rule, reason) in wrong {
        assert!(said(rule).contains(reason) && !said(rule).contains("developer"), "{rule}: {}", said(rule));
    }
    let output = extract_shop("[[sites]]\nhosts = ['a.test']\nprize = 'p'\n", &[]);
    assert!(!output.status.success() && text(&output).contains("prize"), "{}", text(&output));
}
