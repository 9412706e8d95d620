//! robots.txt: groups, rules and what they say about one path (RFC 9309).

use std::borrow::Cow;
use std::time::Duration;

use crate::lines::records;
use crate::pattern::{PathPattern, subject};
use crate::plain::plain;
use crate::rules::{RobotsRules, Rule};
use crate::usage::UsageRules;

/// Bytes of a robots.txt that are read; RFC 9309 §2.5 asks for at least 500 KiB.
pub const MAX_ROBOTS_BYTES: usize = 500 * 1024;

/// Rules kept of one file. Far above real files (the largest known have some thousands).
const MAX_RULES: usize = 20_000;

/// Of them, those with a star, which an answer tries one by one: bounds its time to about a millisecond.
const MAX_STARRED_RULES: usize = 5_000;

/// Sitemap lines kept of one file.
const MAX_SITEMAPS: usize = 1_000;

/// Longest `Crawl-delay` understood; larger values mean this one.
const MAX_CRAWL_DELAY: Duration = Duration::from_secs(24 * 3600);

/// The rules that one site has for one crawler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsTxt {
    rules: RobotsRules,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
    usage: UsageRules,
}

/// Whether a path may be fetched, and which line says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RobotsDecision<'a> {
    pub allowed: bool,
    /// The deciding line, `Disallow: /private`; `None` when no rule matches, and so all is allowed.
    pub rule: Option<&'a str>,
    /// About how many bytes were compared, for callers that bound their time.
    pub work: usize,
}

/// Which of the file's groups are ours.
#[derive(Default)]
struct Group {
    rules: Vec<Rule>,
    n_starred: usize,
    /// That of its agents, and that of others named before them without a rule between.
    crawl_delay: Option<Duration>,
    delay_of_others: Option<Duration>,
    usage: UsageRules,
    named: bool,
}

impl RobotsTxt {
    /// Reads a robots.txt for the crawler called `agent` (`Gristmill` or `Gristmill/1.0 …`: the product token counts).
    ///
    /// * Groups that name the agent are merged; without one, the groups for `*` hold.
    /// * Agent and field names are compared without case; unknown lines are skipped, and do not end a group.
    /// * UTF-8, or UTF-16; a forgotten colon, usual misspellings and several agents on one line are understood.
    /// * Only the first 500 KiB count. Never fails: a file without rules allows everything.
    #[must_use]
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        let agent = product_token(agent.as_bytes());
        let (mut ours, mut any) = (Group::default(), Group::default());
        let mut sitemaps = Vec::new();
        let mut speaks = Speaks::default();
        for (key, value) in records(&whole_lines(bytes)) {
            if key.is_empty() {
                speaks.end_delay();
            } else if is(key, SITEMAP_KEYS) {
                if sitemaps.len() < MAX_SITEMAPS && !value.is_empty() {
                    sitemaps.push(String::from_utf8_lossy(value).into_owned());
                }
            } else if is(key, AGENT_KEYS) {
                speaks.agent(value, agent);
                speaks.open(&mut ours, &mut any);
            } else if let Some(allow) = rule_kind(key) {
                speaks.in_rules = true;
                speaks.groups(&mut ours, &mut any).for_each(|group| group.add(allow, value));
            } else if is(key, USAGE_KEYS) {
                speaks.in_rules = true;
                speaks.groups(&mut ours, &mut any).for_each(|group| group.usage.add(value));
            } else if is(key, DELAY_KEYS) {
                speaks.delay(parse_delay(value), &mut ours, &mut any);
            }
        }
        let group = if ours.named { ours } else { any };
        let crawl_delay = group.crawl_delay.or(group.delay_of_others);
        Self { rules: RobotsRules::new(group.rules), crawl_delay, sitemaps, usage: group.usage }
    }

    /// The rules that follow from the answer to a request for robots.txt (RFC 9309 §2.3.1), redirects followed:
    /// 2xx is read; 4xx means that there are no rules; all else, 429 among them, that nothing may be
    /// fetched until an answer comes. A status of 0 stands for no answer.
    #[must_use]
    pub fn from_response(status: u16, body: &[u8], agent: &str) -> Self {
        match status {
            200..=299 => Self::parse(body, agent),
            // Not in the RFC, but its authors' crawler and ours agree: "too many requests" is no permission.
            429 => Self::disallow_all(),
            400..=499 => Self::allow_all(),
            _ => Self::disallow_all(),
        }
    }

    /// No rules at all.
    #[must_use]
    pub fn allow_all() -> Self {
        Self { rules: RobotsRules::default(), crawl_delay: None, sitemaps: Vec::new(), usage: UsageRules::default() }
    }

    /// Everything is forbidden but robots.txt itself.
    #[must_use]
    pub fn disallow_all() -> Self {
        Self::parse(b"User-agent: *\nDisallow: /", "*")
    }

    /// About how many bytes it takes in memory, for caches. O(rules).
    #[must_use]
    pub fn size(&self) -> usize {
        let sitemaps = self.sitemaps.iter().map(|sitemap| size_of::<String>() + sitemap.len());
        size_of::<Self>() + self.rules.size() + self.usage.size() + sitemaps.sum::<usize>()
    }

    /// Whether `path_and_query` of a URL may be fetched. The longest matching pattern decides, Allow on a tie;
    /// `/robots.txt` is always allowed. O(starred rules · |path| + log rules), under a quarter of a microsecond a starred rule.
    #[must_use]
    pub fn allows(&self, path_and_query: &str) -> RobotsDecision<'_> {
        if self.rules.is_empty() || path_and_query == "/robots.txt" {
            return RobotsDecision { allowed: true, rule: None, work: 0 };
        }
        let (rule, work) = self.rules.decide(&subject(path_and_query));
        RobotsDecision { allowed: rule.is_none_or(|rule| rule.allow), rule: rule.map(|rule| &*rule.line), work }
    }

    /// The pause that the site asks for, at most a day. Not in the RFC, but widely written.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// What `Content-Usage` and `Content-Signal` say of the use of a page, as they are written, with commas between several.
    #[must_use]
    pub fn usage(&self, path_and_query: &str) -> Option<String> {
        self.usage.of(path_and_query)
    }

    /// Values of the `Sitemap` lines, which belong to no group; not resolved, not checked.
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

