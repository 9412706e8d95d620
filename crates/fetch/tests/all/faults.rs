//! What comes of servers that misbehave, over real sockets: each fault ends in its own outcome, in bounded time.

use std::time::{Duration, Instant};

use gristmill_fetch::{Client, FetchConfig, FetchError, FetchKind, Request, Response, Retry, Verdict};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

fn web() -> TestWeb {
    TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 1, n_pages: 20, ..TestSiteConfig::default() })).unwrap()
}

fn config(web: &TestWeb) -> FetchConfig {
    FetchConfig {
        allow_private: true,
        resolve: web.resolve_map(),
        connect_timeout: Duration::from_secs(10),
        read_timeout: Duration::from_secs(8),
        total_timeout: Duration::from_secs(40),
        min_speed_after: Duration::from_secs(5),
        ..FetchConfig::default()
    }
}

async fn get(config: &FetchConfig, path: &str) -> Result<Response, FetchError> {
    let url = format!("http://site0.test{path}").parse().unwrap();
    Client::new(config).unwrap().fetch(&Request::page(url)).await
}

/// The outcome of a hostile endpoint and the message that goes with it.
async fn outcome(config: &FetchConfig, name: &str) -> (Verdict, String) {
    match get(config, &format!("/hostile/{name}")).await {
        Ok(response) => (response.verdict(), String::new()),
        Err(error) => (error.verdict(), error.to_string()),
    }
}

