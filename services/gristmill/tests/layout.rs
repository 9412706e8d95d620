//! `gristmill layout` with a real Chromium, and what is made of its side-cars.

mod common;

use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{finish, gristmill, text};

const CHROMIUM: &str = "/usr/bin/chromium";

/// Two columns side by side, which nothing but a browser knows; the right one is the story.
fn page() -> String {
    let links: String = (1..12).map(|n| format!("<a href=/{n}>Part {n}</a><br>")).collect();
    let story = |n| {
        format!(
            "<p>The mill grinds grain, day and night, and its {n} stones turn slowly while the water runs below the
            wheel, which nobody has stopped since it was built five hundred years ago.</p>"
        )
    };
    let story: String = (2..10).map(story).collect();
    format!(
        "<!doctype html><html lang=en><title>The mill</title><style>body {{ margin: 0 }} .gone {{ display: none }}
        #menu {{ float: left; width: 300px }} #story {{ margin-left: 320px; width: 900px }} #foot {{ clear: both }}</style>
        <div id=menu>{links}</div><div id=story><h1>The mill of the valley</h1>{story}</div>
        <div class=gone><p>Nobody sees this line.</p></div><div id=foot><a href=/c>Contact</a> <a href=/p>Privacy</a></div>"
    )
}

fn is_there() -> bool {
    let there = Path::new(CHROMIUM).exists();
    if !there {
        eprintln!("SKIPPED: side-cars are made with Debian's package `chromium`, and {CHROMIUM} is absent");
    }
    there
}

/// Writes the pages into `folder` and makes their side-cars in its folder `out`.
fn layout(folder: &Path, pages: &[(&str, &[u8])], more: &[&str]) -> Output {
    let mut command = gristmill();
    command.arg("layout");
    for (name, html) in pages {
        std::fs::write(folder.join(name), html).unwrap();
        command.arg(folder.join(name));
    }
    command.arg("--out").arg(folder.join("out")).args(more);
    finish(command)
}

fn sidecar(folder: &Path, page: &str) -> PathBuf {
    folder.join("out").join(format!("{page}.layout.json.gz"))
}

