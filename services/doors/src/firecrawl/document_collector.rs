//! From the archives of a crawl to its documents on disk.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use gristmill_warc::ArchivedPage;

use super::document::{ScrapeFacts, document};
use super::job_store::CrawlJob;
use super::options::ScrapeOptions;
use crate::archived_pages::each_page;
use crate::page_forms::{PageForms, PageInput};
use crate::service::DoorService;

/// Reads each archive once it is finished.
pub(super) struct DocumentCollector {
    pub job: Arc<CrawlJob>,
    service: DoorService,
    options: ScrapeOptions,
    /// Archives that were read.
    done: BTreeSet<PathBuf>,
}

impl DocumentCollector {
    pub fn new(job: Arc<CrawlJob>, service: DoorService, options: ScrapeOptions) -> Self {
        Self { job, service, options, done: BTreeSet::new() }
    }

    /// Makes documents of the archives that are new.
    ///
    /// # Errors
    /// An archive that cannot be read, a file that cannot be written.
    pub fn collect(&mut self) -> anyhow::Result<()> {
        if self.job.is_full() {
            return Ok(());
        }
        let mut out = OpenOptions::new().create(true).append(true).open(self.job.file())?;
        let (folder, mut done) = (self.job.folder.join("archive"), std::mem::take(&mut self.done));
        let read = each_page(&folder, &mut done, |page| self.add(&page, &mut out));
        self.done = done;
        read
    }

    fn add(&mut self, page: &ArchivedPage, out: &mut File) -> anyhow::Result<bool> {
        let url = page.url.as_str();
        let source = PageInput { bytes: &page.body, content_type: page.content_type.as_deref(), url };
        let facts = ScrapeFacts { source: url, url, status: 200, content_type: source.content_type, cached: None };
        let read = PageForms::of(&source, &self.options.reading(), self.service.pages().reader());
        let read = read.unwrap_or_else(|error| PageForms { reason: Some(error.to_string()), ..PageForms::default() });
        let mut line = serde_json::to_vec(&document(read, &facts, &self.options.warnings))?;
        line.push(b'\n');
        out.write_all(&line)?;
        self.job.add(line.len() as u64);
        Ok(!self.job.is_full())
    }
}
