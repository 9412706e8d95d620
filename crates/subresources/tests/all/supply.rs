//! What pages ask for, fetched from a real web server under the rules.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use gristmill_browser::{ResourceKind, ResourceLoader, ResourceRequest, ResourceResponse};
use gristmill_fetch::{FetchConfig, SiteFetchConfig};
use gristmill_secrets::Secret;
use gristmill_subresources::{Subresources, SubresourcesConfig};
use gristmill_urls::SitePattern;

/// A site that notes the paths it is asked for.
struct Site {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let log = Arc::clone(&log);
                std::thread::spawn(move || reply(&stream, &log));
            }
        });
        Site { address, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn times(&self, path: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == path).count()
    }
}

fn reply(mut stream: &TcpStream, asked: &Mutex<Vec<String>>) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let logged_in = head.iter().any(|line| line.to_ascii_lowercase().starts_with("authorization: basic "));
    let (status, kind, body) = match path.as_str() {
        "/robots.txt" => ("200 OK", "text/plain", "User-agent: *\nDisallow: /private".to_owned()),
        "/large.js" => ("200 OK", "text/javascript", " ".repeat(2_000)),
        "/login.js" if !logged_in => ("401 Unauthorized", "text/javascript", String::new()),
        "/gone.js" => ("404 Not Found", "text/javascript", "no".to_owned()),
        _ => ("200 OK", "application/vnd.mill+json", "{}".to_owned()),
    };
    asked.lock().unwrap().push(path);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes());
}

async fn ask(resources: &Subresources, page: &str, url: &str, kind: ResourceKind) -> Result<u16, String> {
    let request = ResourceRequest { url: url.to_owned(), kind, page: page.to_owned(), accept: None };
    match resources.of_page(&page.parse().unwrap()).answer(request).await {
        ResourceResponse::Found(content) => Ok(content.status),
        ResourceResponse::Refused(refusal) => Err(refusal.reason),
    }
}

fn resources(config: SubresourcesConfig) -> Subresources {
    Subresources::new(&config, &FetchConfig { allow_private: true, ..FetchConfig::default() }).unwrap()
}

#[tokio::test]
async fn the_login_of_a_site_is_for_its_own_pages_and_so_is_what_it_opens() {
    let site = Site::start();
    let resolve = ["shop.test", "www.shop.test", "evil.test"].map(|host| (host.to_owned(), site.address.to_string()));
    let pattern = SitePattern::new(&["*.shop.test".to_owned()], None).unwrap();
    let (username, password) = ("me".to_owned(), Secret::new("hunter2"));
    let login = SiteFetchConfig { username, password, ..SiteFetchConfig::of("sites[0]", pattern) };
    let fetch =
        FetchConfig { resolve: resolve.into(), allow_private: true, sites: vec![login], ..FetchConfig::default() };
    let resources = Subresources::new(&SubresourcesConfig::default(), &fetch).unwrap();
    let script = "http://shop.test/login.js";
    for (page, status) in [
        ("http://evil.test/", 401),
        ("http://www.shop.test/", 200),
        ("http://shop.test/", 200),
        ("http://evil.test/again", 401),
    ] {
        assert_eq!(ask(&resources, page, script, ResourceKind::Script).await, Ok(status), "{page}");
    }
    assert_eq!(site.times("/login.js"), 4, "what a login opened is not kept for others");
}

#[tokio::test]
async fn what_went_over_the_wire_is_kept_if_it_is_to_be_archived() {
    let site = Site::start();
    let resources = resources(SubresourcesConfig::default());
    let page = site.url("/one");
    for records in [false, true] {
        let supply = resources.of_page(&page.parse().unwrap()).recorded(records);
        for path in ["/gone.js", "/data.json", "/private/data.json"] {
            let request =
                ResourceRequest { url: site.url(path), kind: ResourceKind::Data, page: page.clone(), accept: None };
            let _ = supply.answer(request).await;
        }
        let kept = supply.exchanges();
        let told: Vec<_> =
            kept.iter().map(|(request, exchange)| (request.url.clone(), exchange.status, &exchange.body[..])).collect();
        let all = [(site.url("/gone.js"), 404, &b"no"[..]), (site.url("/data.json"), 200, &b"{}"[..])];
        assert_eq!(told, if records { all.to_vec() } else { Vec::new() }, "what is refused never went over the wire");
        assert!(supply.exchanges().is_empty(), "they are given once");
    }
}

