//! `gristmill crawl --render`: shops drawn by script, from their home page to product records, by real browsers.

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use common::archive::{Found, records};
use common::server::{Answer, HTML, serve};
use common::shops::{N_PRODUCTS, SHOPS, is_there, open};
use common::{LIMIT, finish, gristmill, text};
use gristmill_warc::RecordKind;
use serde_json::{Value, json};

/// A data directory, and a crawl into it.
struct Bed {
    dir: tempfile::TempDir,
}

impl Bed {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn command(&self, arguments: &[&str], more: &str) -> Command {
        let settings = self.dir.path().join("gristmill.toml");
        std::fs::write(&settings, more).unwrap();
        let mut command = gristmill();
        command.arg("--config").arg(settings).arg("--data").arg(self.dir.path().join("data"));
        command.args(["crawl", "--allow-private", "--delay", "20ms"]).args(arguments);
        command
    }

    fn crawl(&self, arguments: &[&str], more: &str) -> std::process::Output {
        finish(self.command(arguments, more))
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = self.crawl(arguments, "");
        assert!(output.status.success(), "{}", text(&output));
        text(&output)
    }

    fn status(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.dir.path().join("data/status.json")).unwrap()).unwrap()
    }

    /// What `gristmill explain` says of a URL.
    fn explain(&self, url: &str) -> String {
        let mut command = gristmill();
        command.arg("--data").arg(self.dir.path().join("data")).args(["explain", url]);
        text(&finish(command))
    }

    /// The documents by title.
    fn documents(&self) -> BTreeMap<String, Value> {
        let rows = self.rows().into_iter();
        rows.map(|row| (row["title"].as_str().unwrap_or_default().to_owned(), row)).collect()
    }

    fn rows(&self) -> Vec<Value> {
        let mut command = gristmill();
        command.arg("--data").arg(self.dir.path().join("data")).args(["export", "--format", "jsonl"]);
        let output = finish(command);
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn shops_drawn_by_three_frameworks_are_crawled_from_their_home_page_to_product_records() {
    if !is_there() {
        return;
    }
    let mut told = String::new();
    for shop in &SHOPS {
        let (home, asked) = open(shop);
        let bed = Bed::new();
        let out = bed.run(&[&home, "--render", "auto"]);
        let documents = bed.documents();
        for n in 0..N_PRODUCTS {
            let product = (shop.products)(n);
            let name = product["name"].as_str().unwrap();
            let found = documents.iter().find(|(title, _)| title.contains(name)).map(|(_, row)| row);
            let found = found.unwrap_or_else(|| panic!("{}: no `{name}` in {:?}\n{out}", shop.name, documents.keys()));
            assert_eq!(found["kind"], "product", "{}: {found:#}", shop.name);
            let attributes = found["attributes"].to_string();
            let pairs = product["specs"].as_array().unwrap();
            let found_pairs = pairs.iter().filter(|pair| attributes.contains(pair[1].as_str().unwrap())).count();
            assert!(found_pairs >= 4, "{}: {found_pairs} pairs of `{name}` in {attributes}", shop.name);
            let digits = format!("{}9", n + 3);
            assert!(attributes.contains(&digits), "{}: no price {digits} in {attributes}", shop.name);
        }
        let status = bed.status();
        let n_pages = N_PRODUCTS as u64 + 2;
        assert_eq!(status["fetched"], n_pages, "{}: each page once\n{out}", shop.name);
        assert_eq!(status["renders"]["rendered"], n_pages, "{}: {status:#}", shop.name);
        assert_eq!(status["renders"]["added"], n_pages, "{}: {status:#}", shop.name);
        assert_eq!(status["state"], "finished");
        let asked = asked.lock().unwrap();
        assert!(asked.iter().filter(|path| *path == "/app.js").count() == 1, "scripts are cached: {asked:?}");
        let browser = out.lines().find(|line| line.contains("browser ")).unwrap_or_default();
        writeln!(told, "{}: {} requests; {browser}", shop.name, asked.len()).unwrap();
    }
    eprintln!("{told}");
}

/// The program is killed while a page is drawn, again and again, each time a little later.
#[test]
fn a_crawl_with_browsers_that_is_killed_goes_on_and_loses_nothing() {
    if !is_there() {
        return;
    }
    let shop = &SHOPS[0];
    let (home, asked) = open(shop);
    let bed = Bed::new();
    let n_data =
        |asked: &Mutex<Vec<String>>| asked.lock().unwrap().iter().filter(|path| path.starts_with("/api/")).count();
    for kill_at in [1, 3, 6] {
        let mut command = bed.command(&[&home, "--render", "auto"], "");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while n_data(&asked) < kill_at && child.try_wait().unwrap().is_none() && begun.elapsed() < LIMIT {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let out = bed.run(&[&home, "--render", "auto"]);
    let documents = bed.documents();
    for n in 0..N_PRODUCTS {
        let product = (shop.products)(n);
        let name = product["name"].as_str().unwrap();
        let found = documents.iter().find(|(title, _)| title.contains(name)).map(|(_, row)| &row["kind"]);
        assert_eq!(found, Some(&json!("product")), "{name}\n{out}");
    }
    assert_eq!(documents.len(), N_PRODUCTS + 2, "{documents:#?}");
}

#[test]
fn a_drawn_page_is_archived_beside_the_answer_that_it_was_drawn_from() {
    if !is_there() {
        return;
    }
    let (home, _) = open(&SHOPS[2]);
    let bed = Bed::new();
    let folder = bed.dir.path().join("archive");
    bed.run(&[&home, "--render", "auto", "--archive", folder.to_str().unwrap()]);
    let records = records(&folder);
    let field = |record: &Found, name: &str| {
        let found = record.fields.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let drawn: Vec<_> = records.iter().filter(|record| record.kind == RecordKind::Conversion).collect();
    assert_eq!(drawn.len(), N_PRODUCTS + 2);
    for record in drawn {
        let body = String::from_utf8_lossy(&record.body);
        assert!(body.contains("<header>") && !field(record, "X-Rendered").is_empty(), "{record:?}");
        let from = field(record, "WARC-Refers-To");
        let answer = records.iter().find(|answer| field(answer, "WARC-Record-ID") == from);
        let answer = answer.unwrap_or_else(|| panic!("{from} is not there"));
        assert!(answer.is_answer() && answer.url == record.url && answer.status() == 200, "{answer:?}");
    }
}

#[test]
fn an_archive_of_drawn_pages_gives_the_documents_of_the_crawl_again() {
    if !is_there() {
        return;
    }
    let homes = SHOPS.each_ref().map(|shop| open(shop).0);
    let bed = Bed::new();
    let folder = bed.dir.path().join("archive");
    let folder = folder.to_str().unwrap();
    bed.run(&[&homes[0], &homes[1], &homes[2], "--render", "auto", "--archive", folder, "--screenshot"]);
    let crawled = bed.rows();
    let is_drawn = |document: &&Value| document["rendered"] != Value::Null;
    assert!(crawled.iter().filter(is_drawn).count() >= SHOPS.len() * (N_PRODUCTS + 1), "{crawled:#?}");

    let again = Bed::new();
    let mut command = gristmill();
    command.arg("--data").arg(again.dir.path().join("data")).args(["import", folder]);
    let output = finish(command);
    assert!(output.status.success() && text(&output).contains("rendered"), "{}", text(&output));
    let imported = again.rows();
    let by_url = |documents: &[Value]| -> BTreeMap<String, Vec<Value>> {
        let fields =
            |document: &Value| ["title", "text", "attributes", "kind", "rendered"].map(|field| document[field].clone());
        documents.iter().map(|one| (one["url"].as_str().unwrap().to_owned(), fields(one).to_vec())).collect()
    };
    let (crawled, imported) = (by_url(&crawled), by_url(&imported));
    assert_eq!(imported.keys().collect::<Vec<_>>(), crawled.keys().collect::<Vec<_>>());
    for (url, fields) in &crawled {
        assert_eq!(&imported[url], fields, "{url}");
    }

    // Everything that scripts asked for is there too, so the pages can be drawn again without their servers.
    let records = records(std::path::Path::new(folder));
    let parts: Vec<&Found> = records.iter().filter(|found| found.fields.contains_key("WARC-Resource-Type")).collect();
    assert!(parts.iter().any(|part| part.url.contains("/api/") && part.fields["WARC-Resource-Type"] == "fetch"));
    let pictures: Vec<&Found> = records.iter().filter(|found| found.kind == RecordKind::Resource).collect();
    assert!(pictures.len() >= SHOPS.len() * (N_PRODUCTS + 1), "{} pictures", pictures.len());
    for picture in pictures {
        assert!(picture.url.starts_with("urn:fullPage:http") && picture.body.starts_with(b"\x89PNG"), "{picture:?}");
    }
    let urls: Vec<&str> = crawled.keys().map(String::as_str).collect();
    let mut command = gristmill();
    command.args(["extract", "--render", "--replay", folder, "--method", "best", "--format", "json"]).args(&urls);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let lines = String::from_utf8(output.stdout).unwrap();
    let replayed: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replayed.len(), urls.len());
    for (url, replayed) in urls.iter().zip(&replayed) {
        let [_, drawn_text, ..] = &crawled[*url][..] else { panic!("five fields") };
        assert_eq!(&replayed["text"], drawn_text, "{url}: {replayed:#}");
    }

    // Without an index each form is a row of its own.
    let rows = again.dir.path().join("rows");
    let mut command = gristmill();
    command.args(["dataset", folder, "--format", "jsonl", "--out", rows.to_str().unwrap()]);
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let files = std::fs::read_dir(rows.join("data")).unwrap().map(|entry| entry.unwrap().path());
    let lines: String = files.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let drawn = lines.lines().filter(|line| line.contains(r#""rendered":"scripts""#)).count();
    assert!(drawn >= SHOPS.len() * N_PRODUCTS, "{lines}");
}

#[test]
fn a_page_that_no_browser_can_draw_keeps_its_text_and_the_reason_is_told() {
    if !is_there() {
        return;
    }
    let address = serve(|_, path| -> Answer {
        let greedy = "<title>Greedy</title><p>The mill stands still.</p><div id=root></div>
            <script>const all = []; for (;;) all.push(new Float64Array(4e6).fill(1.5))</script>";
        match path {
            "/" => ("200 OK", HTML, greedy.to_owned()),
            _ => ("404 Not Found", "", String::new()),
        }
    });
    let home = format!("http://{address}/");
    let bed = Bed::new();
    let narrow = "[browser]\nmax_memory = 300000000\ntimeout = \"5s\"\n";
    let output = bed.crawl(&[&home, "--render", "always"], narrow);
    assert!(output.status.success(), "{}", text(&output));
    let documents = bed.documents();
    assert!(documents["Greedy"]["text"].as_str().unwrap().contains("The mill stands still."), "{documents:#?}");
    let status = bed.status();
    let renders = status["renders"].as_object().unwrap();
    assert!(!renders.contains_key("rendered") && renders.len() == 1, "{renders:?}");
    let told = bed.explain(&home);
    assert!(told.contains("did not draw it") && told.contains("as “Greedy”"), "{told}");
}

#[test]
fn a_site_that_refuses_or_wants_a_password_only_of_browsers_keeps_the_text_it_sent() {
    if !is_there() {
        return;
    }
    let seen = Mutex::new(0);
    let address = serve(move |_, path| -> Answer {
        let long = "The mill stands by the river, and its stones turn from March to October. ".repeat(8);
        let page = |title: &str, script: &str| {
            let body = format!("<title>{title}</title><div id=root><p>{long}</p></div><script>{script}</script>");
            ("200 OK", HTML, body)
        };
        match path {
            "/" => page(
                "Home",
                "document.body.insertAdjacentHTML('beforeend', '<a href=/login></a><a href=/data></a><a href=/once></a>')",
            ),
            "/login" => page("Wall", "root.innerHTML = '<form>Please log in <input type=password></form>'"),
            "/data" => page("Data", "fetch('/api').then(r => { root.textContent = r.ok ? 'yes' : 'no' })"),
            "/api" => ("403 Forbidden", "", String::new()),
            "/once" => {
                let mut seen = seen.lock().unwrap();
                *seen += 1;
                if *seen == 1 {
                    page("Once", "")
                } else {
                    ("403 Forbidden", HTML, "<p>No browsers here.</p>".to_owned())
                }
            }
            _ => ("404 Not Found", "", String::new()),
        }
    });
    let home = format!("http://{address}/");
    let bed = Bed::new();
    let output = bed.crawl(&[&home, "--render", "always"], "");
    assert!(output.status.success(), "{}", text(&output));
    let documents = bed.documents();
    for title in ["Home", "Wall", "Data", "Once"] {
        let document = &documents[title];
        assert!(document["text"].as_str().unwrap().contains("by the river"), "{title}: {document:#?}");
        assert_eq!(document["rendered"], Value::Null, "{title}");
    }
    let status = bed.status();
    let of = |result: &str| status["renders"][result].as_u64().unwrap_or(0);
    assert_eq!((of("login"), of("denied"), of("no_page"), of("no_gain")), (1, 1, 1, 1), "{status:#}");
    let told = bed.explain(&format!("{home}once"));
    assert!(told.contains("403") && told.contains("as “Once”"), "{told}");
}

#[test]
fn a_site_that_draws_something_else_each_time_is_told() {
    if !is_there() {
        return;
    }
    let visits = Mutex::new(0);
    let address = serve(move |_, path| -> Answer {
        let page = |title: &str, script: &str| {
            ("200 OK", HTML, format!("<title>{title}</title><div id=root></div><script>{script}</script>"))
        };
        match path {
            "/" => page(
                "Steady",
                "root.innerHTML = '<p>The mill grinds rye in March.</p>'.repeat(9) + '<a href=/other></a>'",
            ),
            "/other" => {
                page("Fickle", "fetch('/words').then(r => r.text()).then(words => { root.textContent = words })")
            }
            "/words" => {
                let mut visits = visits.lock().unwrap();
                *visits += 1;
                ("200 OK", "Content-Type: text/plain\r\n", format!("The mill grinds word{visits} today. ").repeat(9))
            }
            _ => ("404 Not Found", "", String::new()),
        }
    });
    let home = format!("http://{address}/");
    let bed = Bed::new();
    let output = bed.crawl(&[&home, "--render", "always"], "[renderer]\ntwice_every = 1\n");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains(", differs 1"), "{}", text(&output));
    assert_eq!(bed.status()["renders"]["differs"], 1);
    let fickle = &bed.documents()["Fickle"];
    assert!(
        fickle["text"].as_str().unwrap().starts_with("The mill grinds word1 today."),
        "the first drawing: {fickle:#}"
    );
    for (path, told) in [("other", "and a second time with only 80 % of the same words"), ("", "drew it")] {
        let out = bed.explain(&format!("{home}{path}"));
        assert!(out.contains(told) && out.contains("second time") == (path == "other"), "{out}");
    }
}

#[test]
fn without_chromium_auto_goes_on_and_tells_and_always_refuses() {
    let (home, _) = open(&SHOPS[2]);
    let none = "[browser]\nprogram = \"/nowhere/chromium\"\n";
    let bed = Bed::new();
    let refused = bed.crawl(&[&home, "--render", "always"], none);
    assert!(!refused.status.success(), "{}", text(&refused));
    let told = text(&refused);
    assert!(told.contains("extractor.render") && told.contains("browser"), "{told}");
    for (render, goes_on) in [("always", false), ("auto", true)] {
        let bed = Bed::new();
        let mut command = bed.command(&[&home, "--render", render], "");
        command.env("PATH", "/nowhere");
        let output = finish(command);
        let told = text(&output);
        assert_eq!(output.status.success(), goes_on, "{told}");
        assert!(told.contains("chromium-headless-shell"), "{told}");
        assert_eq!(told.contains("1 pages need a browser"), goes_on, "{told}");
    }
}

#[test]
fn a_crawl_without_browsers_draws_nothing_and_waits_for_nothing() {
    let (home, _) = open(&SHOPS[2]);
    let bed = Bed::new();
    let out = bed.run(&[&home]);
    let status = bed.status();
    assert_eq!(
        (status["fetched"].as_u64(), status["renders"].as_object().map(serde_json::Map::len)),
        (Some(1), Some(0))
    );
    assert_eq!(status["missed"], 0, "nobody asked\n{out}");
}
