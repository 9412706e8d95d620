//! `gristmill-lab layout` with a real Chromium, and what is made of its side-cars.

use crate::common;

use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{finish, gristmill, lab, text};

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
    let mut command = lab();
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
    assert_eq!(heading(&sidecar(dir.path(), "page")), (320.0, 900.0));
    let extracted = extract(&sidecar(dir.path(), "page"), "clg");
    let extracted: serde_json::Value = serde_json::from_slice(&extracted.stdout).unwrap();
    assert_eq!((&extracted["method"], &extracted["warnings"]), (&"clg".into(), &serde_json::json!([])));
    let kept = extracted["text"].as_str().unwrap();
    assert!(kept.contains("five hundred years") && !kept.contains("Part") && !kept.contains("sees"), "{kept}");
}

/// Where the heading of a side-car stands: left edge and width.
fn heading(sidecar: &Path) -> (f64, f64) {
    let file = json(sidecar);
    let list = |list: &serde_json::Value| list.as_array().unwrap().clone();
    let string = list(&file["strings"]).iter().position(|string| string == "H1").unwrap();
    let node = list(&file["document"]["nodes"]["nodeName"]).iter().position(|at| at == string).unwrap();
    let at = list(&file["document"]["layout"]["nodeIndex"]).iter().position(|at| at == node).unwrap();
    let bounds = &file["document"]["layout"]["bounds"][at];
    (bounds[0].as_f64().unwrap(), bounds[2].as_f64().unwrap())
}

#[test]
fn style_sheets_that_a_page_links_to_come_from_a_folder() {
    if !is_there() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join("styled");
    let (css, pages) = (package.join("files/mill.example/css"), package.join("pages"));
    std::fs::create_dir_all(&css).unwrap();
    std::fs::create_dir_all(&pages).unwrap();
    std::fs::write(css.join("main.css"), "@import 'more.css'; body { margin: 0 }").unwrap();
    std::fs::write(css.join("more.css"), "h1 { margin-left: 320px; width: 600px }").unwrap();
    let page =
        "<link rel=stylesheet href='/css/main.css?v=3'><link rel=stylesheet href=//cdn.example/a.css><h1>Mill</h1>";
    std::fs::write(pages.join("a.html"), page).unwrap();
    std::fs::write(pages.join("a.txt"), "Mill").unwrap();
    std::fs::write(pages.join("a.json"), r#"{"url":"http://mill.example/posts/a/"}"#).unwrap();
    let side_car = |more: &[&str]| {
        let mut command = lab();
        command.arg("layout").arg(&package).args(more).arg("--out").arg(dir.path().join("out"));
        let made = finish(command);
        assert!(made.status.success(), "{}", text(&made));
        let told = String::from_utf8_lossy(&made.stderr).into_owned();
        (heading(&dir.path().join("out/styled/a.layout.json.gz")), told)
    };
    let (place, told) = side_car(&[]);
    assert_eq!(place, (320.0, 600.0));
    assert!(told.contains("without style: http://cdn.example/a.css\n") && !told.contains("main.css"), "{told}");
    let (place, told) = side_car(&["--no-files"]);
    assert!(place.0 < 10.0 && !told.contains("without style"), "{place:?} {told}");
    // What only a script shows is seen with scripts alone.
    let hidden = "<style>.wait h1 { display: none }</style><body class=wait><h1>Mill</h1><script src=/a.js></script>";
    std::fs::write(package.join("files/mill.example/a.js"), "document.body.className = ''").unwrap();
    std::fs::write(pages.join("a.html"), hidden).unwrap();
    assert!(side_car(&["--scripts"]).0.1 > 1000.0);
    // A page of a file: what it links to is looked for by its path alone.
    let files = package.join("files/mill.example");
    let made = layout(dir.path(), &[("b.html", page.as_bytes())], &["--files", files.to_str().unwrap()]);
    assert!(made.status.success(), "{}", text(&made));
    assert_eq!(heading(&sidecar(dir.path(), "b")), (320.0, 600.0));
    let none = layout(dir.path(), &[("b.html", page.as_bytes())], &["--files", "/nowhere"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("`--files /nowhere` names no folder"), "{}", text(&none));
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
    let mut command = lab();
    command.arg("layout").arg(&package).arg("--out").arg(&out);
    assert!(finish(command).status.success());
    std::fs::remove_file(out.join("small/b.layout.json.gz")).unwrap();

    let mut command = lab();
    command.args(["eval", "--method", "clg,clg-nolayout", "--layouts"]).arg(&out).arg(&package);
    let judged = finish(command);
    let printed = String::from_utf8_lossy(&judged.stdout).into_owned();
    assert!(printed.contains(" clg |") && printed.contains(" clg-nolayout |"), "{}", text(&judged));

    let mut command = lab();
    command.args(["train", "clg", "--layouts"]).arg(&out).arg("--out").arg(dir.path().join("a.model")).arg(&package);
    let trained = finish(command);
    assert!(trained.status.success(), "{}", text(&trained));
    let told = String::from_utf8_lossy(&trained.stderr).into_owned();
    assert!(told.contains("b.layout.json.gz") && told.contains("`gristmill-lab layout` makes it"), "{told}");
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
