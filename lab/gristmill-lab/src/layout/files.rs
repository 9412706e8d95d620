//! Style sheets and scripts that pages link to, from a folder: a browser gets them as if from their servers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use gristmill_browser::{
    LoadRefusal, LoadedResource, RenderRequest, ResourceKind, ResourceLoader, ResourceRequest, ResourceResponse,
};
use percent_encoding::percent_decode_str;
use url::Url;

/// No file is larger; the largest style sheet of common frameworks has a tenth of it.
const MAX_BYTES: u64 = 8 << 20;
/// So many that are missing are told.
const MAX_MISSING: usize = 1000;

/// A folder with what a page links to: `HOST/PATH`, or `PATH` alone where nobody knows the URL of the page.
///
/// That is how `wget --page-requisites` saves pages, and how browsers do beside a page.
#[derive(Debug, Clone)]
pub struct LocalSite {
    root: Option<Arc<Path>>,
    missing: Arc<Mutex<BTreeSet<(&'static str, String)>>>,
}

impl LocalSite {
    /// Those in this folder; none at all without one.
    pub fn new(root: Option<&Path>) -> LocalSite {
        // Links within it may lead elsewhere: compared with what they lead to, it has to be without links itself.
        let root = root.and_then(|root| root.canonicalize().ok()).map(Arc::from);
        LocalSite { root, missing: Arc::default() }
    }

    /// Whether there is a folder.
    pub fn are_there(&self) -> bool {
        self.root.is_some()
    }

    /// What was asked for and is not in the folder: kind and URL.
    pub fn missing(&self) -> BTreeSet<(&'static str, String)> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn read(&self, url: &str) -> Option<Vec<u8>> {
        let root = self.root.as_deref()?;
        let url = Url::parse(url).ok()?;
        names(&url)?.into_iter().find_map(|name| {
            let path = root.join(name).canonicalize().ok().filter(|path| path.starts_with(root))?;
            let about = path.metadata().ok()?;
            if about.is_file() && about.len() <= MAX_BYTES { std::fs::read(path).ok() } else { None }
        })
    }
}

/// What the file of a URL may be called: with its query, as some programs save it, and without.
fn names(url: &Url) -> Option<Vec<PathBuf>> {
    let mut path = PathBuf::new();
    if !is_unknown(url) {
        path.push(part(url.host_str()?)?);
    }
    for segment in url.path_segments()?.filter(|segment| !segment.is_empty()) {
        path.push(part(segment)?);
    }
    let mut names = vec![path.clone()];
    if let (Some(query), Some(last)) = (url.query(), path.file_name().and_then(|last| last.to_str())) {
        names.insert(0, path.with_file_name(part(&format!("{last}?{query}"))?));
    }
    Some(names)
}

fn is_unknown(url: &Url) -> bool {
    RenderRequest::UNKNOWN_URL.parse::<Url>().is_ok_and(|unknown| unknown.host_str() == url.host_str())
}

/// One name of a path, decoded; none where it would be more than one, or leads up.
fn part(segment: &str) -> Option<String> {
    let part = percent_decode_str(segment).decode_utf8().ok()?;
    (!matches!(&*part, "" | "." | "..") && !part.contains(['/', '\\', '\0'])).then(|| part.into_owned())
}

/// What a file is, by what it is asked for as: its name may say nothing.
fn content_type(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Style => "text/css",
        ResourceKind::Script => "text/javascript",
        ResourceKind::Data => "application/json",
        ResourceKind::Frame => "text/html",
        // What it is, its bytes say.
        ResourceKind::Picture => "application/octet-stream",
    }
}

#[async_trait]
impl ResourceLoader for LocalSite {
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
        match self.read(&request.url) {
            Some(body) => {
                let headers = vec![("content-type".to_owned(), content_type(request.kind).to_owned())];
                ResourceResponse::Found(LoadedResource { status: 200, headers, body: body.into() })
            }
            None => {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                if self.are_there() && missing.len() < MAX_MISSING {
                    missing.insert((request.kind.as_str(), request.url));
                }
                ResourceResponse::Refused(LoadRefusal::new("the folder of linked files does not have it"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_file_below_its_host_and_never_one_elsewhere() {
        let names = |url: &str| names(&url.parse().unwrap());
        let file = |name: &str| Some(vec![PathBuf::from(name)]);
        assert_eq!(names("http://mill.example/css/a%20b.css"), file("mill.example/css/a b.css"));
        assert_eq!(names("http://page.invalid/css/a.css"), file("css/a.css"));
        assert_eq!(names("http://mill.example/a.css?v=1").unwrap().len(), 2);
        assert_eq!(names("http://mill.example/../../%2e%2e/etc/passwd"), file("mill.example/etc/passwd"));
        assert_eq!(names("http://mill.example/..%2f..%2fetc/passwd"), None);
        assert_eq!(names("http://mill.example/a%00b"), None);
    }

    #[test]
    fn files_are_read_but_not_through_links_that_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let (root, host) = (dir.path().join("files"), dir.path().join("files/mill.example"));
        std::fs::create_dir_all(&host).unwrap();
        std::fs::write(host.join("a.css"), "p {}").unwrap();
        std::fs::write(dir.path().join("b.css"), "b {}").unwrap();
        std::os::unix::fs::symlink(dir.path().join("b.css"), host.join("b.css")).unwrap();
        let files = LocalSite::new(Some(&root));
        assert_eq!(files.read("http://mill.example/a.css?v=2").as_deref(), Some(&b"p {}"[..]));
        for url in ["http://mill.example/b.css", "http://mill.example/", "http://other.example/a.css"] {
            assert_eq!(files.read(url), None, "{url}");
        }
        assert_eq!(LocalSite::new(None).read("http://mill.example/a.css"), None);
    }
}
