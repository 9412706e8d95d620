//! Made-up packages, and systems that answer by heart.

use std::path::Path;

use super::*;
use crate::package::GoldPage;
use crate::system::{Answer, ExtractedAttribute, System, SystemOutput};
use crate::{BatchCommand, CommandLine};

fn write(folder: &Path, id: &str, json: &str) {
    std::fs::create_dir_all(folder.join("pages")).unwrap();
    std::fs::write(folder.join(format!("pages/{id}.html")), format!("<h1>{id}</h1>")).unwrap();
    std::fs::write(folder.join(format!("pages/{id}.json")), json).unwrap();
}

/// Two shops, one page without pairs, one article.
fn packages(folder: &Path) -> Vec<RecordPage> {
    let shops = folder.join("shops");
    write(
        &shops,
        "a",
        r#"{"site":"www.acme.co.uk","language":"en","attributes":[["Brand:","Acme"],["Weight","1 kg"]],
            "optional_attributes":[["Price","3"]],"source":{"repo":"one/free"}}"#,
    );
    write(
        &shops,
        "b",
        r#"{"site":"beta.de","language":"de","attributes":[["Farbe","rot"]],"source":{"repo":"two/closed"}}"#,
    );
    write(&shops, "c", r#"{"site":"acme.com","language":"en","attributes":[]}"#);
    std::fs::write(
        shops.join("package.json"),
        r#"{"name":"shops","licence":{"one/free":"MIT","two/closed":"none stated"}}"#,
    )
    .unwrap();
    let news = folder.join("news");
    write(&news, "n", r#"{"domain":"news.example","language":"en","page_type":"article"}"#);
    let read = |folder: &Path| RecordPackage::read(folder).unwrap().pages;
    [read(&shops), read(&news)].concat()
}

fn found(pairs: &[(&str, &str)]) -> SystemOutput {
    let pair = |&(name, value): &(&str, &str)| ExtractedAttribute {
        name: name.to_owned(),
        value: value.to_owned(),
        layout: Some("dl".to_owned()),
    };
    SystemOutput { records: vec![pairs.iter().map(pair).collect()], ..SystemOutput::default() }
}

/// Two systems: one that knows the answers but for two mistakes, one that breaks down on the first page.
struct ByHeart;

impl System for ByHeart {
    fn names(&self) -> Vec<String> {
        vec!["good".to_owned(), "broken".to_owned()]
    }

    fn extract(&self, document: &GoldPage, _: &[u8]) -> Vec<Answer> {
        let good = match document.id.as_str() {
            "a" => found(&[("Brand", "Acme"), ("Brand ", "Ac me"), ("Price", "3"), ("Weight", "2 kg")]),
            "b" => found(&[("Farbe", "rot")]),
            "n" => found(&[("Says", "the mayor")]),
            _ => SystemOutput::default(),
        };
        let broken = if document.id == "a" { Err("no".to_owned()) } else { Ok(SystemOutput::default()) };
        vec![Ok(good), broken]
    }
}

fn run(folder: &Path) -> RecordRun {
    let mut pages = packages(folder);
    pages[0].layouts = vec![Some("row".to_owned()), None];
    run_records(pages, &[&ByHeart], &[], 2, &|_| ())
}

#[test]
fn descriptions_give_brand_licence_and_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let pages = packages(folder.path());
    let about: Vec<(&str, &str, bool)> =
        pages.iter().map(|page| (page.site.as_str(), page.licence.as_str(), page.is_product)).collect();
    assert_eq!(
        about,
        [
            ("acme", "MIT", true),
            ("beta", "none stated", true),
            ("acme", "unstated", true),
            ("news.example", "unstated", false)
        ]
    );
    assert_eq!(pages[0].is_right("Brand", "Ac\u{200b}me"), Some(true));
    assert_eq!((pages[0].is_right("Price", "3"), pages[0].is_right("Brand", "acme")), (None, Some(false)));
}

#[test]
fn a_broken_description_is_told_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "good", r#"{"attributes":[["a","b"]]}"#);
    write(folder.path(), "bad", r#"{"attributes":[["a"]]}"#);
    std::fs::write(folder.path().join("pages/lone.html"), "").unwrap();
    let package = RecordPackage::read(folder.path()).unwrap();
    assert_eq!((package.pages.len(), package.problems.len()), (1, 2), "{:?}", package.problems);
    assert!(RecordPackage::read(&folder.path().join("nowhere")).is_err());
}

