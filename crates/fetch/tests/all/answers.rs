//! What comes of servers that behave, over real sockets.

use std::time::{Duration, SystemTime};

use gristmill_fetch::{
    Client, ContentEncoding, DecodeLimits, FetchConfig, FetchKind, Request, Verdict, decode_body, retry_after,
};
use gristmill_secrets::Secret;
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

fn start(config: TestSiteConfig) -> (TestWeb, Client) {
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let client = client(&web, FetchConfig::default());
    (web, client)
}

fn client(web: &TestWeb, config: FetchConfig) -> Client {
    Client::new(&FetchConfig { allow_private: true, resolve: web.resolve_map(), ..config }).unwrap()
}

fn page(url: &str) -> Request {
    Request::page(url.parse().unwrap())
}

#[tokio::test]
async fn bodies_come_raw_and_decoded_in_every_coding() {
    let (web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let mut seen = std::collections::HashSet::new();
    for number in 1..=12 {
        let url = web.site().url(0, &web.site().page_path(number));
        let response = client.fetch(&page(&url)).await.unwrap();
        assert_eq!(response.verdict(), Verdict::Ok);
        let body = &response.body;
        seen.insert(body.encoding);
        let again = decode_body(&body.wire, body.encoding, DecodeLimits::default()).unwrap();
        assert_eq!(again, body.decoded, "{url}");
        let word = web.site().unique_word(0, number);
        assert!(memchr::memmem::find(&body.decoded, word.as_bytes()).is_some(), "{url} without {word}");
        assert_eq!(response.wire_bytes, body.wire.len() as u64);
    }
    for encoding in [
        ContentEncoding::Identity,
        ContentEncoding::Gzip,
        ContentEncoding::Deflate,
        ContentEncoding::Brotli,
        ContentEncoding::Zstd,
    ] {
        assert!(seen.contains(&encoding), "{encoding:?}");
    }
}

#[tokio::test]
async fn the_address_dialled_and_the_times_are_told() {
    let (_web, client) =
        start(TestSiteConfig { n_hosts: 1, delay: Duration::from_millis(60), ..TestSiteConfig::default() });
    let before = SystemTime::now();
    let response = client.fetch(&page("http://user:secret@site0.test/#part")).await.unwrap();
    assert_eq!(response.ip, Some("127.0.0.1".parse().unwrap()));
    assert_eq!(response.url.as_str(), "http://site0.test/");
    assert!(response.duration >= Duration::from_millis(60));
    assert!(before <= response.started && response.finished == response.started + response.duration);
}

#[tokio::test]
async fn validators_bring_304_and_no_body() {
    let (web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let first = client.fetch(&page("http://site0.test/article/1.html")).await.unwrap();
    for (etag, last_modified) in [(first.headers.etag.clone(), None), (None, first.headers.last_modified.clone())] {
        let request = Request { etag, last_modified, ..page("http://site0.test/article/1.html") };
        let second = client.fetch(&request).await.unwrap();
        assert_eq!(second.verdict(), Verdict::NotModified);
        assert!(second.body.wire.is_empty());
    }
    assert_eq!(web.log()[1].if_none_match, first.headers.etag);
}

#[tokio::test]
async fn the_user_agent_and_extra_headers_go_out() {
    let (web, _) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let config = FetchConfig {
        contact: "ops@example.org".to_owned(),
        headers: [("If-None-Match".to_owned(), Secret::new("\"mine\""))].into(),
        ..FetchConfig::default()
    };
    client(&web, config).fetch(&page("http://site0.test/")).await.unwrap();
    let entry = web.log().pop().unwrap();
    assert_eq!(entry.user_agent, "gristmill/0.1 (+ops@example.org)");
    assert_eq!(entry.if_none_match.as_deref(), Some("\"mine\""));
}

#[tokio::test]
async fn redirects_are_answers_and_not_followed() {
    let (web, client) = start(TestSiteConfig { n_hosts: 2, ..TestSiteConfig::default() });
    for (path, target) in [
        ("/old/1", "http://site0.test/old/2"),
        ("/old/2", "http://site0.test/article/1.html"),
        ("/away", "http://site1.test/article/1.html"),
    ] {
        let response = client.fetch(&page(&web.site().url(0, path))).await.unwrap();
        assert_eq!(response.redirect_target().unwrap().as_str(), target);
    }
    assert_eq!(web.log().len(), 3);
}

#[tokio::test]
async fn robots_rules_of_the_header_are_handed_on() {
    let (web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let response = client.fetch(&page(&web.site().url(0, "/quiet/18.html"))).await.unwrap();
    assert_eq!(response.headers.x_robots_tag, ["noindex"]);
}

#[tokio::test]
async fn a_gzip_sitemap_is_unpacked() {
    let (_web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let url = "http://site0.test/sitemap-more.xml.gz".parse().unwrap();
    let response = client.fetch(&Request::of_kind(url, FetchKind::Sitemap)).await.unwrap();
    assert!(response.body.decoded.starts_with(b"<?xml"));
    assert!(response.wire_bytes < response.body.decoded.len() as u64, "it came packed");
    assert_eq!(response.body.wire, response.body.decoded, "nobody reads a listing as it came");
}

#[tokio::test]
async fn retry_after_is_read_in_both_forms() {
    let (_web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    for path in ["429", "429-date"] {
        let response = client.fetch(&page(&format!("http://site0.test/hostile/{path}"))).await.unwrap();
        let value = response.headers.retry_after.clone().unwrap();
        let wait = retry_after(&value, SystemTime::now(), Duration::from_secs(60)).unwrap();
        assert!(wait <= Duration::from_secs(2) && wait > Duration::from_millis(200), "{value}: {wait:?}");
    }
}

#[tokio::test]
async fn a_host_sees_one_request_at_a_time_over_one_connection() {
    let (web, client) =
        start(TestSiteConfig { n_hosts: 1, delay: Duration::from_millis(20), ..TestSiteConfig::default() });
    let fetches: Vec<_> = (1..=10)
        .map(|number| {
            let (client, url) = (client.clone(), web.site().url(0, &web.site().page_path(number)));
            tokio::spawn(async move { client.fetch(&page(&url)).await.unwrap().verdict() })
        })
        .collect();
    for fetch in fetches {
        assert_eq!(fetch.await.unwrap(), Verdict::Ok);
    }
    let log = web.log();
    assert_eq!(log.len(), 10);
    for pair in log.windows(2) {
        assert!(pair[0].finished.unwrap() <= pair[1].started, "two requests overlap");
        assert_eq!(pair[0].connection, pair[1].connection);
    }
}

#[tokio::test]
async fn a_proxy_gets_the_request_with_the_whole_url() {
    let (web, _) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let config =
        FetchConfig { proxy: Some(format!("http://127.0.0.1:{}", web.addr().port()).into()), ..FetchConfig::default() };
    let client = Client::new(&config).unwrap();
    let response = client.fetch(&page("http://site0.test/")).await.unwrap();
    assert_eq!(response.verdict(), Verdict::Ok);
    let literal = client.fetch(&page("http://127.0.0.1/")).await.unwrap_err();
    assert_eq!(literal.verdict(), Verdict::RefusedAddress);
}

#[tokio::test]
async fn only_what_refuses_a_page_is_kept_as_a_refusal_recorded_or_not() {
    let (_web, client) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    for is_on in [false, true] {
        let recorder = gristmill_fetch::Recorder::new(is_on);
        let response = client.fetch_recorded(&page("http://site0.test/no-such-page"), &recorder).await.unwrap();
        assert_eq!((response.status, response.refusal.len()), (404, 0));
        assert_eq!(recorder.take().is_some_and(|exchange| !exchange.body.is_empty()), is_on);
    }
}

/// Speaks SOCKS 5 (RFC 1928), without authentication, for one connection at a time; answers which hosts were asked for.
async fn socks(target: std::net::SocketAddr) -> (std::net::SocketAddr, std::sync::Arc<std::sync::Mutex<Vec<String>>>) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, asked) = (listener.local_addr().unwrap(), std::sync::Arc::default());
    let hosts: std::sync::Arc<std::sync::Mutex<Vec<String>>> = std::sync::Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 2];
            stream.read_exact(&mut head).await.unwrap();
            let mut methods = vec![0; usize::from(head[1])];
            stream.read_exact(&mut methods).await.unwrap();
            stream.write_all(&[5, 0]).await.unwrap();
            let mut request = [0; 4];
            stream.read_exact(&mut request).await.unwrap();
            let length = if request[3] == 3 { stream.read_u8().await.unwrap() } else { 4 };
            let mut host = vec![0; usize::from(length)];
            stream.read_exact(&mut host).await.unwrap();
            let _port = stream.read_u16().await.unwrap();
            hosts.lock().unwrap().push(String::from_utf8_lossy(&host).into_owned());
            stream.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).await.unwrap();
            let mut server = tokio::net::TcpStream::connect(target).await.unwrap();
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
        }
    });
    (address, asked)
}

