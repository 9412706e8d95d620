//! `gristmill-lab train` on a small package: what it refuses, what it prints, what it writes.

use crate::common;

use std::path::Path;
use std::process::{Command, Output};

use common::{finish, gristmill, lab, text};
use gristmill_extract::best::BestModel;
use gristmill_methods::{clg, mss::MssModel};
use gristmill_models::ModelFile;

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
        let about = format!(r#"{{"domain":"mill{n}.example","page_type":"article"}}"#);
        std::fs::write(pages.join(format!("{n}.json")), about).unwrap();
    }
}

/// As cards say it.
const SIX_PAGES: &str = "* small, CC-BY-4.0: 6 pages";

fn written(path: &Path) -> ModelFile {
    ModelFile::read(&std::fs::read(path).unwrap()).unwrap()
}

fn train(arguments: &[&str], folder: &Path) -> Output {
    let mut command = lab();
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
    let model = written(&out);
    assert!(MssModel::read(&model).unwrap().n_trigrams() > 0);
    assert!(model.card().starts_with("mss: ") && model.card().contains(SIX_PAGES), "{}", model.card());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("| small (6) |"), "{printed}");

    let output = train(&["clg", "--out", out.to_str().unwrap()], dir.path());
    assert!(output.status.success(), "{}", text(&output));
    let model = written(&out);
    assert!(!clg::ClgModel::read(&model).unwrap().layout);
    assert!(model.card().starts_with("clg: ") && model.card().contains(SIX_PAGES), "{}", model.card());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("trained on other domains") && printed.contains("has seen these pages"), "{printed}");
}

#[test]
fn best_is_judged_on_sites_it_has_not_seen_also_by_models_without_any_part_of_them() {
    let dir = tempfile::tempdir().unwrap();
    package(dir.path(), "CC-BY-4.0");
    let out = dir.path().join("a.model");
    let output = train(&["best", "--out", out.to_str().unwrap()], dir.path());
    assert!(output.status.success(), "{}", text(&output));
    let model = written(&out);
    assert!(BestModel::read(&model).is_ok() && model.card().contains(SIX_PAGES), "{}", model.card());
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
    let out = dir.path().join("a.model");
    let closed = closed.to_str().unwrap();
    let output = train(&["page-kind", closed, "--out", out.to_str().unwrap()], &open);
    assert!(output.status.success(), "{}", text(&output));
    let card = written(&out).card().to_owned();
    assert!(card.contains("Trained on 6 pages") && card.contains(SIX_PAGES) && !card.contains("unstated"), "{card}");
    let mut command = lab();
    command.arg("models").arg(&out);
    assert_eq!(String::from_utf8_lossy(&finish(command).stdout), card);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("12 pages, 6 of them train"), "{printed}");
}

#[test]
fn the_pages_of_our_own_are_a_package_with_the_text_of_each_post() {
    let dir = tempfile::tempdir().unwrap();
    let make = Path::new(env!("CARGO_MANIFEST_DIR")).join("weblogs/make");
    let made = Command::new(make).arg(dir.path().join("weblogs")).status().unwrap();
    assert!(made.success());
    let mut command = lab();
    command.args(["eval", "--method", "bte"]).arg(dir.path().join("weblogs/posts"));
    let output = finish(command);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && printed.contains("| weblogs (183) "), "{}", text(&output));
}

#[test]
fn shipped_models_are_listed_with_their_cards_and_anything_else_is_refused() {
    let models = |arguments: &[&str]| {
        let mut command = lab();
        command.arg("models").args(arguments);
        finish(command)
    };
    let listed = String::from_utf8_lossy(&models(&[]).stdout).into_owned();
    for shipped in gristmill_models::SHIPPED {
        assert!(listed.contains(&format!("{} bytes", shipped.bytes.len())), "{listed}");
        let card = models(&[shipped.name]);
        assert_eq!(String::from_utf8_lossy(&card.stdout), shipped.open().card());
    }
    let refused = models(&["Cargo.toml"]);
    assert!(text(&refused).contains("not a model"), "{}", text(&refused));
    let refused = models(&["nothing"]);
    assert!(text(&refused).contains("page-kind, language, rendering"), "{}", text(&refused));
}
