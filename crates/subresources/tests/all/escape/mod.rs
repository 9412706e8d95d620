//! Pages that try every way out of the browser, judged by listeners that must hear nothing.

mod cases;
mod listeners;

use std::path::Path;
use std::time::Duration;

use cases::{CASES, Case};
use gristmill_browser::{Browser, BrowserConfig, DisabledDefences, Isolation, RenderError, RenderMode, RenderRequest};
use gristmill_fetch::FetchConfig;
use gristmill_subresources::{Subresources, SubresourcesConfig};
use listeners::{Listeners, Site, own_address};

const SHELL: &str = "/usr/bin/chromium-headless-shell";

fn is_there() -> bool {
    let there = [SHELL, "/usr/bin/chromium"].iter().any(|path| Path::new(path).exists());
    if !there {
        eprintln!("SKIPPED: Debian's packages `chromium-headless-shell` and `chromium` are absent");
    }
    there
}

/// What a browser lets through by itself is known of this one.
fn is_shell() -> bool {
    let is_shell = Path::new(SHELL).exists() && std::env::var_os("GRISTMILL_TEST_BROWSER").is_none();
    if !is_shell {
        eprintln!("SKIPPED: what is in nobody's way is known of Debian's package `chromium-headless-shell` only");
    }
    is_shell
}

/// A browser, the listeners that its pages try to reach, and all that stands between them.
struct Trial {
    browser: Browser,
    resources: Subresources,
    listeners: Listeners,
    site: Site,
}

/// What one page did.
struct Seen {
    heard: Vec<String>,
    html: String,
}

impl Trial {
    /// Private addresses are allowed for the page's own site, as when an intranet is crawled: the guard must tell apart whose.
    async fn new(settings: BrowserConfig) -> Trial {
        let fetch = FetchConfig { allow_private: true, ..FetchConfig::default() };
        let settings = BrowserConfig {
            max_wait: Duration::from_millis(1500),
            quiet: Duration::from_millis(300),
            max_scrolls: 0,
            // On a busy machine answers take long.
            timeout: Duration::from_secs(60),
            frames: true,
            // Another than the preferred one.
            program: std::env::var_os("GRISTMILL_TEST_BROWSER").map(Into::into),
            ..settings
        };
        Trial {
            browser: Browser::start(settings).await.unwrap(),
            resources: Subresources::new(&SubresourcesConfig::default(), &fetch).unwrap(),
            listeners: Listeners::start(),
            site: Site::start(),
        }
    }

    async fn run(&mut self, case: &Case) -> Seen {
        self.run_as(case, RenderMode::Scripts).await
    }

    async fn run_as(&mut self, case: &Case, mode: RenderMode) -> Seen {
        let own = own_address().map_or_else(|| "127.0.0.1".to_owned(), |ip| ip.to_string());
        let html = case
            .html
            .replace("{T}", &format!("127.0.0.1:{}", self.listeners.tcp))
            .replace("{P}", &self.listeners.tcp.to_string())
            .replace("{U}", &self.listeners.udp.to_string())
            .replace("{IP}", &own);
        let html = format!("<!doctype html><title>{}</title><body>{html}<p>Rye</p>", case.name);
        self.site.show(&html);
        let page = RenderRequest::html(format!("http://{}/", self.site.address), html);
        let supply = self.resources.of_page(&page.url.parse().unwrap());
        let mut drawn = self.browser.render(&page, mode, &supply).await;
        if let Err(RenderError::Timeout { .. }) = drawn {
            // On a busy machine a snapshot has no answer now and then. The browser is a new one after that.
            drawn = self.browser.render(&page, mode, &supply).await;
        }
        let html = match drawn {
            Ok(drawn) => drawn.html,
            // Ways out that end the page are no way out.
            Err(RenderError::Left { .. } | RenderError::Refused { .. }) => String::new(),
            Err(error) => panic!("{}: {error}", case.name),
        };
        // What is on its way may arrive.
        tokio::time::sleep(Duration::from_millis(100)).await;
        Seen { heard: self.listeners.take(), html }
    }
}

/// All defences but the namespace are off.
const NAKED: DisabledDefences = DisabledDefences {
    pausing: true,
    proxy: true,
    loopback_rule: true,
    resolver_rules: true,
    webrtc_policy: true,
    target_rule: true,
    method_rule: true,
};

async fn assert_silent(settings: BrowserConfig, mode: RenderMode) {
    let told = format!("{:?} and {mode:?}", settings.isolation);
    let mut trial = Trial::new(settings).await;
    for case in CASES {
        let seen = trial.run_as(case, mode).await;
        assert!(seen.heard.is_empty(), "{} with {told}: {:?}", case.name, seen.heard);
        assert!(!seen.html.contains("root:x:"), "{} read a file", case.name);
        let asked = trial.site.asked();
        let is_read_only = asked.iter().all(|line| line.starts_with("GET ") && !line.contains("/changed"));
        assert!(is_read_only, "{} with {told}: {asked:?}", case.name);
    }
}

#[tokio::test]
async fn no_page_reaches_anybody_past_the_fetcher() {
    if !is_there() {
        return;
    }
    // With a namespace where it can be had, and without: each wall stands alone.
    let settings = |isolation| BrowserConfig { isolation, ..BrowserConfig::default() };
    tokio::join!(
        assert_silent(settings(Isolation::Auto), RenderMode::Scripts),
        assert_silent(settings(Isolation::Off), RenderMode::Scripts),
        assert_silent(settings(Isolation::Off), RenderMode::Styles),
    );
}