#[tokio::test]
async fn a_socks_proxy_is_given_the_name() {
    let (web, _) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let (address, asked) = socks(web.addr()).await;
    let config = FetchConfig { proxy: Some(format!("socks5h://{address}").into()), ..FetchConfig::default() };
    let response = Client::new(&config).unwrap().fetch(&page("http://site0.test/")).await.unwrap();
    assert_eq!((response.verdict(), response.ip), (Verdict::Ok, None));
    assert_eq!(*asked.lock().unwrap(), ["site0.test"]);
}

#[tokio::test]
async fn names_of_private_networks_never_reach_a_proxy() {
    let (web, _) = start(TestSiteConfig { n_hosts: 1, ..TestSiteConfig::default() });
    let proxy = Some(format!("http://127.0.0.1:{}", web.addr().port()).into());
    let client = Client::new(&FetchConfig { proxy, ..FetchConfig::default() }).unwrap();
    for url in
        ["http://localhost/", "http://a.localhost/", "http://printer.local/", "http://intranet/", "http://x.internal/"]
    {
        let error = client.fetch(&page(url)).await.unwrap_err();
        assert_eq!(error.verdict(), Verdict::RefusedAddress, "{error}");
        assert!(error.to_string().contains("`fetch.allow_private`"), "{error}");
    }
    assert!(web.log().is_empty());
    let response = client.fetch(&page("http://site0.test/")).await.unwrap();
    assert_eq!((response.verdict(), response.ip), (Verdict::Ok, None), "the proxy's address is not the site's");
}

