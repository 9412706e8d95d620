//! Tools that go out to the web: a page, and a crawl.

use std::collections::BTreeMap;
use std::time::Duration;

use gristmill_searcher::Client;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ProgressNotificationParam};
use rmcp::service::RequestContext;
use url::Url;

use super::answer::{ToolError, material};
use super::arguments::{CrawlArguments, ExtractArguments};
use super::passage::{PassageRequest, passage};
use crate::backend::{CrawlOrder, CrawlProgress, CrawlReach, DrawOrder};
use crate::crawl_desk::RunningCrawl;
use crate::page_forms::FormRequest;
use crate::sections::tokens;
use crate::service::{DoorService, PageOrder};

/// Pages of a crawl unless another number is asked for.
const PAGES: u64 = 20;
/// Longest regular expression, in bytes, and most of them.
const MAX_PATTERN: (usize, usize) = (1_000, 50);

pub(super) async fn extract(
    service: &DoorService,
    asked: ExtractArguments,
    client: Option<&Client>,
) -> Result<CallToolResult, ToolError> {
    let url = address(&asked.url)?;
    let forms = FormRequest { markdown: true, only_main: true, ..FormRequest::default() };
    let draw = asked.draw.unwrap_or(false).then(DrawOrder::default);
    let page = service
        .page(PageOrder { url, headers: BTreeMap::new(), draw, max_age: Duration::ZERO, keep: false, forms }, client)
        .await?;
    let whole = page.forms.markdown.unwrap_or_default();
    if whole.trim().is_empty() {
        let reason = page.forms.reason.unwrap_or_else(|| "nothing was found".to_owned());
        return Err(format!("the page has no main text: {reason}").into());
    }
    let rights = if page.robots_tags.is_empty() { "" } else { " Its server says more on its use (`X-Robots-Tag`)." };
    let about = format!("Main text as Markdown, {} tokens in all.{rights}", tokens(&whole));
    let request = PassageRequest { section: asked.section.as_deref(), start: asked.start, budget: asked.budget };
    Ok(passage(&about, &whole, &request))
}

/// An address of the web.
fn address(text: &str) -> Result<Url, ToolError> {
    let whole = if text.contains("://") { text.trim().to_owned() } else { format!("https://{}", text.trim()) };
    let url = Url::parse(&whole).map_err(|error| ToolError(format!("`url` is no address: {error}")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => {
            Err(format!("`url` must be http or https, not `{}`", other.chars().take(20).collect::<String>()).into())
        }
    }
}

pub(super) async fn crawl(
    service: &DoorService,
    asked: CrawlArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ToolError> {
    let wanted = asked.max_pages.unwrap_or(PAGES);
    let max_pages = service.desk().pages(wanted);
    let reach = match asked.scope.as_deref().unwrap_or("host") {
        "listed" => CrawlReach::Listed,
        "prefix" => CrawlReach::Prefix,
        "host" => CrawlReach::Host,
        "domain" => CrawlReach::Domain,
        _ => return Err("`scope` is one of listed, prefix, host and domain".to_owned().into()),
    };
    let patterns = || asked.include.iter().chain(&asked.exclude);
    if patterns().count() > MAX_PATTERN.1 || patterns().any(|pattern| pattern.len() > MAX_PATTERN.0) {
        let (bytes, number) = MAX_PATTERN;
        return Err(format!("at most {number} patterns of at most {bytes} bytes").into());
    }
    let order = CrawlOrder {
        seeds: vec![asked.url],
        reach,
        max_pages,
        max_depth: asked.max_depth,
        include: asked.include,
        exclude: asked.exclude,
        ..CrawlOrder::default()
    };
    let progress = follow(service.desk().begin(order)?, max_pages, context).await?;
    service.searcher().refresh();
    let limit = if wanted > max_pages { format!(" (`doors.max_pages` is {max_pages})") } else { String::new() };
    let ours = format!(
        "The crawl has ended: {} of {} addresses that were found are done{limit}. Their documents are in the corpus: `search` finds them.",
        progress.done, progress.known
    );
    if progress.problems.is_empty() {
        return Ok(super::answer::told(ours));
    }
    let problems: Vec<String> = progress.problems.iter().map(|(url, what)| format!("{what}: {url}")).collect();
    Ok(material(&format!("{ours} What went wrong, the first of each kind:"), &problems.join("\n")))
}

/// Tells the client how the crawl stands, until it ends or the client goes.
async fn follow(
    mut crawl: RunningCrawl,
    max_pages: u64,
    context: &RequestContext<RoleServer>,
) -> Result<CrawlProgress, ToolError> {
    let token = context.meta.get_progress_token();
    // Who goes away without a word stops it too.
    let _guard = crawl.stop.clone().drop_guard();
    let ended = loop {
        tokio::select! {
            ended = &mut crawl.end => break ended,
            () = context.ct.cancelled() => crawl.stop.cancel(),
            changed = crawl.progress.changed() => {
                let now = crawl.progress.borrow_and_update().clone();
                if changed.is_err() {
                    break (&mut crawl.end).await;
                }
                if let Some(token) = &token {
                    let message = format!("{} of {} known addresses done", now.done, now.known);
                    let step = ProgressNotificationParam::new(token.clone(), now.done as f64);
                    let step = step.with_total(now.known.min(max_pages).max(now.done) as f64).with_message(message);
                    let _ = context.peer.notify_progress(step).await;
                }
            }
        }
        if context.ct.is_cancelled() {
            break (&mut crawl.end).await;
        }
    };
    match ended {
        Ok(Ok(())) => Ok(crawl.progress.borrow().clone()),
        Ok(Err(error)) => Err(ToolError(format!("{error:#}"))),
        Err(_) => Err(ToolError("the crawl failed; the log of the server says why".to_owned())),
    }
}