/// The same pages where nothing is in their way: a case that reaches nobody here would prove nothing above.
#[tokio::test]
async fn the_ways_out_are_ways_out() {
    if !is_shell() {
        return;
    }
    let mut trial =
        Trial::new(BrowserConfig { isolation: Isolation::Off, without: NAKED, ..BrowserConfig::default() }).await;
    let mut wrong = Vec::new();
    for case in CASES {
        let mut seen = trial.run(case).await;
        // On a busy machine the page may be taken before its packet is out.
        for _ in 0..2 {
            if case.is_live && seen.heard.is_empty() {
                seen = trial.run(case).await;
            }
        }
        if seen.heard.is_empty() == case.is_live {
            wrong.push((case.name, seen.heard));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What a page did with some defences off.
async fn without(without: DisabledDefences, isolation: Isolation, name: &str) -> (bool, Trial) {
    let case = CASES.iter().find(|case| case.name == name).unwrap();
    let mut trial = Trial::new(BrowserConfig { isolation, without, ..BrowserConfig::default() }).await;
    let heard = !trial.run(case).await.heard.is_empty();
    (heard, trial)
}

/// One defence off at a time, and the case that gets through then. The namespace is off in all of them, since it stops all.
#[tokio::test]
async fn each_of_these_defences_stops_something_that_no_other_does() {
    if !is_shell() {
        return;
    }
    let all = DisabledDefences::default();
    let mut table = vec![
        ("proxy", DisabledDefences { proxy: true, ..all }, "web_socket"),
        ("proxy for loopback", DisabledDefences { loopback_rule: true, ..all }, "web_socket"),
    ];
    match own_address() {
        Some(_) => table.push(("WebRTC policy", DisabledDefences { webrtc_policy: true, ..all }, "web_rtc")),
        // Chromium sends no WebRTC from loopback.
        None => eprintln!("SKIPPED: this machine has no address but loopback, so WebRTC sends nothing"),
    }
    for (defence, off, case) in table {
        assert!(without(off, Isolation::Off, case).await.0, "{case} is heard without the {defence}");
    }
    let (_, trial) =
        without(DisabledDefences { method_rule: true, ..all }, Isolation::Off, "put_to_its_own_site").await;
    assert!(trial.site.asked().iter().any(|line| line.contains("/changed")), "{:?}", trial.site.asked());
}

/// These stand behind one another: each is enough where the one before it fails.
#[tokio::test]
async fn where_one_wall_is_gone_the_next_one_stands() {
    if !is_shell() {
        return;
    }
    let all = DisabledDefences::default();
    // What is not paused ends at the proxy, which counts it; without both it is heard.
    let (heard, trial) = without(DisabledDefences { pausing: true, ..all }, Isolation::Off, "fetch").await;
    assert!(!heard && trial.browser.refused_connections() > 0);
    assert!(without(DisabledDefences { pausing: true, proxy: true, ..all }, Isolation::Off, "fetch").await.0);
    // Popups and workers that are let run still pause.
    for case in ["popup", "popup_that_its_opener_fills", "shared_worker", "service_worker"] {
        assert!(!without(DisabledDefences { target_rule: true, ..all }, Isolation::Off, case).await.0, "{case}");
    }
    // Without the proxy no name is found.
    let named = "web_socket_by_name";
    assert!(!without(DisabledDefences { proxy: true, ..all }, Isolation::Off, named).await.0);
    assert!(without(DisabledDefences { proxy: true, resolver_rules: true, ..all }, Isolation::Off, named).await.0);
    // The namespace alone is enough.
    if trial_has_namespaces().await {
        for case in ["fetch", "popup", "web_socket", "web_transport", "web_rtc", "shared_worker"] {
            assert!(!without(NAKED, Isolation::Required, case).await.0, "{case} left the namespace");
        }
    }
}

async fn trial_has_namespaces() -> bool {
    let has =
        Browser::start(BrowserConfig { isolation: Isolation::Required, ..BrowserConfig::default() }).await.is_ok();
    if !has {
        eprintln!("SKIPPED: namespaces cannot be had here");
    }
    has
}

/// The guard is what keeps a page from other machines where requests are paused and answered: an operator who names a host opens it.
#[tokio::test]
async fn a_private_host_is_reached_only_where_the_operator_names_it() {
    if !is_there() {
        return;
    }
    let case = CASES.iter().find(|case| case.name == "name_of_this_machine").unwrap();
    let mut trial = Trial::new(BrowserConfig::default()).await;
    assert!(trial.run(case).await.heard.is_empty());
    let fetch = FetchConfig {
        allow_private: true,
        resolve: [("localhost".to_owned(), "127.0.0.1".to_owned())].into(),
        ..FetchConfig::default()
    };
    trial.resources = Subresources::new(&SubresourcesConfig::default(), &fetch).unwrap();
    assert!(!trial.run(case).await.heard.is_empty());
    // A name that leads to a private address, as after rebinding, is refused by its address.
    let fetch = FetchConfig { allow_private: false, ..fetch };
    trial.resources = Subresources::new(&SubresourcesConfig::default(), &fetch).unwrap();
    assert!(trial.run(case).await.heard.is_empty());
}
