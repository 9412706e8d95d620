//! Pairs of archives: what a server sent, and what a browser made of it.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_warc::http::DecodeBuffers;
use gristmill_warc::{ReaderItem, RecordKind, WarcReader, page_of};

use super::sample::{RenderSample, SampleOrigin, read};

const MAX_BYTES: usize = 16 << 20;

pub fn samples(folder: &Path) -> Vec<RenderSample> {
    let mut answers = HashMap::new();
    let mut drawn = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".warc.gz"));
    paths.sort();
    for path in paths {
        let mut reader =
            WarcReader::new(File::open(path).expect("it was listed"), gristmill_warc::ReadLimits::default());
        let mut scratch = DecodeBuffers::default();
        while let Some(entry) = reader.next().expect("an archive") {
            let ReaderItem::Record(record) = entry else { continue };
            let Ok(page) = page_of(&record, MAX_BYTES, &mut scratch) else { continue };
            if record.kind() == RecordKind::Conversion {
                drawn.push((page.url, page.body));
            } else {
                answers.insert(page.url, (page.body, page.content_type));
            }
        }
    }
    drawn.sort();
    drawn.iter().filter_map(|(url, body)| pair(url, answers.get(url)?, body)).collect()
}

fn pair(url: &str, (sent, content_type): &(Vec<u8>, Option<String>), drawn: &[u8]) -> Option<RenderSample> {
    let parsed = |bytes, content_type| Doc::parse(&decode(bytes, content_type).text, &TreeLimits::default());
    let (sent, drawn) = (parsed(sent, content_type.as_deref()), parsed(drawn, Some("text/html; charset=utf-8")));
    let (before, after) = (read(sent, Some(url)), read(drawn, Some(url)));
    let needs = after.amount.adds_to(before.amount);
    let source = ("script-sites".to_owned(), "CC-BY-4.0".to_owned());
    let origin = SampleOrigin { name: url.to_owned(), site: site(url), source, trains: true };
    Some(origin.sample("site", needs, &before))
}

/// The host; of an address on loopback its network, which is one for all sites of a framework.
fn site(url: &str) -> String {
    let host = url.split("//").nth(1).unwrap_or(url).split(['/', ':']).next().unwrap_or_default();
    match host.strip_prefix("127.") {
        Some(_) => host.rsplit_once('.').map_or(host, |(network, _)| network).to_owned(),
        None => host.to_owned(),
    }
}
