//! A crawler with a name of its own is meant where that name is said, in robots.txt, in headers and in pages.

use crate::common;

use common::server::{HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::IndexReader;

fn page(title: &str, head: &str) -> String {
    format!(
        "<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><p>The {title} mill stood by the river, people said, \
         and it ground the grain of the valley for years and years, whoever owned it.</p></body></html>"
    )
}

#[test]
fn the_rules_for_a_name_hold_in_robots_txt_headers_and_pages_and_those_for_another_do_not() {
    let address = serve(|_, path| match path {
        "/robots.txt" => {
            ("200 OK", "", "User-agent: mill-bot\nDisallow: /closed\n\nUser-agent: gristmill\nDisallow: /\n".into())
        }
        "/" => {
            let links =
                ["/open", "/closed", "/meta", "/header", "/other"].map(|path| format!("<a href={path}>{path}</a>"));
            ("200 OK", HTML, page("first", "").replace("</p>", &format!("</p>{}", links.concat())))
        }
        "/meta" => ("200 OK", HTML, page("hidden", "<meta name=mill-bot content=noindex>")),
        "/header" => ("200 OK", "Content-Type: text/html\r\nX-Robots-Tag: mill-bot: noindex\r\n", page("unseen", "")),
        "/other" => ("200 OK", HTML, page("other", "<meta name=gristmill content=noindex>")),
        "/open" => ("200 OK", HTML, page("open", "")),
        _ => ("200 OK", HTML, page("closed", "")),
    });
    let dir = tempfile::tempdir().unwrap();
    let (settings, data) = (dir.path().join("gristmill.toml"), dir.path().join("data"));
    std::fs::write(&settings, "agent = \"mill-bot\"\n").unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(settings).arg("--data").arg(&data).args(["crawl", "--allow-private", "--delay", "0s"]);
    command.arg(format!("http://{address}/"));
    let output = finish(command);
    assert!(output.status.success() && text(&output).contains(", 2 not to be indexed,"), "{}", text(&output));

    let reader = IndexReader::open(&data.join("index")).unwrap();
    let mut found: Vec<String> = reader.documents().map(|document| document.unwrap().title).collect();
    found.sort();
    assert_eq!(found, ["first", "open", "other"]);
}

#[test]
fn the_old_names_of_the_setting_and_names_that_no_robots_txt_can_say_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let settings = dir.path().join("gristmill.toml");
    for (line, says) in [
        ("fetch.product = \"x\"", "`fetch.product` is now `agent`"),
        ("frontier.robots.agent = \"x\"", "`frontier.robots.agent` is now `agent`"),
        ("agent = \"360Spider\"", "`360Spider`"),
    ] {
        std::fs::write(&settings, line).unwrap();
        let mut command = gristmill();
        command.arg("--config").arg(&settings).args(["config", "show"]);
        let output = finish(command);
        assert!(output.status.code() == Some(1) && text(&output).contains(says), "{}", text(&output));
    }
}