impl Group {
    fn add(&mut self, allow: bool, value: &[u8]) {
        // An empty Disallow allows everything, which is what no rule does.
        if value.is_empty() || self.rules.len() >= MAX_RULES {
            return;
        }
        let pattern = PathPattern::new(value);
        if pattern.has_star() && self.n_starred >= MAX_STARRED_RULES {
            return;
        }
        self.n_starred += usize::from(pattern.has_star());
        let name = if allow { "Allow" } else { "Disallow" };
        let line = format!("{name}: {}", String::from_utf8_lossy(value));
        self.rules.push(Rule { pattern, allow, line });
    }
}

/// To whom the lines speak that are now being read.
#[derive(Default)]
struct Speaks {
    to_us: bool,
    to_all: bool,
    /// A rule was read since the last agent line, so that the next agent line opens a new group.
    in_rules: bool,
    /// The longest delay of the group. `Crawl-delay` is no rule (RFC 9309 §2.2.4), so agents named after it are in the same group still;
    /// but it is meant for those named since the one before it, and for none behind an empty line, which ended a record where the field
    /// comes from.
    delay: Option<Duration>,
    is_new_to_us: bool,
    is_new_to_all: bool,
    after_delay: bool,
}

impl Speaks {
    /// Those of the two that are spoken to.
    fn groups<'g>(&self, ours: &'g mut Group, any: &'g mut Group) -> impl Iterator<Item = &'g mut Group> {
        self.to_us.then_some(ours).into_iter().chain(self.to_all.then_some(any))
    }

    fn open(&self, ours: &mut Group, any: &mut Group) {
        for group in self.groups(ours, any) {
            group.named = true;
            group.delay_of_others = group.delay_of_others.max(self.delay);
        }
    }

    fn end_delay(&mut self) {
        if self.after_delay {
            self.delay = None;
        }
    }

    fn delay(&mut self, delay: Option<Duration>, ours: &mut Group, any: &mut Group) {
        let meant = [(self.is_new_to_us, ours), (self.is_new_to_all, any)];
        for (_, group) in meant.into_iter().filter(|(is_meant, _)| *is_meant) {
            group.crawl_delay = group.crawl_delay.max(delay);
        }
        self.delay = self.delay.max(delay);
        self.after_delay = true;
    }

    fn agent(&mut self, value: &[u8], agent: &[u8]) {
        if self.in_rules {
            *self = Self::default();
        }
        if std::mem::take(&mut self.after_delay) {
            (self.is_new_to_us, self.is_new_to_all) = (false, false);
        }
        let is_list = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
        let mut names = value.split(is_list).filter(|name| !name.is_empty());
        let to_all = names.clone().next() == Some(b"*");
        // Whoever writes `One, Two` or `One Two` means both, whatever the RFC says of one token a line.
        let to_us = !agent.is_empty() && names.any(|name| product_token(name).eq_ignore_ascii_case(agent));
        (self.to_us, self.to_all) = (self.to_us || to_us, self.to_all || to_all);
        (self.is_new_to_us, self.is_new_to_all) = (self.is_new_to_us || to_us, self.is_new_to_all || to_all);
    }
}

/// Cuts at the limit, and there at the last whole line: half a `Disallow: /private` would forbid more than it says.
fn whole_lines(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = plain(&bytes[..bytes.len().min(MAX_ROBOTS_BYTES)]);
    if bytes.len() <= MAX_ROBOTS_BYTES {
        return text;
    }
    let end = memchr::memrchr2(b'\n', b'\r', &text).unwrap_or(0);
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

/// The leading characters that a product token may have (RFC 9309 §2.2.1).
fn product_token(value: &[u8]) -> &[u8] {
    let is_token = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let end = value.iter().position(|byte| !is_token(byte)).unwrap_or(value.len());
    &value[..end]
}

/// Spellings that files have, Google's parser and crawler-commons know, and no other field has.
const AGENT_KEYS: &[&[u8]] = &[b"user-agent", b"useragent", b"user agent", b"user-agents", b"useg-agent", b"ser-agent"];
const DISALLOW_KEYS: &[&[u8]] = &[
    b"disallow",
    b"dissallow",
    b"dissalow",
    b"disalow",
    b"diasllow",
    b"disallaw",
    b"desallow",
    b"dssalow",
    b"dsallow",
];
const DELAY_KEYS: &[&[u8]] = &[b"crawl-delay", b"crawl delay", b"crawldelay"];
const USAGE_KEYS: &[&[u8]] = &[b"content-usage", b"content-signal"];
const SITEMAP_KEYS: &[&[u8]] = &[b"sitemap", b"site-map", b"sitemaps"];

fn is(key: &[u8], spellings: &[&[u8]]) -> bool {
    spellings.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// Whether the key is Allow (`true`) or Disallow.
fn rule_kind(key: &[u8]) -> Option<bool> {
    if key.eq_ignore_ascii_case(b"allow") { Some(true) } else { is(key, DISALLOW_KEYS).then_some(false) }
}

fn parse_delay(value: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.split_whitespace().next()?.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(MAX_CRAWL_DELAY.as_secs_f64())))
}
