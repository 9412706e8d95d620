//! Many pages in one browser, bad ones among them: what is lost, what grows, what is left behind.
//!
//! ```sh
//! cargo run --release -p gristmill-browser --example soak -- 10000
//! ```
//! Ends with 1 if a good page was not drawn, if the memory of this process grew by more than 5 % and 2 MB after the first tenth,
//! or if a process of a browser outlives this one's last.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use gristmill_browser::{
    Browser, BrowserConfig, LoadRefusal, LoadedResource, RenderError, RenderMode, RenderRequest, ResourceLoader,
    ResourceRequest, ResourceResponse,
};

/// One page in so many is bad.
const BAD_ONE_IN: usize = 20;

const BAD: &[&str] = &[
    "while (true) {}",
    "const a = []; for (;;) a.push(new Uint8Array(1 << 24).fill(1))",
    "location = 'about:blank'",
    "setInterval(() => alert(1), 1)",
    "for (;;) document.write('<b>')",
    // Its renderer is killed by hand.
    "setInterval(() => document.body.append('x'), 5)",
    "for (let n = 0; n < 20; n++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))",
    "location = '/next'; open('/popup'); new SharedWorker('/w.js')",
];
const KILLED: usize = 5;

struct Shelf;

#[async_trait]
impl ResourceLoader for Shelf {
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
        let (kind, body) = match request.url.as_str() {
            "http://mill.test/app.js" => (
                "text/javascript",
                "fetch('/a.json').then(r => r.json()).then(r => { root.textContent = r.join(' ') })".to_owned(),
            ),
            "http://mill.test/a.json" => ("application/json", format!("[{}\"the end\"]", "\"rye\",".repeat(5_000))),
            _ => return ResourceResponse::Refused(LoadRefusal::new("it is not on the shelf")),
        };
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        ResourceResponse::Found(LoadedResource { status: 200, headers, body: body.into() })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let n_pages = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(300);
    let settings = BrowserConfig {
        max_wait: Duration::from_secs(2),
        quiet: Duration::from_millis(200),
        max_memory: 400 << 20,
        timeout: Duration::from_secs(5),
        ..BrowserConfig::default()
    };
    let mut browser = match Browser::start(settings).await {
        Ok(browser) => browser,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (mut ends, mut lost, mut seen, mut early) = (BTreeMap::new(), 0, HashSet::new(), 0);
    let begun = Instant::now();
    for n in 0..n_pages {
        let bad = (n % BAD_ONE_IN == BAD_ONE_IN - 1).then(|| n / BAD_ONE_IN % BAD.len());
        let end = one(&mut browser, bad, &mut seen).await;
        if bad.is_none() && end != "loaded" {
            eprintln!("page {n}: {end}");
            lost += 1;
        }
        *ends.entry(format!("{} {end}", if bad.is_some() { "bad" } else { "good" })).or_insert(0) += 1;
        if n == n_pages / 10 {
            early = own_memory();
        }
        if n % 500 == 499 {
            let (starts, seconds) = (browser.starts(), begun.elapsed().as_secs());
            eprintln!("{} pages in {seconds} s, {lost} lost, {starts} starts, {} kB", n + 1, own_memory());
        }
    }
    let late = own_memory();
    let starts = browser.starts();
    drop(browser);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let orphans: Vec<&u32> = seen.iter().filter(|pid| is_browser(**pid)).collect();
    println!("{n_pages} pages in {:.0?}: {ends:?}", begun.elapsed());
    println!("{starts} starts, {} processes, {} of them left; {lost} good pages lost", seen.len(), orphans.len());
    println!("memory of this process: {early} kB after a tenth, {late} kB at the end");
    let grew = late > early + early / 20 + 2_000;
    if lost > 0 || grew || !orphans.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Draws a page; how it ended.
async fn one(browser: &mut Browser, bad: Option<usize>, seen: &mut HashSet<u32>) -> String {
    let script = bad.map_or(String::new(), |at| format!("<script>{}</script>", BAD[at]));
    let html = format!("<body><p id=root>Rye</p><script src=/app.js></script>{script}");
    let page = RenderRequest::html("http://mill.test/", html);
    let before = browser.pid().map(tree).unwrap_or_default();
    let killer = (bad == Some(KILLED)).then(|| {
        let pids = before.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(500));
            let all: HashSet<u32> = pids.first().map(|root| tree(*root)).unwrap_or_default().into_iter().collect();
            let renderers = all.iter().filter(|pid| command_line(**pid).contains("--type=renderer"));
            renderers.for_each(|pid| drop(Command::new("kill").args(["-9", &pid.to_string()]).status()));
        })
    });
    seen.extend(before);
    let drawn = browser.render(&page, RenderMode::Scripts, &Shelf).await;
    seen.extend(browser.pid().map(tree).unwrap_or_default());
    killer.map(std::thread::JoinHandle::join);
    match drawn {
        Ok(drawn) if bad.is_none() && !drawn.html.contains("the end") => "without its text".to_owned(),
        Ok(drawn) => drawn.ended.as_str().to_owned(),
        Err(RenderError::Start(error)) => error.to_string(),
        Err(error) => error.as_str().to_owned(),
    }
}

fn own_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0)
}

fn command_line(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default()
}

fn is_browser(pid: u32) -> bool {
    command_line(pid).contains("chrom")
}

/// A process and all that descend from it.
fn tree(root: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for pid in entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        children.entry(parent.unwrap_or(0)).or_default().push(pid);
    }
    let (mut all, mut next) = (vec![root], 0);
    while let Some(pid) = all.get(next) {
        let below = children.remove(pid).unwrap_or_default();
        all.extend(below);
        next += 1;
    }
    all
}
