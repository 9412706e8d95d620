//! Rules for single sites: logins that go nowhere else, and what of a site is crawled.

use crate::common;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use common::server::{HTML, field, path, serve_heads};
use common::{finish, gristmill, text};

/// What a server was asked: host, path, and the fields that hold secrets.
type Requests = Arc<Mutex<Vec<(String, String, String)>>>;

/// Serves a shop that wants a login, and strangers to which it leads in several ways.
fn shop_and_spy() -> (SocketAddr, Requests) {
    let requests = Requests::default();
    let log = requests.clone();
    let address = serve_heads(move |head| {
        let (host, path) = (field(head, "host"), path(head).to_owned());
        let secrets = ["authorization", "cookie", "x-token", "user-agent"].map(|name| field(head, name)).join("|");
        log.lock().unwrap().push((host.clone(), path.clone(), secrets.clone()));
        let page =
            |links: &str| ("200 OK", HTML, format!("<title>{host} {path}</title><p>Words of {host} at {path}.{links}"));
        match (host.as_str(), path.as_str()) {
            (_, "/robots.txt") => ("404 Not Found", "", String::new()),
            ("shop.test", _) if !secrets.contains("hunter2") => ("401 Unauthorized", HTML, String::new()),
            ("shop.test", "/") => page(
                "<a href=/1>1</a><a href=/out>out</a><a href=/print/1>print</a><a href=http://spy.test/>spy</a>\
                 <img src=http://spy.test/pixel><a href=http://shop.test.spy.test/>spy</a>",
            ),
            ("shop.test", "/out") => ("302 Found", "Location: http://spy.test/landing\r\n", String::new()),
            _ => page("<a href=http://shop.test/2>2</a>"),
        }
    });
    (address, requests)
}

fn crawl(dir: &Path, address: SocketAddr, settings: &str, flags: &[&str]) -> String {
    let hosts =
        ["shop.test", "spy.test", "shop.test.spy.test"].map(|host| format!("\"{host}\" = \"{address}\"\n")).concat();
    std::fs::write(dir.join("g.toml"), format!("{settings}\n[fetch.resolve]\n{hosts}")).unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(dir.join("g.toml")).arg("--data").arg(dir.join("data"));
    command.args(["crawl", "--allow-private", "--delay", "0s", "--scope", "any", "--archive"]).arg(dir.join("archive"));
    command.args(flags).arg("http://shop.test/").env("SHOP_PASSWORD", "hunter2");
    text(&finish(command))
}

/// The paths of the shop that were answered to the login, and everything that others were told.
fn told(requests: &Requests) -> (Vec<String>, Vec<String>) {
    let requests = std::mem::take(&mut *requests.lock().unwrap());
    let (shop, spy): (Vec<_>, Vec<_>) = requests.into_iter().partition(|(host, _, _)| host == "shop.test");
    let mut paths: Vec<String> =
        shop.into_iter().filter(|(_, _, said)| said.contains("hunter2")).map(|row| row.1).collect();
    paths.retain(|path| !path.contains('.'));
    paths.sort();
    (paths, spy.into_iter().map(|(_, _, said)| said).collect())
}

#[test]
fn what_a_site_is_sent_goes_to_no_other_over_links_and_redirects_nor_into_archives() {
    let (address, requests) = shop_and_spy();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("token"), "a-token-hunter2\n").unwrap();
    let token = dir.path().join("token").display().to_string();
    for (login, flags) in [
        ("[[sites]]\nhosts = ['shop.test']\nexclude = ['/print/']\nusername = 'me'\npassword = { from_env = 'SHOP_PASSWORD' }\ncookies = 'plain=hunter2'\nuser_agent = 'hunter2/1'".to_owned(), vec![]),
        (format!("[[sites]]\nhosts = ['shop.test']\nexclude = ['/print/']\nbearer = {{ from_file = '{token}' }}"), vec![]),
        (String::new(), vec!["--header", "X-Token: hunter2", "--exclude", "/print/"]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let said = crawl(dir.path(), address, &login, &flags);
        let (shop, spy) = told(&requests);
        assert_eq!(shop, ["/", "/1", "/2", "/out"], "{login}: {said}");
        assert!(spy.len() >= 3, "{login}: {spy:?} {said}");
        // Basic credentials are sent in base64.
        let leaks = |said: &str| said.contains("hunter2") || said.contains("aHVudGVy") || said.contains("bWU6aHVudGVyMg");
        assert!(spy.iter().all(|said| !leaks(said) && said.starts_with("|||gristmill/")), "{login}: {spy:?}");
        assert!(!leaks(&said), "{said}");
        let requests = common::archive::records(&dir.path().join("archive"));
        let heads: String = requests.iter().map(|record| String::from_utf8_lossy(&record.body).into_owned()).collect();
        assert!(heads.contains("GET /1 HTTP/1.1") && !leaks(&heads.replace("user-agent: hunter2/1", "")), "{heads}");
    }
    let mut show = gristmill();
    std::fs::write(
        dir.path().join("s.toml"),
        format!("[[sites]]\nhosts = ['a.test']\nbearer = {{ from_file = '{token}' }}"),
    )
    .unwrap();
    show.arg("--config").arg(dir.path().join("s.toml")).args(["config", "show"]);
    let shown = text(&finish(show));
    assert!(shown.contains("bearer = \"***\"") && !shown.contains("hunter2"), "{shown}");
}

#[test]
fn rules_that_cannot_be_used_are_refused_by_their_place() {
    let refused = |settings: &str| {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("s.toml"), settings).unwrap();
        let mut show = gristmill();
        show.arg("--config").arg(dir.path().join("s.toml")).args(["config", "show"]);
        let output = finish(show);
        assert!(!output.status.success(), "{settings}");
        text(&output)
    };
    for (settings, words) in [
        ("[[sites]]\ndelay = '1s'", "`sites[0]`: `hosts` is empty"),
        ("[[sites]]\nhosts = ['http://a.test/']", "`http://a.test/` is no host name"),
        ("[[sites]]\nhosts = ['a.test']\npath = 'x'", "does not begin with `/`"),
        ("[[sites]]\nhosts = ['a.test']\nproxy = 'ftp://p'", "`sites[0].proxy`"),
        ("[[sites]]\nhosts = ['a.test']\npath = '/x'\ninsecure = true", "`sites[0].path`"),
        ("[[sites]]\nhosts = ['a.test']\nbearer = 'x'\npassword = 'y'", "`sites[0]` has `bearer`"),
        ("[[sites]]\nhosts = ['a.test']\ncookies = \"a\\nb\"", "`sites[0].cookies`"),
        ("[[sites]]\nhosts = ['a.test']\nexclude = ['(']", "`sites[0].exclude`"),
        ("[[sites]]\nhosts = ['a.test']\nexcludes = ['x']", "excludes"),
        (
            "[[sites]]\nhosts = ['a.test']\npassword = { from_env = 'GRISTMILL_NOT_SET' }",
            "`sites[0].password` is the variable",
        ),
        ("[[extractor.sites]]\nhosts = ['a.test']", "`extractor.sites` is now `sites`"),
        ("[fetch]\ninsecure_hosts = ['a.test']", "`fetch.insecure_hosts` is now"),
        ("[browser]\npatience = '5s'", "`browser.patience` is now `browser.timeout`"),
    ] {
        let said = refused(settings);
        assert!(said.contains(words) && !said.contains("panicked"), "{settings}: {said}");
    }
}
