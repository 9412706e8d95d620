//! What the server remembers of each request.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// One request, from its complete header to the last byte of its answer.
#[derive(Debug, Clone)]
pub struct LogEntry {
    /// Host asked for, without port, in lower case.
    pub host: String,
    /// Path and query as sent.
    pub path: String,
    /// Status sent; 0 for an answer that is no HTTP.
    pub status: u16,
    /// When the request's header was complete.
    pub started: Instant,
    /// When the last byte of the answer was handed to the kernel, or the client went away; `None` while it runs.
    pub finished: Option<Instant>,
    /// `started` in milliseconds since 1970.
    pub started_ms: u64,
    /// `finished` likewise; 0 while it runs.
    pub finished_ms: u64,
    /// Whether the whole answer went out.
    pub complete: bool,
    /// Bytes of the answer, header included.
    pub n_bytes: u64,
    /// `User-Agent`.
    pub user_agent: String,
    /// `If-None-Match`.
    pub if_none_match: Option<String>,
    /// `If-Modified-Since`.
    pub if_modified_since: Option<String>,
    /// Number of the connection, counted from 0 since the start.
    pub connection: u64,
}

impl LogEntry {
    /// The URL asked for, as [`TestSite::url`](crate::Site::url) spells it.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }

    /// One line of a log file: started, finished (both ms since 1970), status, bytes, complete (0 or 1), connection,
    /// host, path, user agent; separated by tabs, control characters replaced.
    pub fn to_line(&self) -> String {
        let mut line = format!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            self.started_ms,
            self.finished_ms,
            self.status,
            self.n_bytes,
            u8::from(self.complete),
            self.connection
        );
        for text in [&self.host, &self.path, &self.user_agent] {
            let clean: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
            let _ = write!(line, "\t{clean}");
        }
        line
    }
}

/// The shortest pause that each host was left between two of its requests, hosts with fewer than two left out.
///
/// `None` stands for requests that overlap: the next began before the previous had ended, or while it still runs.
/// A polite crawl shows at least its delay for every host. O(n log n).
pub fn shortest_pauses(log: &[LogEntry]) -> BTreeMap<String, Option<Duration>> {
    let mut by_host: BTreeMap<&str, Vec<&LogEntry>> = BTreeMap::new();
    for entry in log {
        by_host.entry(&entry.host).or_default().push(entry);
    }
    let mut pauses = BTreeMap::new();
    for (host, mut entries) in by_host.into_iter().filter(|(_, entries)| entries.len() > 1) {
        entries.sort_by_key(|entry| entry.started);
        let pause = |pair: &[&LogEntry]| pair[1].started.checked_duration_since(pair[0].finished?);
        // `None` is less than any pause, so one overlap shows.
        let shortest = entries.windows(2).map(pause).min().flatten();
        pauses.insert(host.to_owned(), shortest);
    }
    pauses
}

pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(host: &str, zero: Instant, started: u64, finished: Option<u64>) -> LogEntry {
        let at = |ms: u64| zero + Duration::from_millis(ms);
        LogEntry {
            host: host.to_owned(),
            path: "/\t".to_owned(),
            status: 200,
            started: at(started),
            finished: finished.map(at),
            started_ms: started,
            finished_ms: finished.unwrap_or(0),
            complete: true,
            n_bytes: 7,
            user_agent: "x".to_owned(),
            if_none_match: None,
            if_modified_since: None,
            connection: 3,
        }
    }

    #[test]
    fn pauses_count_from_the_end_of_a_request_and_overlaps_show() {
        let zero = Instant::now();
        let log = [
            entry("a.test", zero, 0, Some(10)),
            entry("b.test", zero, 5, Some(50)),
            entry("a.test", zero, 200, Some(210)),
            entry("b.test", zero, 40, Some(60)),
            entry("a.test", zero, 110, Some(120)),
            entry("c.test", zero, 0, None),
            entry("d.test", zero, 0, None),
            entry("d.test", zero, 9, Some(10)),
        ];
        let pauses = shortest_pauses(&log);
        assert_eq!(pauses.len(), 3);
        assert_eq!(pauses["a.test"], Some(Duration::from_millis(80)));
        assert_eq!(pauses["b.test"], None);
        assert_eq!(pauses["d.test"], None);
    }

    #[test]
    fn a_line_has_nine_fields_whatever_the_request() {
        let line = entry("a.test", Instant::now(), 1, Some(2)).to_line();
        assert_eq!(line, "1\t2\t200\t7\t1\t3\ta.test\t/?\tx");
    }
}
