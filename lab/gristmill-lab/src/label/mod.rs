//! `gristmill-lab label`: shows the rows of pages on loopback, to be marked by people or scripts (docs/labelling.md).
//!
//! ```text
//! GET /pages ─▶ [{id, marked}]      GET /pages/ID ─▶ {url, rows, page_type, marks}      PUT /pages/ID ◀─ {page_type, marks}
//! GET /          the same for people     GET /look/ID   the page itself, without scripts, in a frame without rights
//! ```

mod marks;

use std::collections::BTreeMap;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use axum::extract::{Path as Part, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use clap::Args;
use gristmill_eval::{guarded, read_file};
use gristmill_extract::{Page, PageType, Row};
use gristmill_reading::{CharsetHints, PageReader};
use serde_json::{Value, json};

use crate::digest::{pages_below, url_beside};
use marks::folder;
pub use marks::{PageMarks, RowKind, package_name};

#[derive(Args)]
pub struct LabelArgs {
    /// A folder of pages (docs/evaluation.md); gold texts are not needed
    #[arg(value_name = "PACKAGE_DIR")]
    package: PathBuf,
    /// Where to listen, on loopback alone; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Where the marks go: DIR/<name of the package's folder>/<page>.json [default: PACKAGE_DIR/labels]
    #[arg(long, value_name = "DIR")]
    labels: Option<PathBuf>,
}

/// Serves until it is stopped. Each answer reads its page again.
///
/// # Errors
/// A folder without pages, an address that others can reach or that is taken.
pub async fn run(args: &LabelArgs) -> anyhow::Result<()> {
    ensure!(args.listen.ip().is_loopback(), "`--listen {}` is no loopback address", args.listen);
    let (pages, labels) = (pages(&args.package)?, folder(&args.package, args.labels.as_deref())?);
    let could_not = || format!("could not listen on `{}`", args.listen);
    let listener = tokio::net::TcpListener::bind(args.listen).await.with_context(could_not)?;
    println!("{} pages at http://{}/, marks go to {}", pages.len(), listener.local_addr()?, labels.display());
    std::io::stdout().flush()?;
    let routes = Router::new()
        .route("/", get(|| async { Html(include_str!("page.html")) }))
        .route("/pages", get(list))
        .route("/pages/{id}", get(rows).put(mark))
        .route("/look/{id}", get(look))
        .layer(middleware::from_fn(own_name))
        .with_state(Arc::new(LabelStore { pages, labels, reader: PageReader::default() }));
    Ok(axum::serve(listener, routes).await?)
}

/// The pages of a package by id: the name of the file without its ending.
///
/// # Errors
/// A folder without pages, with two of one name, or one that cannot be read.
pub fn pages(package: &Path) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let paths = pages_below(package).with_context(|| format!("could not read `{}`", package.display()))?;
    ensure!(!paths.is_empty(), "no file `*.html` or `*.html.gz` in `{}`", package.display());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let id = |path: &Path| name(path).trim_end_matches(".gz").trim_end_matches(".html").to_owned();
    let pages: BTreeMap<_, _> = paths.iter().map(|path| (id(path), path.clone())).collect();
    ensure!(pages.len() == paths.len(), "two pages of `{}` have one name", package.display());
    Ok(pages)
}

/// What is shown, and where marks go.
struct LabelStore {
    pages: BTreeMap<String, PathBuf>,
    labels: PathBuf,
    reader: PageReader,
}

/// Why there is no answer: what was asked for is not there, or something is wrong with it.
type HttpError = (StatusCode, String);
type PagePath = (State<Arc<LabelStore>>, Part<String>);

impl LabelStore {
    fn bytes(&self, id: &str) -> Result<Vec<u8>, HttpError> {
        let path = self.pages.get(id).ok_or_else(|| (StatusCode::NOT_FOUND, format!("no page `{id}`")))?;
        read_file(path).map_err(|problem| (StatusCode::UNPROCESSABLE_ENTITY, problem.to_string()))
    }

    fn marks_of(&self, id: &str) -> PathBuf {
        self.labels.join(format!("{id}.json"))
    }

    /// `work` on the rows of a page and its address.
    fn with_rows<T>(
        &self,
        id: &str,
        work: impl FnOnce(&Page<'_>, Option<String>) -> anyhow::Result<T>,
    ) -> Result<Json<T>, HttpError> {
        let bytes = self.bytes(id)?;
        let read = || {
            let url = url_beside(&self.pages[id])?;
            let parsed = self.reader.parse(&bytes, &CharsetHints { content_type: None, url: url.as_deref() });
            work(&Page::new(&parsed.doc), url.clone())
        };
        let done = guarded(read).unwrap_or_else(|panic| Err(anyhow!(panic)));
        done.map(Json).map_err(|error| (StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}")))
    }
}

/// A page of another site can lead its own name to this address, and would read what it could not reach ("DNS rebinding").
async fn own_name(request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    if name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()) {
        return next.run(request).await;
    }
    (StatusCode::MISDIRECTED_REQUEST, "only as `127.0.0.1` or `localhost`").into_response()
}

async fn list(State(store): State<Arc<LabelStore>>) -> Json<Value> {
    let about = |id: &String| json!({"id": id, "marked": store.marks_of(id).is_file()});
    Json(store.pages.keys().map(about).collect())
}

async fn rows((State(store), Part(id)): PagePath) -> Result<Json<Value>, HttpError> {
    store.with_rows(&id, |page, url| {
        let path = store.marks_of(&id);
        let read = || PageMarks::read(&path).and_then(|marks| marks.kinds(page).map(|_| marks));
        let known = if path.is_file() { read() } else { Ok(PageMarks::default()) };
        // Marks of other rows are no reason not to mark the page again.
        let problem = known.as_ref().err().map(|problem| format!("{problem:#}"));
        let known = known.unwrap_or_default();
        let tag = |row: &Row| page.doc.name_str(page.doc.name(row.block));
        let row = |row| json!({"tag": tag(row), "link": row.is_link(), "text": page.row_text(row)});
        let rows: Vec<Value> = page.rows.iter().map(row).collect();
        Ok(json!({"url": url, "rows": rows, "page_type": known.page_type, "marks": known.marks, "problem": problem}))
    })
}

async fn mark((State(store), Part(id)): PagePath, body: String) -> Result<Json<PageMarks>, HttpError> {
    store.with_rows(&id, |page, _| {
        let marks: PageMarks = serde_json::from_str(&body).context("not the JSON of marks")?;
        let is_type = |name: &String| PageType::ALL.iter().any(|known| known.as_str() == name);
        ensure!(marks.page_type.as_ref().is_none_or(is_type), "no page type `{}`", marks.page_type.unwrap_or_default());
        let marks = marks.digested(page)?;
        marks.write(&store.marks_of(&id))?;
        Ok(marks)
    })
}

/// The page as it came. It may show its own styles and nothing else.
async fn look((State(store), Part(id)): PagePath) -> Result<impl IntoResponse, HttpError> {
    let rights = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let head = [(header::CONTENT_TYPE, "text/html"), (header::CONTENT_SECURITY_POLICY, rights)];
    store.bytes(&id).map(|bytes| (head, bytes))
}
