//! The doors for programs, asked by the clients that programs use.

use crate::common;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::gristmill;
use common::server::{Answer, HTML, field, path, serve_heads};

/// `gristmill serve` with these flags, until it is dropped.
struct Serving {
    child: Child,
    address: String,
    data: tempfile::TempDir,
}

impl Serving {
    fn start(flags: &[&str]) -> Self {
        Self::on(tempfile::tempdir().unwrap(), flags)
    }

    /// Killed, and started again on what it had.
    fn again(mut self, flags: &[&str]) -> Self {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let data = std::mem::replace(&mut self.data, tempfile::tempdir().unwrap());
        Self::on(data, flags)
    }

    fn on(data: tempfile::TempDir, flags: &[&str]) -> Self {
        let mut command = without_pauses(gristmill());
        command.arg("--data").arg(data.path()).args(["serve", "--listen", "127.0.0.1:0"]).args(flags);
        let log = std::fs::File::create(data.path().join("stderr")).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
        Self { child, address, data }
    }

    fn token(&self) -> String {
        std::fs::read_to_string(self.data.path().join("doors.token")).unwrap()
    }

    fn stderr(&self) -> String {
        std::fs::read_to_string(self.data.path().join("stderr")).unwrap()
    }

    /// What the Firecrawl door answers.
    fn firecrawl(&self, method: &str, path: &str, body: &str) -> (u16, serde_json::Value) {
        let (token, length) = (self.token(), body.len());
        let fields = format!("Authorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close");
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{fields}", self.address);
        let (status, answer) = self.ask(&format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}"));
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
        (status, serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}")))
    }

