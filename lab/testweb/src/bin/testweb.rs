//! Serves a test web for a while: `testweb --hosts 5 --pages 200 --log requests.tsv --seconds 600`.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use clap::Parser;
use gristmill_testweb::{NewsConfig, TestSite, TestSiteConfig, TestWeb};

/// A small web to crawl, on loopback. Prints `ADDRESS` and one line `HOST<tab>IP:PORT` for each host, then serves.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Number of hosts.
    #[arg(long, default_value_t = 3)]
    hosts: usize,
    /// Numbered pages on each host.
    #[arg(long, default_value_t = 60)]
    pages: usize,
    /// Paragraphs of an article, some 350 bytes each.
    #[arg(long, default_value_t = 6)]
    paragraphs: usize,
    /// Seed of everything.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pause before each answer.
    #[arg(long, default_value_t = 0)]
    delay_ms: u64,
    /// Crawl-delay in robots.txt, in seconds.
    #[arg(long)]
    crawl_delay: Option<f64>,
    /// Loopback addresses to spread the hosts over.
    #[arg(long, default_value_t = 1)]
    addresses: usize,
    /// Links the hostile endpoints from the home pages.
    #[arg(long)]
    hostile: bool,
    /// Only home, lists and English articles.
    #[arg(long)]
    plain: bool,
    /// Hosts are news sites, which publish while they are served.
    #[arg(long, conflicts_with = "print_expected")]
    news: bool,
    /// Hosts are a broad web: of every size, some slow, failing or without end.
    #[arg(long, conflicts_with_all = ["print_expected", "news"])]
    broad: bool,
    /// File that gets a line for each request.
    #[arg(long)]
    log: Option<PathBuf>,
    /// Prints the URLs that must be indexed, and ends.
    #[arg(long)]
    print_expected: bool,
    /// Stops by itself after so many seconds.
    #[arg(long, default_value_t = 600)]
    seconds: u64,
}

/// Stories from now on, every ten seconds to every two minutes.
fn news(seconds: u64) -> NewsConfig {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    NewsConfig {
        begins_at: now,
        lasts: Duration::from_secs(seconds),
        shortest: Duration::from_secs(10),
        longest: Duration::from_secs(120),
        n_old: 20,
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let site = TestSite::new(TestSiteConfig {
        seed: arguments.seed,
        n_hosts: arguments.hosts,
        n_pages: arguments.pages,
        n_paragraphs: arguments.paragraphs,
        delay: Duration::from_millis(arguments.delay_ms),
        crawl_delay: arguments.crawl_delay,
        n_addresses: arguments.addresses,
        port: arguments.port,
        link_hostile: arguments.hostile,
        special: !arguments.plain,
        broad: arguments.broad,
        news: arguments.news.then(|| news(arguments.seconds)),
    });
    if arguments.print_expected {
        site.expected_urls().iter().for_each(|url| println!("{url}"));
        return Ok(());
    }
    let log = arguments
        .log
        .map(|path| {
            std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(&path)
                .with_context(|| format!("could not open the log `{}`", path.display()))
        })
        .transpose()?;
    let web = TestWeb::start_with_log(site, log).context("could not start the web")?;
    println!("{}", web.addr());
    for (host, address) in web.resolve_map() {
        println!("{host}\t{address}");
    }
    std::thread::sleep(Duration::from_secs(arguments.seconds));
    println!("{} requests served", web.log().len());
    web.shutdown();
    Ok(())
}