#[test]
fn pairs_are_counted_once_and_optional_ones_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let row =
        |page: usize, system: usize| run.rows.iter().find(|row| (row.page, row.system) == (page, system)).unwrap();
    assert_eq!(row(0, 0).score, Score { right: 1, found: 2, gold: 2 });
    assert_eq!(row(0, 0).names, Score { right: 2, found: 2, gold: 2 });
    assert_eq!(row(0, 0).values, Score { right: 1, found: 2, gold: 2 });
    assert_eq!((row(0, 0).wrong.len(), row(0, 0).wrong[0].name_is_gold, &row(0, 0).missed[..]), (1, true, &[1][..]));
    assert_eq!(row(0, 1).score, Score { right: 0, found: 0, gold: 2 });
    assert_eq!(row(0, 1).error.as_deref(), Some("no"));
}

#[test]
fn micro_macro_layouts_and_negatives_are_summed_apart() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let summary = RecordSummary::new(&run);
    assert_eq!(summary.all(0), Score { right: 2, found: 3, gold: 3 }, "the article's pair is no part of it");
    let [p, r, f1] = summary.mean(GroupKey::Site, 0).unwrap();
    assert!((p - 0.75).abs() < 1e-9 && (r - 0.75).abs() < 1e-9 && (f1 - 0.75).abs() < 1e-9, "{p} {r} {f1}");
    let layouts: Vec<(&str, Score)> =
        summary.by(GroupKey::Layout).map(|group| (group.name.as_str(), group.cells[0])).collect();
    assert_eq!(
        layouts,
        [
            ("dl", Score { right: 0, found: 1, gold: 0 }),
            ("none", Score { right: 0, found: 0, gold: 1 }),
            ("row", Score { right: 1, found: 1, gold: 1 })
        ]
    );
    let [p, r, _] = summary.mean(GroupKey::Layout, 0).unwrap();
    assert_eq!((p, r), (1.0, 0.5), "of `none` and `row`; nothing stands in a `dl`");
    let negatives = &summary.negatives[0];
    assert_eq!((negatives.pages, &negatives.taken[..], &negatives.pairs[..]), (1, &[1, 0][..], &[1, 0][..]));
    assert_eq!(summary.errors, [0, 1]);
    let interval = summary.f1[0].unwrap();
    assert!(interval.low < summary.all(0).f1() && summary.all(0).f1() < interval.high, "{interval:?}");
}

#[test]
fn files_list_every_wrong_and_missed_pair_and_nothing_becomes_markup() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let summary = RecordSummary::new(&run);
    write_record_tsv(&run, &summary, folder.path()).unwrap();
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(file("wrong.tsv").contains("shops\ta\tgood\tdl\tyes\tWeight\t2 kg\n"), "{}", file("wrong.tsv"));
    assert!(file("missed.tsv").contains("shops\ta\tgood\tNA\tWeight\t1 kg\n"), "{}", file("missed.tsv"));
    assert!(file("summary.tsv").contains("all\tall\tgood\t3\t3\t3\t2\t0.666667\t0.666667\t0.666667\t"));
    assert_eq!(file("pages.tsv").lines().count(), 1 + 4 * 2);
    let options = RecordReportOptions { command_line: "x <script>", notes: &[], problems: &[] };
    write_record_report(&run, &summary, &options, folder.path()).unwrap();
    let html = file("report.html");
    assert!(html.contains("+ Weight = 2 kg   [dl]") && html.contains("− Weight = 1 kg") && !html.contains("<script"));
}

#[test]
fn a_batch_command_answers_with_records() {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<RecordPage> = packages(folder.path()).into_iter().take(1).collect();
    let answer = r#"{"id":"shops/a","records":[{"title":"x","attributes":[{"name":"Brand","value":"Acme"}]},{"attributes":[{"name":"Weight","value":"1kg"}]}]}"#;
    let line = CommandLine::parse(&format!("peer=printf '%s\\n' '{answer}'")).unwrap();
    let run = run_records(pages, &[], &[BatchCommand::new(line)], 1, &|_| ());
    assert_eq!((run.systems[0].as_str(), run.rows[0].n_products), ("peer", 2), "{:?}", run.rows[0].error);
    assert_eq!(run.rows[0].score, Score { right: 2, found: 2, gold: 2 });
}