    /// The status of an answer, and all of it.
    fn ask(&self, request: &str) -> (u16, String) {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        (answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0), answer)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn without_pauses(mut command: Command) -> Command {
    for delay in ["MIN_DELAY", "IP_DELAY"] {
        command.env(format!("GRISTMILL__FRONTIER__POLITENESS__{delay}"), "0s");
    }
    command
}

/// A site about mills.
fn site() -> SocketAddr {
    serve_heads(|head| page(head, path(head)))
}

fn page(head: &[String], path: &str) -> Answer {
    let host = field(head, "host");
    let text = |title: &str, body: &str| -> Answer {
        let nav = "<nav><a href=/>Home</a> <a href=/guide>Guide</a> <a href=/stones>Stones</a> <a href=/hand-mill>Shop</a> \
                   <a href=/imprint>Imprint</a></nav>";
        let body = format!(
            "<html lang=en><head><title>{title}</title></head><body>{nav}<main><h1>{title}</h1>{body}</main></body></html>"
        );
        ("200 OK", HTML, body)
    };
    let long =
        "<p>A mill grinds grain between two stones, of which one turns and the other lies still, day and night.</p>";
    match path {
        "/robots.txt" => {
            let rules = format!("User-agent: *\nDisallow: /secret\nSitemap: http://{host}/sitemap.xml\n");
            ("200 OK", "Content-Type: text/plain\r\n", rules)
        }
        "/sitemap.xml" => {
            let list = format!("<urlset><url><loc>http://{host}/only-in-sitemap</loc></url></urlset>");
            ("200 OK", "Content-Type: application/xml\r\n", list)
        }
        "/" => text("Mills", &format!("{long}{long}<p>Read on in the <a href=/guide>guide</a>.</p>")),
        "/guide" => text(
            "Guide",
            &format!(
                "{long}<section id=dressing><h2>Dressing</h2><p>Dress the stones twice a year, with a bill of hard steel.</p></section>\
                 <section id=feeding><h2>Feeding</h2><p>Feed the stones slowly, or the meal gets warm and loses its taste.</p></section>"
            ),
        ),
        "/stones" => text(
            "Stones",
            &format!("<p>The best stones are of granite and of burr, which stays rough.</p>{}", long.repeat(5)),
        ),
        "/imprint" => {
            text("Imprint", "<p>The millers of the valley, who answer for this site and all of its pages.</p>")
        }
        "/only-in-sitemap" => {
            text("Water", "<p>Water drives the wheel where the river falls, and wind does so on the hills.</p>")
        }
        "/hand-mill" => text(
            "Hand mill",
            "<script type=application/ld+json>{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Hand mill\",\
             \"brand\":\"Granum\",\"offers\":{\"@type\":\"Offer\",\"price\":\"49.00\",\"priceCurrency\":\"EUR\"}}</script>\
             <p class=price>49.00 EUR</p><table><tr><th>Weight</th><td>1.2 kg</td></tr><tr><th>Stone</th><td>Granite</td></tr></table>\
             <button>Add to cart</button><p>A mill for the kitchen that grinds a pound of rye in ten minutes.</p>",
        ),
        "/long" => {
            let week = |n: u32| {
                format!(
                    "<p>Mill number {n} of the valley grinds {} sacks of rye in week {}, day and night.</p>",
                    n * 7,
                    n % 52
                )
            };
            text("Long", &(0..2_000).map(week).collect::<String>())
        }
        "/huge" => text("Huge", &long.repeat(150_000)),
        "/secret" => text("Secret", long),
        "/headers" => {
            text("Headers", &format!("{long}<p>The client sent: {} with its request.</p>", field(head, "x-mill")))
        }
        "/slow" => {
            std::thread::sleep(Duration::from_secs(3));
            text("Slow", long)
        }
        path if path.starts_with("/endless/") => {
            std::thread::sleep(Duration::from_millis(200));
            let number: u64 = path.trim_start_matches("/endless/").parse().unwrap_or(0);
            text("Endless", &format!("{long}<p>Page {number}. <a href=/endless/{}>On</a></p>", number + 1))
        }
        _ => ("404 Not Found", HTML, "<title>Gone</title><p>There is nothing here.</p>".to_owned()),
    }
}

/// Python with these modules, if it is there (`scripts/readers`).
fn python(modules: &str) -> Option<Command> {
    let python = std::env::var("GRISTMILL_PYTHON").unwrap_or_else(|_| "python3".into());
    let known = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    match known.is_ok_and(|output| output.status.success()) {
        true => Some(Command::new(python)),
        false => {
            eprintln!("SKIPPED: `{python}` has no {modules} (set GRISTMILL_PYTHON to what `scripts/readers` prints)");
            None
        }
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors").join(name)
}

/// Runs a client, which says `ok` at its end.
fn run(mut client: Command) {
    let output = client.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.ends_with("ok\n"), "{out}\n{err}");
}

#[test]
fn an_agent_on_standard_input_crawls_searches_and_reads() {
    let Some(mut client) = python("mcp") else { return };
    let (site, data) = (site(), tempfile::tempdir().unwrap());
    client.arg(script("mcp_client.py")).args(["stdio", &format!("http://{site}/"), env!("CARGO_BIN_EXE_gristmill")]);
    client.arg(data.path().join("corpus")).envs(STDIO_SETTINGS);
    run(client);
}

/// What the program is given through its client.
const STDIO_SETTINGS: [(&str, &str); 3] = [
    ("GRISTMILL__FETCH__ALLOW_PRIVATE", "true"),
    ("GRISTMILL__FRONTIER__POLITENESS__MIN_DELAY", "0s"),
    ("GRISTMILL__FRONTIER__POLITENESS__IP_DELAY", "0s"),
];

#[test]
fn an_agent_over_http_needs_a_token_and_the_servers_own_name() {
    let serving = Serving::start(&["--mcp", "--allow-private"]);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    let request = |more: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nConnection: close\r\n\
             {more}Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let (host, token) = (format!("Host: {}\r\n", serving.address), serving.token());
    let bearer = format!("Authorization: Bearer {token}\r\n");
    for (fields, status) in [
        (host.clone(), 401),
        (format!("{host}Authorization: Bearer wrong\r\n"), 401),
        (format!("Host: evil.example\r\n{bearer}"), 421),
        (format!("{host}{bearer}Origin: http://evil.example\r\n"), 421),
        (format!("{host}{bearer}"), 200),
    ] {
        let (got, answer) = serving.ask(&request(&fields));
        assert_eq!(got, status, "{fields}: {answer}");
        assert_eq!(answer.contains("Search the corpus"), status == 200, "{answer}");
    }
    let (status, _) = serving
        .ask(&format!("POST /v2/scrape HTTP/1.1\r\n{host}{bearer}Connection: close\r\nContent-Length: 0\r\n\r\n"));
    assert_ne!(status, 200, "that door is closed");
    assert!(!serving.stderr().contains(&token), "{}", serving.stderr());
    let Some(mut client) = python("mcp") else { return };
    client.arg(script("mcp_client.py")).args(["http", &format!("http://{}/", site())]);
    run({
        client.args([&format!("http://{}/mcp", serving.address), &token]);
        client
    });
}

#[test]
fn no_door_leads_to_a_private_address() {
    let serving = Serving::start(&["--firecrawl", "--mcp"]);
    let token = serving.token();
    let post = |path: &str, body: String| {
        let fields =
            "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nConnection: close";
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n{fields}", serving.address);
        serving.ask(&format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
    };
    let site = site();
    for url in [
        &format!("http://{site}/"),
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]:1/",
        "http://localhost/",
    ] {
        for path in ["/v2/scrape", "/v2/map"] {
            let (status, answer) = post(path, format!("{{\"url\":\"{url}\"}}"));
            assert!(status == 403 && answer.contains("fetch.allow_private"), "{path} {url}: {answer}");
            // Which address a name has here is not told.
            assert!(!url.contains("localhost") || !answer.contains("127.0.0.1"), "{answer}");
        }
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"extract","arguments":{{"url":"{url}"}}}}}}"#
        );
        let (_, answer) = post("/mcp", call);
        assert!(answer.contains("fetch.allow_private") && answer.contains("\"isError\":true"), "{url}: {answer}");
    }
}