#[tokio::test]
async fn hosts_may_stand_on_addresses_of_their_own() {
    let (web, client) = start(TestSiteConfig { n_hosts: 3, n_addresses: 3, ..TestSiteConfig::default() });
    let mut seen = std::collections::HashSet::new();
    for seed in web.site().seeds() {
        let response = client.fetch(&page(&seed)).await.unwrap();
        assert_eq!(response.verdict(), Verdict::Ok);
        seen.insert(response.ip);
    }
    assert_eq!(seen.len(), 3);
}

/// Answers the requests that come with these texts, one connection each, and gives back what came.
fn answering(answers: &'static [&'static str]) -> (std::net::SocketAddr, std::thread::JoinHandle<Vec<String>>) {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let served = std::thread::spawn(move || {
        let answer = |answer: &&str| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = String::new();
            while !asked.ends_with("grain") {
                let mut piece = [0; 1024];
                let n = stream.read(&mut piece).unwrap();
                asked.push_str(std::str::from_utf8(&piece[..n]).unwrap());
            }
            stream.write_all(answer.as_bytes()).unwrap();
            asked
        };
        answers.iter().map(answer).collect()
    });
    (address, served)
}

#[tokio::test]
async fn a_post_takes_every_status_for_an_answer_and_follows_no_redirect() {
    let (address, served) = answering(&[
        "HTTP/1.1 307 There\r\nLocation: /other\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    ]);
    let config = FetchConfig { allow_private: true, ..FetchConfig::default() };
    let client = Client::new(&config).unwrap();
    let url = format!("http://{address}/hook#part").parse().unwrap();
    let mut answers = Vec::new();
    for _ in 0..2 {
        answers.push(client.post(&url, &[("x-id", "7")], b"grain".to_vec()).await.unwrap());
    }
    assert_eq!((answers[0].status, answers[0].retry_after), (307, None));
    assert_eq!((answers[1].status, answers[1].retry_after), (503, Some(Duration::from_secs(7))));
    let asked = served.join().unwrap();
    assert!(asked[0].starts_with("POST /hook HTTP/1.1\r\n") && asked[0].contains("x-id: 7\r\n"), "{}", asked[0]);
}

#[tokio::test]
async fn a_post_goes_past_the_address_guard() {
    let client = Client::new(&FetchConfig::default()).unwrap();
    for url in ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/", "http://169.254.169.254/"] {
        let refused = client.post(&url.parse().unwrap(), &[], Vec::new()).await.unwrap_err();
        assert_eq!(refused.verdict(), Verdict::RefusedAddress, "{url}: {refused}");
    }
}