fn json(path: &Path) -> serde_json::Value {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn extract(sidecar: &Path, method: &str) -> Output {
    let mut command = gristmill();
    command.args(["extract", "--format", "json", "--method", method, "--layout"]).arg(sidecar);
    finish(command)
}

#[test]
fn a_browser_says_where_things_stand_and_clg_uses_it() {
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let made = layout(dir.path(), &[("page.html", page().as_bytes())], &[]);
    assert!(made.status.success(), "{}", text(&made));
    let file = json(&sidecar(dir.path(), "page"));
    assert_eq!((&file["format"], &file["version"]), (&"gristmill-layout".into(), &1.into()));
    let (doc, strings) = (&file["document"], file["strings"].as_array().unwrap());
    let named = |name: &str| -> usize {
        let string = strings.iter().position(|string| string == name).unwrap();
        let at = |list: &serde_json::Value| list.as_array().unwrap().iter().position(|at| at == string);
        let node = at(&doc["nodes"]["nodeName"]).unwrap();
        doc["layout"]["nodeIndex"].as_array().unwrap().iter().position(|at| at == node).unwrap()
    };
    let heading = &doc["layout"]["bounds"][named("H1")];
    assert_eq!((heading[0].as_f64(), heading[2].as_f64()), (Some(320.0), Some(900.0)), "left edge and width");
    let extracted = extract(&sidecar(dir.path(), "page"), "clg");
    let extracted: serde_json::Value = serde_json::from_slice(&extracted.stdout).unwrap();
    assert_eq!((&extracted["method"], &extracted["warnings"]), (&"clg".into(), &serde_json::json!([])));
    let kept = extracted["text"].as_str().unwrap();
    assert!(kept.contains("five hundred years") && !kept.contains("Part") && !kept.contains("sees"), "{kept}");
}

#[test]
fn packages_with_side_cars_are_judged_and_trained_on() {
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (package, out) = (dir.path().join("small"), dir.path().join("out"));
    std::fs::create_dir_all(package.join("pages")).unwrap();
    std::fs::write(package.join("package.json"), r#"{"name":"small","licence":"CC-BY-4.0"}"#).unwrap();
    let gold = "The mill of the valley turns its stones while the water runs below the wheel";
    for (name, text) in [("a.html", page().as_str()), ("a.txt", gold), ("b.html", "<p>Flour</p>"), ("b.txt", "Flour")] {
        std::fs::write(package.join("pages").join(name), text).unwrap();
    }
    let mut command = gristmill();
    command.arg("layout").arg(&package).arg("--out").arg(&out);
    assert!(finish(command).status.success());
    std::fs::remove_file(out.join("small/b.layout.json.gz")).unwrap();

    let mut command = gristmill();
    command.args(["eval", "--method", "clg,clg-nolayout", "--layouts"]).arg(&out).arg(&package);
    let judged = finish(command);
    let printed = String::from_utf8_lossy(&judged.stdout).into_owned();
    assert!(printed.contains(" clg |") && printed.contains(" clg-nolayout |"), "{}", text(&judged));

    let mut command = gristmill();
    command.args(["train", "clg", "--layouts"]).arg(&out).arg("--out").arg(dir.path().join("a.model")).arg(&package);
    let trained = finish(command);
    assert!(trained.status.success(), "{}", text(&trained));
    let told = String::from_utf8_lossy(&trained.stderr).into_owned();
    assert!(told.contains("b.layout.json.gz") && told.contains("`gristmill layout` makes it"), "{told}");
    let model = gristmill_models::ModelFile::read(&std::fs::read(dir.path().join("a.model")).unwrap()).unwrap();
    let card = model.card();
    assert!(card.starts_with("clg-layout: ") && card.contains("on 1 pages") && card.contains("* small, "), "{card}");
}

#[test]
fn pages_run_no_script_reach_nobody_and_leave_nothing_to_the_next() {
    if !is_there() {
        return;
    }
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = server.local_addr().unwrap();
    let hostile = format!(
        "<link rel=stylesheet href=http://{address}/a.css><body link=red><img src=http://{address}/b.png>
        <iframe src=http://{address}/c></iframe><script src=http://{address}/d.js></script>
        <script>document.body.textContent = 'owned'; while (true) {{}}</script>
        <meta http-equiv=refresh content='1;url=http://{address}/e'><p>Stone ground flour, it says. <a href=/x>More</a>"
    );
    let dir = tempfile::tempdir().unwrap();
    let calm = b"<p>Another page. <a href=/y>More</a>";
    let cut: &[u8] = b"\x1f\x8b\x08\0";
    let pages = [("hostile.html", hostile.as_bytes()), ("a.html", calm), ("b.html.gz", cut), ("c.html", calm)];
    let made = layout(dir.path(), &pages, &["--threads", "1"]);
    assert!(made.status.success(), "{}", text(&made));
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(said.contains("b.html.gz: ") && said.ends_with("side-cars of 3 of 4 pages\n"), "{said}");
    let first = json(&sidecar(dir.path(), "hostile")).to_string();
    assert!(first.contains("Stone ground flour") && !first.contains("owned\""), "{first}");
    assert!(server.accept().is_err(), "somebody asked for {address}");
    // In a browser of its own and after a page that changes the colours of links: the same side-car.
    let alone = tempfile::tempdir().unwrap();
    assert!(layout(alone.path(), &[("a.html", calm)], &[]).status.success());
    assert_eq!(json(&sidecar(dir.path(), "a")), json(&sidecar(alone.path(), "a")));
    assert_eq!(json(&sidecar(dir.path(), "a")), json(&sidecar(dir.path(), "c")));
}

#[test]
fn a_browser_that_is_none_is_told_with_its_name() {
    let dir = tempfile::tempdir().unwrap();
    for (program, reason) in [("/nowhere/chromium", "/nowhere/chromium"), ("true", "`true` has ended")] {
        let refused = layout(dir.path(), &[("page.html", page().as_bytes())], &["--browser", program]);
        assert_eq!(refused.status.code(), Some(1));
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.contains(reason) && told.contains("`--browser` names"), "{told}");
    }
    let slow = layout(dir.path(), &[("page.html", page().as_bytes())], &["--browser", "yes", "--timeout", "1s"]);
    assert_eq!(slow.status.code(), Some(1), "{}", text(&slow));
}

#[test]
fn two_pages_are_not_written_to_one_side_car() {
    let dir = tempfile::tempdir().unwrap();
    let same = layout(dir.path(), &[("page.html", page().as_bytes()), ("page.htm", page().as_bytes())], &[]);
    assert!(String::from_utf8_lossy(&same.stderr).contains("two pages would have the side-car"), "{}", text(&same));
}