#[test]
fn documents_come_while_a_crawl_runs_and_after_a_restart_crawls_are_there_and_say_that_they_were_stopped() {
    let flags = ["--firecrawl", "--allow-private"];
    let serving = Serving::start(&flags);
    let site = site();
    let begin = |path: &str, limit: u32| {
        let body = format!(r#"{{"url":"http://{site}{path}","limit":{limit},"sitemap":"skip"}}"#);
        let (status, answer) = serving.firecrawl("POST", "/v2/crawl", &body);
        assert_eq!(status, 200, "{answer}");
        answer["id"].as_str().unwrap().to_owned()
    };
    let done = begin("/", 3);
    let state = |serving: &Serving, id: &str| serving.firecrawl("GET", &format!("/v2/crawl/{id}"), "").1;
    for _ in 0..600 {
        if state(&serving, &done)["status"] != "scraping" {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let before = state(&serving, &done);
    assert!(before["status"] == "completed" && before["data"].as_array().unwrap().len() == 3, "{before}");
    assert!(!before["data"].to_string().contains("/only-in-sitemap"), "{before}");
    let running = begin("/endless/1", 1_000);
    let mut came = 0;
    for _ in 0..300 {
        let state = state(&serving, &running);
        assert_eq!(state["status"], "scraping", "{state}");
        came = state["data"].as_array().unwrap().len();
        if came > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(came > 0, "documents come while a crawl runs");
    std::thread::sleep(Duration::from_millis(500));
    let serving = serving.again(&flags);
    let after = state(&serving, &done);
    for field in ["status", "completed", "total", "data", "expiresAt"] {
        assert_eq!(before[field], after[field], "{field}");
    }
    let stopped = state(&serving, &running);
    assert!(stopped["status"] == "failed" && stopped["error"].as_str().unwrap().contains("was stopped"), "{stopped}");
    assert!(stopped["data"].as_array().unwrap().len() >= came, "{stopped}");
    assert_eq!(serving.firecrawl("GET", "/v2/crawl/00000000-0000-4000-8000-000000000000", "").0, 404);
}

#[test]
fn what_is_no_json_gets_the_error_of_json_rpc() {
    use std::io::Write;
    let data = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.arg("--data").arg(data.path()).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let client = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    write!(child.stdin.take().unwrap(), "this is no JSON\n{client}\n{{\"jsonrpc\":\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let lines: Vec<serde_json::Value> =
        output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let unread = |line: &&serde_json::Value| line["error"]["code"] == -32700 && line["id"].is_null();
    assert_eq!(lines.iter().filter(unread).count(), 2, "{lines:?}");
    assert!(lines.iter().any(|line| line["id"] == 1 && line["result"].is_object()), "{lines:?}");

    let serving = Serving::start(&["--mcp"]);
    let (address, token) = (&serving.address, serving.token());
    let (status, answer) = serving.ask(&format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: 3\r\n\r\n{{no"
    ));
    assert!(status == 400 && answer.contains("-32700"), "{answer}");
}

#[test]
fn a_document_over_the_budget_begins_with_an_outline_that_says_where_to_go_on() {
    use std::io::Write;
    let data = tempfile::tempdir().unwrap();
    let url = format!("http://{}/long", site());
    let mut crawl = without_pauses(gristmill());
    crawl.args(["crawl", &url, "--no-follow", "--allow-private", "--data"]).arg(data.path());
    assert!(common::finish(crawl).status.success());
    let mut command = gristmill();
    command.arg("--data").arg(data.path()).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |message: serde_json::Value| -> serde_json::Value {
        writeln!(to, "{message}").unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let client = serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    ask(serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}));
    let mut read = |arguments: serde_json::Value| {
        let params = serde_json::json!({"name": "read", "arguments": arguments});
        let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let answer = ask(call);
        let text =
            |n: usize| answer["result"]["content"][n]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text(0), text(1))
    };
    let (ours, strangers) = read(serde_json::json!({"document": url}));
    assert!(ours.contains("bytes follow: ask again with `start: "), "{ours}");
    let outline = strangers.split_once("Outline, each line with its `start`:\n").unwrap().1;
    let (outline, beginning) = outline.split_once("\n\n").unwrap();
    assert!(outline.lines().count() == 20 && beginning.contains("Mill number 0 of"), "{strangers}");
    assert!(strangers.len() / 4 < 4_200, "{} bytes", strangers.len());
    let (start, words) = outline.lines().nth(10).unwrap().split_once(": ").unwrap();
    let (_, rest) = read(serde_json::json!({"document": url, "start": start.parse::<u64>().unwrap(), "budget": 100}));
    assert!(rest.lines().nth(1).unwrap().starts_with(words), "{rest}");
    let (_, little) = read(serde_json::json!({"document": url, "budget": 30}));
    assert!(!little.contains("Outline"), "{little}");
    let params = serde_json::json!({"name": "serach", "arguments": {"query": "mill"}});
    let none = ask(serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}));
    let message = none["error"]["message"].as_str().unwrap();
    assert!(message.contains("`serach`") && message.contains("`search`"), "{none}");
    drop(to);
    let _ = child.wait();
}

#[test]
fn without_the_flags_there_are_no_doors_and_no_token() {
    let serving = Serving::start(&[]);
    for path in ["/mcp", "/v2/scrape"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            serving.address
        );
        let (status, body) = serving.ask(&head);
        assert!(status == 404 && body.contains("`gristmill serve --"), "{path}: {status} {body}");
    }
    assert!(!serving.data.path().join("doors.token").exists());
}

#[test]
fn firecrawls_client_for_python_scrapes_maps_crawls_and_searches() {
    let Some(mut client) = python("firecrawl") else { return };
    let serving = Serving::start(&["--firecrawl", "--allow-private"]);
    let (site, address) = (format!("http://{}/", site()), format!("http://{}", serving.address));
    client.arg(script("firecrawl_client.py")).args([&site, &address, &serving.token()]);
    run(client);
    assert!(!serving.stderr().contains(&serving.token()) && !serving.stderr().contains("of-the-client"));
}

/// The folder of clients for JavaScript, if it is there.
fn node_modules() -> Option<PathBuf> {
    let modules = std::env::var_os("GRISTMILL_NODE_MODULES").map(PathBuf::from);
    if modules.is_none() {
        eprintln!(
            "SKIPPED: no clients for JavaScript (set GRISTMILL_NODE_MODULES to what `scripts/readers --node` prints)"
        );
    }
    modules
}

#[test]
fn firecrawls_client_for_javascript_scrapes_maps_and_crawls() {
    let Some(modules) = node_modules() else { return };
    let serving = Serving::start(&["--firecrawl", "--allow-private"]);
    let mut client = Command::new("node");
    client.env("NODE_PATH", modules).arg(script("firecrawl_client.cjs"));
    client.args([&format!("http://{}/", site()), &format!("http://{}", serving.address), &serving.token()]);
    run(client);
}

#[test]
fn the_inspector_for_javascript_lists_and_calls_tools() {
    let Some(modules) = node_modules() else { return };
    let data = tempfile::tempdir().unwrap();
    let inspect = |method: &str, more: &[&str]| {
        let mut inspector = Command::new(modules.join(".bin/mcp-inspector"));
        inspector.args(["--cli", env!("CARGO_BIN_EXE_gristmill"), "--data"]).arg(data.path().join("corpus"));
        let output = inspector.args(["mcp", "--method", method]).args(more).output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        serde_json::from_str::<serde_json::Value>(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
    };
    let listed = inspect("tools/list", &[]);
    let tools: Vec<_> = listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(tools, ["changes", "crawl", "extract", "read", "records", "search"]);
    let call = ["--tool-name", "read", "--tool-arg", "document=none"];
    let none = inspect("tools/call", &call);
    assert!(none["isError"] == true && none.to_string().contains("no such document"), "{none}");
    let templates = inspect("resources/templates/list", &[]);
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "gristmill://document/{key}");
}
