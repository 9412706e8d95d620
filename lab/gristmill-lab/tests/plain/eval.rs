//! `gristmill-lab eval` on small packages with everything wrong that can be.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

use common::{finish, gristmill, lab, text};

/// Some text around a story.
fn page(n: usize) -> String {
    format!(
        "<html><head><title>Storm {n} hits the coast</title><style>p{{}}</style></head><body>\
         <ul class=nav><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About us</a></ul>\
         <article><h1>Storm {n} hits the coast</h1><p>The storm number {n} reached the coast at night, people said, and \
         <a href=x>nobody</a> slept. It was loud, it was wet, and it went on.</p><p>In the morning, the sun came &amp; the \
         sea was calm; boats lay on the streets, and the children climbed on them.<br>Then it rained.</p>\
         <pre>wind  {n}\n  rain</pre><ol><li>one, two.<li>three, four.</ol></article>\
         <footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer></body></html>"
    )
}

const GOLD: &str =
    "The storm reached the coast at night, people said, and nobody slept.\nIn the morning, the sun came.";

fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// Ours, with two page types and one bad file of each kind; and one as in the paper.
fn packages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pages: Vec<String> = (0..4).map(page).collect();
    let gold = GOLD.as_bytes();
    let [article, forum] = [
        br#"{"page_type":"article","url":"http://a.example/","language":"en-GB"}"#.as_slice(),
        br#"{"page_type":"forum","url":"http://b.example/","language":"de"}"#,
    ];
    write(
        folder.path(),
        &[
            ("ours/package.json", br#"{"name":"ours"}"#),
            ("ours/pages/p0.html", pages[0].as_bytes()),
            ("ours/pages/p0.txt", gold),
            ("ours/pages/p0.json", article),
            ("ours/pages/p1.html", pages[1].as_bytes()),
            ("ours/pages/p1.txt", gold),
            ("ours/pages/p1.json", forum),
            ("ours/pages/broken.html", b"x"),
            ("ours/pages/broken.txt", b"x"),
            ("ours/pages/broken.json", b"{"),
            ("ours/pages/only-gold.txt", b"x"),
            ("ours/pages/only-page.html", b"x"),
            ("ours/pages/empty.html", b""),
            ("ours/pages/empty.txt", b"something"),
            ("ours/pages/nothing.html", b"<p>x"),
            ("ours/pages/nothing.txt", b""),
            ("ours/pages/nothing.json", br#"{"flags":["empty_gold"]}"#),
            ("ours/pages/not-gzip.html.gz", b"plain"),
            ("ours/pages/not-gzip.txt", b"x"),
            ("paper/description.txt", b"name: paper"),
            ("paper/p2.html", pages[2].as_bytes()),
            ("paper/p2.txt", gold),
            ("paper/p2.meta", b"url: http://c.example/\nfragmented: no\n"),
            ("paper/binary.html", &[0, 255, 1, 254, 60, 0, 62, 200]),
            ("paper/binary.txt", b"x"),
            ("paper/frames.html", b"<frameset><frame src=a><frame src=b></frameset>"),
            ("paper/frames.txt", b"framed"),
            ("paper/part.html", pages[3].as_bytes()),
            ("paper/part.txt", b"part"),
            (
                "paper/part.meta",
                b"fragmented: yes\nwith: boats lay on the streets\nwithout: Imprint\nwithout: sea was calm\n",
            ),
        ],
    );
    folder
}

fn eval(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = lab();
    command.arg("eval").arg(folder.join("ours")).arg(folder.join("paper")).args(arguments);
    finish(command)
}

/// Lines of a TSV file as columns by name.
fn tsv(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), names.len(), "{line}");
            names.iter().map(|name| name.to_string()).zip(cells.into_iter().map(str::to_owned)).collect()
        })
        .collect()
}