#[tokio::test]
async fn each_fault_has_its_own_outcome() {
    let web = web();
    let config = config(&web);
    let mut wrong = Vec::new();
    for (name, expected) in [
        ("bomb/gzip", Verdict::Ratio),
        ("bomb/br", Verdict::Ratio),
        ("bomb/zstd", Verdict::Ratio),
        ("bomb/deflate", Verdict::Ratio),
        ("endless", Verdict::TooLarge),
        ("endless-header", Verdict::HeaderTooLarge),
        ("huge-header", Verdict::HeaderTooLarge),
        ("many-headers", Verdict::HeaderTooLarge),
        ("silent", Verdict::Timeout),
        ("silent-body", Verdict::Timeout),
        ("drip", Verdict::TooSlow),
        ("reset", Verdict::Ok),
        ("short", Verdict::Ok),
        ("long", Verdict::Ok),
        ("chunk-garbage", Verdict::Ok),
        ("chunk-endless", Verdict::Ok),
        ("no-http", Verdict::Protocol),
        ("large", Verdict::TooLarge),
        ("empty", Verdict::Ok),
        ("image", Verdict::BadType),
        ("pdf", Verdict::BadType),
        ("untyped-binary", Verdict::BadType),
        ("untyped-html", Verdict::Ok),
        ("deep", Verdict::Ok),
        ("self", Verdict::Redirect),
        ("cookie-wall", Verdict::Ok),
        ("session", Verdict::Ok),
        ("sessions", Verdict::Redirect),
        ("broken-charset", Verdict::Ok),
        ("broken-gzip", Verdict::Ok),
        ("false-gzip", Verdict::Ok),
        ("stacked", Verdict::Ok),
        ("429", Verdict::TooManyRequests),
        ("503", Verdict::Unavailable),
        ("status/204", Verdict::UnexpectedStatus),
        ("status/206", Verdict::Ok),
        ("status/500", Verdict::ServerError),
        ("status/403", Verdict::Forbidden),
        ("status/404", Verdict::NotFound),
        ("status/410", Verdict::Gone),
        ("status/408", Verdict::Unavailable),
        ("status/418", Verdict::ClientError),
        ("status/999", Verdict::UnexpectedStatus),
    ] {
        let begun = Instant::now();
        let (found, message) = outcome(&config, name).await;
        if found != expected || begun.elapsed() > Duration::from_secs(50) {
            wrong.push(format!("{name}: {found:?}, not {expected:?}, after {:?}: {message}", begun.elapsed()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_body_that_ends_early_is_a_fault_where_the_settings_say_so() {
    let web = web();
    let config = FetchConfig { allow_truncated: false, ..config(&web) };
    for (name, expected) in [
        ("reset", Verdict::Truncated),
        ("short", Verdict::Truncated),
        ("chunk-garbage", Verdict::Protocol),
        ("chunk-endless", Verdict::Truncated),
        ("broken-gzip", Verdict::BadEncoding),
    ] {
        assert_eq!(outcome(&config, name).await.0, expected, "{name}");
    }
}

#[tokio::test]
async fn a_limit_that_was_hit_is_named_with_its_key_and_value() {
    let web = web();
    let config = FetchConfig { max_body_bytes: 30_000_000, max_wire_bytes: 1_000_000, ..config(&web) };
    for (name, part) in [
        ("bomb/gzip", "`fetch.max_ratio` (200 "),
        ("large", "`fetch.max_wire_bytes` (1000000 bytes)"),
        ("huge-header", "`fetch.max_header_bytes` (65536 bytes)"),
        ("many-headers", "more than 256 fields or 409600 bytes"),
        ("silent", "`fetch.read_timeout` (8s)"),
        ("drip", "`fetch.min_speed` (500 bytes"),
        ("image", "`image/png`"),
    ] {
        let (_, message) = outcome(&config, name).await;
        assert!(message.contains(part), "{name}: {message}");
        assert!(message.contains(&format!("`http://site0.test/hostile/{name}`")), "{name}: {message}");
    }
}

#[tokio::test]
async fn a_declared_length_above_the_limit_is_refused_before_the_body() {
    let web = web();
    assert_eq!(outcome(&config(&web), "large").await.0, Verdict::TooLarge);
    // The client turned away, so the server could not finish its 50 MB.
    let entry = web.log().pop().unwrap();
    assert!(!entry.complete, "{entry:?}");
}

#[tokio::test]
async fn the_total_time_bounds_a_transfer_that_is_just_fast_enough() {
    let web = web();
    let config = FetchConfig { total_timeout: Duration::from_millis(900), min_speed: 0, ..config(&web) };
    let begun = Instant::now();
    let error = get(&config, "/hostile/drip").await.unwrap_err();
    assert!(error.to_string().contains("`fetch.total_timeout` (900ms)"), "{error}");
    assert_eq!(error.retry(), Retry::BackOff);
    assert!(begun.elapsed() < Duration::from_secs(45));
}

#[tokio::test]
async fn private_addresses_are_refused_however_they_are_written_or_found() {
    let web = web();
    let config = FetchConfig { allow_private: false, ..config(&web) };
    let client = Client::new(&config).unwrap();
    let port = web.addr().port();
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://localhost:{port}/"),
        "http://site0.test/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
    ] {
        for kind in [FetchKind::Page, FetchKind::Robots, FetchKind::Sitemap, FetchKind::Feed] {
            let error = client.fetch(&Request::of_kind(url.parse().unwrap(), kind)).await.unwrap_err();
            assert_eq!(error.verdict(), Verdict::RefusedAddress, "{url}: {error}");
        }
    }
    assert!(web.log().is_empty(), "not one of them was dialled");
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_handed_back_and_refused_when_followed() {
    let web = web();
    let response = get(&config(&web), "/hostile/to-private").await.unwrap();
    let target = response.redirect_target().unwrap();
    assert_eq!(target.as_str(), "http://10.0.0.1/secret");
    let guarded = Client::new(&FetchConfig::default()).unwrap();
    assert_eq!(guarded.fetch(&Request::page(target)).await.unwrap_err().verdict(), Verdict::RefusedAddress);
}

#[tokio::test]
async fn a_host_without_address_or_server_says_so() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = free.local_addr().unwrap();
    drop(free);
    let config = FetchConfig { allow_private: true, ..FetchConfig::default() };
    let client = Client::new(&config).unwrap();
    let refused = client.fetch(&Request::page(format!("http://{closed}/").parse().unwrap())).await.unwrap_err();
    assert_eq!(refused.verdict(), Verdict::Connect, "{refused}");
    let unknown = client.fetch(&Request::page("http://no-such-host.invalid/".parse().unwrap())).await.unwrap_err();
    assert_eq!(unknown.verdict(), Verdict::Dns, "{unknown}");
    let ftp = client.fetch(&Request::page("ftp://a.test/".parse().unwrap())).await.unwrap_err();
    assert_eq!(ftp.verdict(), Verdict::BadUrl, "{ftp}");
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_a_tls_fault() {
    let web = web();
    let url = format!("https://127.0.0.1:{}/", web.addr().port()).parse().unwrap();
    let error = Client::new(&config(&web)).unwrap().fetch(&Request::page(url)).await.unwrap_err();
    assert_eq!(error.verdict(), Verdict::Tls, "{error:?}");
}

#[tokio::test]
async fn robots_txt_beyond_its_limit_is_cut_and_not_refused() {
    let web = web();
    let client = Client::new(&config(&web)).unwrap();
    for name in ["endless", "large", "bomb/gzip"] {
        let url = format!("http://site0.test/hostile/{name}").parse().unwrap();
        let response = client.fetch(&Request::of_kind(url, FetchKind::Robots)).await.unwrap();
        assert!(response.body.truncated, "{name}");
        assert_eq!(response.body.decoded.len(), 500 * 1024, "{name}");
    }
}
