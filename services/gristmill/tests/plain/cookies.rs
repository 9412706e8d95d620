//! Sites that answer nothing without the cookie that they set on the way.

use crate::common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::server::{HTML, field, path, serve_heads};
use common::{finish, gristmill, text};

#[test]
fn a_cookie_goes_on_with_a_crawl_that_goes_on_and_to_its_own_site_alone() {
    let n_set = Arc::new(AtomicU64::new(0));
    let n_strange = Arc::new(AtomicU64::new(0));
    let (set, strange) = (n_set.clone(), n_strange.clone());
    let address = serve_heads(move |head| {
        let (host, path, cookie) = (field(head, "host"), path(head), field(head, "cookie"));
        if host.starts_with("other") {
            strange.fetch_add(u64::from(!cookie.is_empty()), Ordering::SeqCst);
            return ("200 OK", HTML, "<title>Other</title><p>Another site with a few words of its own.".to_owned());
        }
        match path {
            "/robots.txt" => ("404 Not Found", "", String::new()),
            "/hello" => {
                set.fetch_add(1, Ordering::SeqCst);
                ("302 Found", "Set-Cookie: seen=1; Path=/\r\nLocation: /\r\n", String::new())
            }
            _ if cookie != "seen=1" => ("302 Found", "Location: /hello\r\n", String::new()),
            "/" => {
                let links: String = (0..30).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
                ("200 OK", HTML, format!("<title>Mill</title><p>The mill.{links}<a href=http://other.test/>Other</a>"))
            }
            path => ("200 OK", HTML, format!("<title>Page {path}</title><p>Words of the page at {path}, a few.")),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let hosts = ["mill.test", "other.test"].map(|host| format!("\"{host}\" = \"{address}\"\n")).concat();
    std::fs::write(dir.path().join("g.toml"), format!("[fetch.resolve]\n{hosts}")).unwrap();
    let crawl = |more: &[&str]| {
        let mut command = gristmill();
        command.arg("--config").arg(dir.path().join("g.toml")).arg("--data").arg(dir.path().join("data"));
        command.args(["crawl", "--allow-private", "--delay", "0s", "--scope", "any", "http://mill.test/"]).args(more);
        text(&finish(command))
    };
    let told = crawl(&["--max-pages", "5"]);
    let before = n_set.load(Ordering::SeqCst);
    assert!(before > 0 && told.contains("5 pages fetched"), "{told}");
    let told = crawl(&[]);
    assert!(told.contains("27 pages fetched"), "{told}");
    assert_eq!(n_set.load(Ordering::SeqCst), before, "the cookie was known: {told}");
    assert_eq!(n_strange.load(Ordering::SeqCst), 0);
    let mut show = gristmill();
    show.arg("--data").arg(dir.path().join("data")).args(["explain", "http://mill.test/"]);
    assert!(!text(&finish(show)).contains("seen=1"));
}
