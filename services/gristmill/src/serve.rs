//! `gristmill serve`: the search page and the JSON API over a data directory, or a proxy that gives the main text of pages.

use std::net::SocketAddr;

use anyhow::Context;
use gristmill_doors::{DoorsConfig, with_firecrawl, with_mcp};
use gristmill_fetch::FetchConfig;
use gristmill_reading::PageReader;
use gristmill_runtime::admin::{self, ProcessHealth};
use gristmill_runtime::listen::Listen;
use gristmill_runtime::shutdown;
use gristmill_searcher::{Doors, ExtractService, Metrics, OpenDoors, Searcher, serve_proxy};
use gristmill_secrets::Secret;
use prometheus::Registry;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;
use crate::{admin_client, doors, sign_directory};

/// Serves until a signal comes.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    settings.searcher.check().map_err(anyhow::Error::msg)?;
    if !settings.data.is_dir() && !settings.searcher.extract.enabled {
        let data = settings.data.display();
        tell!(
            "gristmill: there is no `{data}`: nothing can be found until a crawl fills it; `--data` names another directory"
        );
    }
    let stop = shutdown::on_signal("requests in flight are answered first")?;
    let registry = Registry::new();
    let metrics = Metrics::register(&registry)?;
    let health = ProcessHealth::default();
    let admin = admin::serve(&settings.admin, registry, health.clone(), axum::Router::new(), stop.clone()).await?;
    let extraction = settings.searcher.extract.enabled.then(|| extraction(&settings, metrics.clone())).transpose()?;
    let searcher = Searcher::new(settings.index_dir(), settings.status_file(), &settings.searcher, metrics.clone());
    let doors = doors(&settings, &searcher, metrics, &stop)?;
    let listener = bind(&settings.searcher.listen).await?;
    health.set("searcher", true);
    say!("search page and API: http://{}/", listener.local_addr()?);
    tell!("metrics: http://{admin}/metrics; Ctrl-C ends");
    tell_of_doors(&settings, listener.local_addr()?);
    gristmill_searcher::serve_with(listener, searcher, extraction, Some(doors), stop)
        .await
        .context("the web server failed")
}

/// Serves the proxy until a signal comes.
pub async fn proxy(listen: &Listen, reader: PageReader, never_empty: bool, fetch: &FetchConfig) -> anyhow::Result<()> {
    let stop = shutdown::on_signal("requests in flight are answered first")?;
    let listener = listen.bind().await.with_context(|| format!("cannot listen on {listen} (`--proxy`)"))?;
    let address = listener.local_addr()?;
    say!("proxy: http://{address}/ ({})", reader.method);
    if !address.ip().is_loopback() {
        tell!("gristmill: whoever reaches {address} can fetch pages through it: keep it behind a firewall");
    }
    Ok(serve_proxy(listener, reader, never_empty, fetch, stop).await?)
}

/// Pages are read as the extractor of a crawl reads them.
fn extraction(settings: &Settings, metrics: Metrics) -> anyhow::Result<ExtractService> {
    let reader = gristmill_extractor::page_reader(&settings.extractor, &settings.records)?;
    Ok(ExtractService::new(&settings.searcher.extract, reader, &settings.fetch, metrics)?)
}

/// The doors that the settings open, with a token where the settings have none; and the directory of the key that signs requests.
fn doors(
    settings: &Settings,
    searcher: &Searcher,
    metrics: Metrics,
    stop: &CancellationToken,
) -> anyhow::Result<Doors> {
    let DoorsConfig { mcp, firecrawl, .. } = settings.doors;
    let signer = settings.fetch.sign.signer().map_err(anyhow::Error::msg)?;
    let routes = signer.map(sign_directory::routes).unwrap_or_default();
    if !mcp && !firecrawl {
        return Ok(Doors { routes, ..Doors::default() });
    }
    let service = doors::service(settings, searcher.clone(), metrics)?;
    let routes = if mcp { with_mcp(routes, &service, stop) } else { routes };
    let routes = if firecrawl { with_firecrawl(routes, &service) } else { routes };
    let token = settings.searcher.tokens.is_empty().then(|| admin_client::door_token(settings)).transpose()?;
    Ok(Doors { routes, open: OpenDoors { mcp, firecrawl }, token: token.map(Secret::new) })
}

fn tell_of_doors(settings: &Settings, address: SocketAddr) {
    let DoorsConfig { mcp, firecrawl, .. } = settings.doors;
    let doors =
        [(format!("MCP: http://{address}/mcp"), mcp), (format!("Firecrawl's API: http://{address}"), firecrawl)];
    for (door, _) in doors.into_iter().filter(|(_, is_open)| *is_open) {
        match settings.searcher.tokens.is_empty() {
            true => tell!("{door}; its token is in `{}`", admin_client::door_token_file(settings).display()),
            false => tell!("{door}; with a token of `searcher.tokens`"),
        }
    }
}

async fn bind(listen: &Listen) -> anyhow::Result<TcpListener> {
    listen
        .bind()
        .await
        .with_context(|| format!("cannot listen on {listen} (`--listen` or `searcher.listen` sets another address)"))
}
