//! The pages in a real browser: Chromium loads them, and what it shows is what we meant.
//!
//! With `GRISTMILL_SCREENSHOTS=DIR` it also leaves pictures there.

use crate::support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{STATUS, Server, library, page};

const CHROMIUM: &str = "/usr/bin/chromium";

/// Runs Chromium once with a profile of its own; its standard output.
fn chromium(arguments: &[&str]) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = tempfile::NamedTempFile::new().unwrap();
    let mut child = Command::new(CHROMIUM)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .stdout(Stdio::from(output.reopen().unwrap()))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait(&mut child);
    std::fs::read_to_string(output.path()).unwrap()
}

fn wait(child: &mut Child) {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("Chromium did not end");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The document as Chromium holds it after loading.
fn dom(server: &Server, path: &str) -> String {
    chromium(&["--dump-dom", &format!("http://{}{path}", server.address)])
}

#[test]
fn a_browser_shows_the_pages_as_meant() {
    if !Path::new(CHROMIUM).exists() {
        eprintln!("SKIPPED: the browser test needs Debian's package `chromium`, and {CHROMIUM} is absent");
        return;
    }
    let attack = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    let mut documents = library();
    documents.push(page("hostile", attack, &format!("An attack: {attack}")));
    let server = Server::start(&documents);
    server.write_status(STATUS);

    let start = dom(&server, "/");
    assert!(start.contains("9 documents to search"), "{start}");
    let chinese = dom(&server, "/search?q=%E6%A9%9F%E5%99%A8%E5%AD%B8%E7%BF%92");
    assert!(chinese.contains("<mark>机器学习</mark>与全文搜索"), "{chinese}");
    assert!(chinese.contains("<mark>機器學習</mark>也用在這裡"), "{chinese}");
    let english = dom(&server, "/search?q=asyncio&language=en");
    assert!(english.contains("with <mark>asyncio</mark>"), "{english}");
    let document = dom(&server, "/document/zh1");
    assert!(document.contains("搜索引擎先把网页切成词"), "{document}");
    for path in ["/document/hostile", "/search?q=attack"] {
        let hostile = dom(&server, path);
        assert!(!hostile.contains("<title>owned") && !hostile.contains("<img"), "{hostile}");
    }
    screenshots(&server);
}

/// A page of another site reads what its own name leads to, and here leads it to the server.
#[test]
fn a_site_that_leads_its_name_to_the_server_reads_nothing_in_a_browser() {
    if !Path::new(CHROMIUM).exists() {
        eprintln!("SKIPPED: the browser test needs Debian's package `chromium`, and {CHROMIUM} is absent");
        return;
    }
    let server = Server::start(&library());
    let at = |host: &str| {
        let url = format!("http://{host}:{}/search?q=asyncio", server.address.port());
        chromium(&["--host-resolver-rules=MAP * 127.0.0.1", "--dump-dom", &url])
    };
    assert!(at("localhost").contains("<mark>asyncio</mark>"));
    let rebound = at("evil.example");
    assert!(!rebound.contains("<mark>") && rebound.contains("evil.example"), "{rebound}");
}

fn screenshots(server: &Server) {
    let Some(dir) = std::env::var_os("GRISTMILL_SCREENSHOTS") else { return };
    std::fs::create_dir_all(&dir).unwrap();
    let shots = [
        ("start", "/", "1100,700", false),
        ("search-english", "/search?q=asyncio+OR+stone", "1100,800", false),
        (
            "search-chinese",
            "/search?q=%E6%9C%BA%E5%99%A8%E5%AD%A6%E4%B9%A0+%E6%90%9C%E7%B4%A2&language=zh",
            "1100,700",
            false,
        ),
        ("search-dark", "/search?q=mill&collapse=true", "1100,800", true),
        ("search-phone", "/search?q=asyncio", "500,1000", false),
        ("document", "/document/zh1", "1100,800", false),
        ("product", "/document/product", "1100,800", true),
        ("status", "/status", "1100,900", false),
        ("refused", "/search?q=x&from=soon", "1100,500", false),
    ];
    for (name, path, size, dark) in shots {
        let picture = Path::new(&dir).join(format!("{name}.png"));
        let picture = format!("--screenshot={}", picture.display());
        let (size, url) = (format!("--window-size={size}"), format!("http://{}{path}", server.address));
        let mut arguments = vec![picture.as_str(), &size, &url];
        if dark {
            arguments.insert(0, "--blink-settings=preferredColorScheme=0");
        }
        chromium(&arguments);
    }
}