#[tokio::test]
async fn scripts_are_kept_for_other_pages_and_data_is_not() {
    let site = Site::start();
    let resources = resources(SubresourcesConfig::default());
    for path in ["/one", "/two"] {
        let page = site.url(path);
        for (path, kind) in
            [("/app.js", ResourceKind::Script), ("/a.css", ResourceKind::Style), ("/a.json", ResourceKind::Data)]
        {
            assert_eq!(ask(&resources, &page, &site.url(path), kind).await, Ok(200));
        }
        assert_eq!(ask(&resources, &page, &site.url("/gone.js"), ResourceKind::Script).await, Ok(404));
    }
    let times = ["/app.js", "/a.css", "/a.json", "/gone.js", "/robots.txt"].map(|path| site.times(path));
    assert_eq!(times, [1, 1, 2, 2, 1]);
    let tally = resources.tally();
    assert_eq!((tally.fetched, tally.cached, tally.refused), (6, 2, 0));
}

#[tokio::test]
async fn robots_txt_limits_and_the_guard_refuse_with_their_reason() {
    let (site, other) = (Site::start(), Site::start());
    let resources = resources(SubresourcesConfig { max_bytes: 1_000, per_minute: 3, ..SubresourcesConfig::default() });
    let page = site.url("/");
    for (url, reason) in [
        (site.url("/private/a.js"), "Disallow: /private"),
        (site.url("/large.js"), "1000 bytes"),
        // The page's own machine is no other site's business.
        (other.url("/a.js"), "a loopback address"),
        ("http://169.254.169.254/latest/".to_owned(), "a link-local address"),
        ("http://[::ffff:10.0.0.1]/".to_owned(), "a private address"),
    ] {
        let refused = ask(&resources, &page, &url, ResourceKind::Script).await.unwrap_err();
        assert!(refused.contains(reason), "{url}: {refused}");
    }
    assert_eq!((site.times("/private/a.js"), other.asked.lock().unwrap().len()), (0, 0));
    // One of three went to the large one.
    for _ in 0..2 {
        assert_eq!(ask(&resources, &page, &site.url("/b.json"), ResourceKind::Data).await, Ok(200));
    }
    let refused = ask(&resources, &page, &site.url("/b.json"), ResourceKind::Data).await.unwrap_err();
    assert!(refused.contains("subresources.per_minute"), "{refused}");
}

#[tokio::test]
async fn of_many_requests_at_once_one_asks_for_robots_txt() {
    let site = Site::start();
    let (resources, page) = (resources(SubresourcesConfig::default()), site.url("/"));
    let urls: Vec<String> = (0..20).map(|n| site.url(&format!("/{n}.js"))).collect();
    let asked = urls.iter().map(|url| ask(&resources, &page, url, ResourceKind::Script));
    assert!(futures::future::join_all(asked).await.iter().all(Result::is_ok));
    assert_eq!(site.times("/robots.txt"), 1);
}

#[tokio::test]
async fn a_page_asks_one_host_only_so_often() {
    let site = Site::start();
    let resources = resources(SubresourcesConfig { max_per_host: 2, ..SubresourcesConfig::default() });
    let page = site.url("/");
    let supply = resources.of_page(&page.parse().unwrap());
    let mut answers = Vec::new();
    for n in 0..3 {
        let request = ResourceRequest {
            url: site.url(&format!("/{n}.js")),
            kind: ResourceKind::Script,
            page: page.clone(),
            accept: None,
        };
        answers.push(matches!(supply.answer(request).await, ResourceResponse::Found(_)));
    }
    assert_eq!(answers, [true, true, false]);
}