#[test]
fn bad_documents_are_left_out_by_name_and_the_rest_is_scored() {
    let folder = packages();
    let output = eval(folder.path(), &["--method", "plain,twcem"]);
    assert!(output.status.success(), "{}", text(&output));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    for (file, reason) in [
        ("broken.json", "not the JSON"),
        ("only-gold.txt", "no page"),
        ("only-page.html", "no gold text"),
        ("not-gzip.html.gz", "could not read it"),
    ] {
        assert!(told.lines().any(|line| line.contains(file) && line.contains(reason)), "{file}: {told}");
    }
    assert!(told.contains("left out: 4 documents"), "{told}");
    assert!(told.contains("not in the means: 1 document") && told.contains("by snippets only: 1 document"), "{told}");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    for wanted in [
        "ours (3)",
        "paper (4)",
        "mean of packages",
        "ours: article (1)",
        "ours: forum (1)",
        "en: ours (1)",
        "paper with",
    ] {
        assert!(table.contains(wanted), "{wanted}: {table}");
    }
}

#[test]
fn the_files_have_the_columns_of_the_paper_and_lines_that_add_up() {
    let folder = packages();
    let out = folder.path().join("out");
    let output = eval(folder.path(), &["--method", "plain,vsse(t1=0.3,refine=off)", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    let lines = tsv(&out.join("ours.plain.tsv"));
    let header = std::fs::read_to_string(out.join("ours.plain.tsv")).unwrap();
    let start = "id\tbytes\tseconds\ts_per_kB\tstr_P\tstr_R\tstr_F1\tseq_P\tseq_R\tseq_F1\tvec_P\tvec_R\tvec_F1\tset_P\tset_R\tset_F1\t";
    assert!(header.starts_with(start), "{header}");
    let ids: Vec<&str> = lines.iter().map(|line| line["id"].as_str()).collect();
    assert_eq!(ids, ["empty", "nothing", "p0", "p1", "mean", "sigma"]);
    let number = |line: usize, name: &str| lines[line][name].parse::<f64>().unwrap();
    let counted = [0, 2, 3].map(|line| number(line, "wcxb_F1"));
    assert!(
        (number(4, "wcxb_F1") - counted.iter().sum::<f64>() / 3.0).abs() < 1e-5,
        "flagged pages stay out of the mean"
    );
    assert_eq!((lines[1]["in_means"].as_str(), lines[1]["wcxb_F1"].as_str()), ("no", "0.000000"));
    assert_eq!((lines[0]["s_per_kB"].as_str(), lines[0]["bytes"].as_str()), ("NA", "0"));
    assert!(
        (0.4..0.9).contains(&number(2, "wcxb_F1")) && number(2, "vec_R") == 1.0,
        "plain keeps all of the gold text"
    );
    assert!(number(5, "str_F1") > 0.0 && number(2, "seconds") > 0.0);

    let part = tsv(&out.join("paper.plain.tsv")).into_iter().find(|line| line["id"] == "part").unwrap();
    assert_eq!((part["with_rate"].as_str(), part["without_rate"].as_str()), ("1.000000", "0.000000"));
    assert_eq!(part["vec_F1"], "NA", "a part is no gold text");
    let names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.contains(&"paper.vsse_t1=0.3_refine=off.tsv".to_owned()), "{names:?}");
    let summary = tsv(&out.join("summary.tsv"));
    let all = summary.iter().find(|line| line["package"] == "ours" && line["page_type"] == "all").unwrap();
    assert_eq!((all["system"].as_str(), all["n"].as_str(), all["documents"].as_str()), ("plain", "3", "4"));
    assert_eq!(all["wcxb_F1_mean"], lines[4]["wcxb_F1"]);
    let german = summary.iter().find(|line| line["package"] == "ours" && line["page_type"] == "language de").unwrap();
    assert_eq!((german["n"].as_str(), &german["wcxb_F1_mean"]), ("1", &lines[3]["wcxb_F1"]));
    let differences = tsv(&out.join("differences.tsv"));
    assert_eq!(differences[0]["against"], "plain");
    assert!(differences[0]["low"].parse::<f64>().unwrap() <= differences[0]["high"].parse::<f64>().unwrap());
}

#[test]
fn the_report_needs_nothing_else_and_its_links_lead_to_marked_pages() {
    let folder = packages();
    let out = folder.path().join("out");
    let output = eval(
        folder.path(),
        &["--method", "plain,vsse(t1=0.3)", "--command", "<b>&x=cat", "--worst", "2", "--out", out.to_str().unwrap()],
    );
    assert!(output.status.success(), "{}", text(&output));
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    for outside in ["src=", "http-equiv", "@import", "url(", "<script", "<link", "<iframe", "href=\"http", "href=\"//"]
    {
        assert!(!report.contains(outside), "`{outside}` in the report");
    }
    assert!(report.contains("&lt;b&gt;&amp;x") && !report.contains("<b>&x"));
    assert!(report.contains("<svg") && report.contains("broken.json") && report.contains("gristmill-lab eval"));
    let links: Vec<&str> = report.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(links.len(), 4, "two methods, two pages each: {links:?}");
    for link in links {
        let marked = std::fs::read_to_string(out.join(link)).unwrap_or_else(|error| panic!("{link}: {error}"));
        assert!(marked.starts_with("<!doctype html>") && !marked.contains("<script"));
    }
}

#[test]
fn commands_are_judged_and_their_failures_told() {
    let folder = packages();
    let out = folder.path().join("out");
    let own = format!("own='{}' extract --batch --threads 1 --method plain", gristmill().get_program().display());
    let arguments = [
        "--method",
        "plain",
        "--command",
        "copy=cat",
        "--command",
        "fails=sh -c 'echo oh dear >&2; exit 9'",
        "--command",
        "hangs=sleep 100",
        "--command-batch",
        &own,
        "--timeout",
        "1500ms",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = eval(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output));
    let error = |system: &str| tsv(&out.join(format!("ours.{system}.tsv")))[2]["error"].clone();
    assert_eq!(error("copy"), "NA");
    assert!(error("fails").contains('9') && error("fails").contains("oh dear"), "{}", error("fails"));
    assert!(error("hangs").contains("no answer within 1.5s"), "{}", error("hangs"));
    for package in ["ours", "paper"] {
        let (own, plain) =
            (tsv(&out.join(format!("{package}.own.tsv"))), tsv(&out.join(format!("{package}.plain.tsv"))));
        for (own, plain) in own.iter().zip(&plain).filter(|(line, _)| line["id"] != "sigma" && line["id"] != "mean") {
            for column in ["id", "str_F1", "wcxb_F1", "sent_set_F1", "with_rate"] {
                assert_eq!(own[column], plain[column], "{package} {} {column}", own["id"]);
            }
        }
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("pages with errors"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("`fails` failed on") && told.contains("oh dear") && !told.contains("`copy`"), "{told}");
}

#[test]
fn what_cannot_be_scored_at_all_fails_with_a_reason() {
    let folder = packages();
    let fails = |arguments: &[&str], reason: &str| {
        let mut command = lab();
        command.arg("eval").args(arguments).current_dir(folder.path());
        let output = finish(command);
        assert!(!output.status.success());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(reason), "{}", text(&output));
        let once = told.matches(reason).count() == 1 && output.stdout.is_empty();
        assert!(once || !reason.contains("is no command"), "{}", text(&output));
    };
    fails(&["."], "is no test package");
    fails(&["ours", "--page-type", "poem"], "nothing to score");
    fails(&["ours", "--method", "nosuch"], "nosuch");
    fails(&["ours", "--command", "x='"], "left open");
    fails(&["ours", "--command", "/nowhere/extractor"], "`/nowhere/extractor` is no command: there is no such program");
    fails(&["ours", "--command", "x=surely-no-program --y"], "`surely-no-program` is no command");
    fails(&["ours", "--command", "sh -c 'exit 3'"], "no system answered for any page");
    fails(&["ours", "--method", "best", "--layouts", "/nowhere"], "/nowhere");
    fails(&["ours", "--proxy", "nowhere"], "is no HTTP proxy");
    fails(&["ours", "ours"], "two packages are called `ours`");
    fails(&["ours", "--command", "a=cat", "--command", "a=cat"], "two systems are called `a`");
}
