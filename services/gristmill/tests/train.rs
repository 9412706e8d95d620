//! `gristmill train` on a small package: what it refuses, what it prints, what it writes.

mod common;

use std::path::Path;
use std::process::Output;

use common::{finish, gristmill, text};
use gristmill_methods::mss::MssModel as Model;

/// Six pages of six sites: menus around stories.
fn package(folder: &Path, licence: &str) {
    let pages = folder.join("pages");
    std::fs::create_dir_all(&pages).unwrap();
    let about = format!(r#"{{"name":"small","licence":"{licence}"}}"#);
    std::fs::write(folder.join("package.json"), about).unwrap();
    for n in 0..6 {
        let story =
            format!("The mill number {n} stood by the river, people said, and it ground the grain of the valley.");
        let menu = "<li><a href=/x>Read more stories of this kind now</a></li>".repeat(8);
        let html = format!("<body><ul>{menu}</ul><div><p>{story}</p><p>{story}</p></div><ul>{menu}</ul>");
        std::fs::write(pages.join(format!("{n}.html")), html).unwrap();
        std::fs::write(pages.join(format!("{n}.txt")), format!("{story}\n{story}")).unwrap();
        let about = format!(r#"{{"domain":"site{n}.example","page_type":"article"}}"#);
        std::fs::write(pages.join(format!("{n}.json")), about).unwrap();
    }
}

fn train(arguments: &[&str], folder: &Path) -> Output {
    let mut command = gristmill();
    command.arg("train").args(arguments).arg(folder);
    finish(command)
}

#[test]
fn packages_without_a_permissive_licence_are_refused_unless_that_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    package(dir.path(), "unstated");
    let refused = train(&["mss"], dir.path());
    assert_eq!(refused.status.code(), Some(1));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(message.contains("`unstated`") && message.contains("--any-licence"), "{message}");
    assert!(train(&["mss", "--any-licence"], dir.path()).status.success());
}

#[test]
fn both_models_are_written_with_their_provenance_and_scored_on_sites_they_have_not_seen() {
    let dir = tempfile::tempdir().unwrap();
    package(dir.path(), "CC-BY-4.0");
    let out = dir.path().join("model");
    let output = train(&["mss", "--out", out.to_str().unwrap()], dir.path());
    assert!(output.status.success(), "{}", text(&output));
    let model = Model::parse(&std::fs::read(&out).unwrap()).unwrap();
    assert!(model.notes.contains("licences: small CC-BY-4.0") && model.notes.contains("pages: 6"), "{}", model.notes);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("| small (6) |"), "{printed}");

    let output = train(&["clg", "--out", out.to_str().unwrap()], dir.path());
    assert!(output.status.success(), "{}", text(&output));
    let source = std::fs::read_to_string(&out).unwrap();
    assert!(source.starts_with("//! ") && source.contains("small: 6 pages, CC-BY-4.0"), "{source}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("trained on other domains") && printed.contains("has seen these pages"), "{printed}");
}

#[test]
fn best_is_judged_on_sites_it_has_not_seen_also_by_models_without_any_part_of_them() {
    let dir = tempfile::tempdir().unwrap();
    package(dir.path(), "CC-BY-4.0");
    let out = dir.path().join("model.rs");
    let output = train(&["best", "--out", out.to_str().unwrap()], dir.path());
    assert!(output.status.success(), "{}", text(&output));
    let source = std::fs::read_to_string(&out).unwrap();
    assert!(source.contains("//! * small, CC-BY-4.0: 6 pages"), "{}", &source[..600]);
    for more in [&["best"][..], &["best", "--nested"]] {
        let judged = train(more, dir.path());
        assert!(judged.status.success(), "{}", text(&judged));
        let printed = String::from_utf8_lossy(&judged.stdout).into_owned();
        assert!(printed.contains("trained on other domains") && printed.contains("| small (6, 6) |"), "{printed}");
    }
    let refused = train(&["best", "--nested", "--out", out.to_str().unwrap()], dir.path());
    assert_eq!(refused.status.code(), Some(2), "a nested run leaves no model: {}", text(&refused));
}

#[test]
fn names_are_learnt_shown_with_counts_and_sites_and_written_as_a_file_that_settings_take() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("shops/pages");
    std::fs::create_dir_all(&pages).unwrap();
    std::fs::write(dir.path().join("shops/package.json"), r#"{"name":"shops","licence":"MIT"}"#).unwrap();
    for (n, site) in ["a.example", "b.example"].into_iter().enumerate() {
        let html = format!("<table><tr><th>Zorblax</th><td>{n}</td></tr><tr><th>Brand</th><td>B{n}</td></tr></table>");
        std::fs::write(pages.join(format!("{n}.html")), html).unwrap();
        std::fs::write(pages.join(format!("{n}.json")), format!(r#"{{"site":"{site}","attributes":[]}}"#)).unwrap();
    }
    let names = dir.path().join("names.tsv");
    let output = train(&["dictionary", "--out", names.to_str().unwrap()], &dir.path().join("shops"));
    assert!(output.status.success(), "{}", text(&output));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("Zorblax\t2\t2\ta b") && !shown.contains("Brand\t"), "{shown}");
    let config = dir.path().join("gristmill.toml");
    std::fs::write(&config, format!("[records]\ndictionary = \"{}\"\n", names.display())).unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(&config).args(["extract", "--explain"]).arg(pages.join("0.html"));
    let explained = finish(command);
    assert!(explained.status.success(), "{}", text(&explained));
}

#[test]
fn the_page_kind_model_names_what_it_was_made_of_and_takes_no_page_of_another_licence() {
    let dir = tempfile::tempdir().unwrap();
    let (open, closed) = (dir.path().join("open"), dir.path().join("closed"));
    package(&open, "CC-BY-4.0");
    package(&closed, "unstated");
    // The same pages would count once.
    for n in 0..6 {
        let page = closed.join(format!("pages/{n}.html"));
        let html = std::fs::read_to_string(&page).unwrap();
        std::fs::write(&page, html.replace("mill", "forge")).unwrap();
    }
    let out = dir.path().join("model.rs");
    let closed = closed.to_str().unwrap();
    let output = train(&["page-kind", closed, "--out", out.to_str().unwrap()], &open);
    assert!(output.status.success(), "{}", text(&output));
    let source = std::fs::read_to_string(&out).unwrap();
    assert!(source.contains("//! Trained on 6 pages"), "{}", &source[..600]);
    assert!(source.contains("//! * small, CC-BY-4.0: 6 pages") && !source.contains("unstated"), "{}", &source[..600]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("12 pages, 6 of them train"), "{printed}");
}
