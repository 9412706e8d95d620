//! Addresses as people give them: with or without a scheme, one by one or as a list, of pages, sitemaps and feeds.

use anyhow::{Context, bail};
use gristmill_log::{Log, ProducerRecord};
use gristmill_proto::{FetchKind, LinkSource, Outlink, OutlinkBatch, encode, topics};
use gristmill_secrets::Address;
use gristmill_urls::{CanonicalUrl, Url};

/// Most characters of what was typed that an error message repeats.
const SHOWN: usize = 100;

/// Words before an address that say what stands there.
const KINDS: [(&str, FetchKind); 3] =
    [("page:", FetchKind::Page), ("sitemap:", FetchKind::Sitemap), ("feed:", FetchKind::Feed)];

/// Names that feeds have everywhere.
const FEEDS: [&str; 4] = ["rss.xml", "atom.xml", "feed.xml", "index.rdf"];

/// What tables call their column of addresses or hosts, the surest first.
const COLUMNS: [&str; 4] = ["url", "origin", "domain", "host"];

/// Where to start: a page, or a sitemap or feed whose entries are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub url: CanonicalUrl,
    pub kind: FetchKind,
}

/// The addresses of a list, one a line, and what is to be told of lines that are no address. Empty lines and those that begin with `#`
/// are passed over.
///
/// # Errors
/// A list that is no text, or holds no address.
pub fn parse_list(name: &str, bytes: &[u8]) -> anyhow::Result<(Vec<Seed>, Vec<String>)> {
    let text = decoded(bytes).with_context(|| format!("the list of URLs on {name} is not UTF-8"))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).peekable();
    let column = lines.peek().and_then(|(line, _)| UrlColumn::named_in(line));
    let rows = lines.skip(usize::from(column.is_some()));
    let address = |line| column.as_ref().map_or_else(|| address_in(line).to_owned(), |column| column.of(line));
    let addresses = rows.map(|(line, at)| (address(line), at));
    let (mut seeds, mut wrong) = (Vec::new(), Vec::new());
    for (line, at) in addresses {
        match parse_seed(&line) {
            Ok(seed) => seeds.push(seed),
            Err(error) => {
                wrong.push(format!("line {at} of {name}: `{}` is not a URL to start from: {error:#}", shorten(&line)))
            }
        }
    }
    match wrong.first().filter(|_| seeds.is_empty()) {
        Some(first) => bail!("{first}; there is no other URL in the list"),
        None => anyhow::ensure!(!seeds.is_empty(), "{name} holds no URL: a list has one on each line"),
    }
    Ok((seeds, wrong))
}

/// The text of a list in UTF-8, or in UTF-16 with its mark, in which spreadsheets save texts.
fn decoded(bytes: &[u8]) -> anyhow::Result<String> {
    let read: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(std::str::from_utf8(bytes)?.to_owned()),
    };
    let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| read([unit[0], unit[1]])).collect();
    Ok(String::from_utf16_lossy(&units))
}

/// Where a table, whose first line names its columns, has the addresses.
struct UrlColumn {
    separator: u8,
    at: usize,
}

impl UrlColumn {
    fn named_in(head: &str) -> Option<Self> {
        [b',', b';', b'\t'].into_iter().filter(|separator| head.as_bytes().contains(separator)).find_map(|separator| {
            let names = cells(head, separator);
            let place = |named: &&str| names.iter().position(|name| name.trim().eq_ignore_ascii_case(named));
            let at = COLUMNS.iter().find_map(place)?;
            Some(Self { separator, at })
        })
    }

    fn of(&self, row: &str) -> String {
        cells(row, self.separator).get(self.at).unwrap_or_default().trim().to_owned()
    }
}

/// The cells of a line of a table; none of one that has none.
fn cells(line: &str, separator: u8) -> csv::StringRecord {
    let mut lines = csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(line.as_bytes());
    lines.records().next().and_then(Result::ok).unwrap_or_default()
}

/// The address of a line without what people put around it: further columns and remarks behind it, the mark of an item before it,
/// brackets, quotation marks, and the text of a link in Markdown.
fn address_in(line: &str) -> &str {
    let line = line.split('\t').next().unwrap_or_default();
    let line = line.find(" #").map_or(line, |at| &line[..at]).trim();
    let Some(start) = line.find("http://").or_else(|| line.find("https://")) else { return without_rank(line) };
    let (before, address) = line.split_at(start);
    let end = match before.chars().next_back() {
        Some('<') => address.find('>'),
        Some('"') => address.find('"'),
        Some('(') if before.ends_with("](") => address.rfind(')'),
        Some(' ') if is_item_mark(before.trim_end()) => Some(address.len()),
        _ => None,
    };
    end.map_or(line, |end| address[..end].trim_end())
}

/// The host of a line that has its rank before it, as lists of the most visited sites do: `17,example.org`.
fn without_rank(line: &str) -> &str {
    let ranked = line.split_once(',').filter(|(rank, _)| rank.parse::<u32>().is_ok());
    ranked.map_or(line, |(_, host)| host.trim())
}

/// Whether it stands before the items of a list: `-`, `*` or `7.`.
fn is_item_mark(text: &str) -> bool {
    matches!(text, "-" | "*" | "+") || text.strip_suffix(['.', ')']).is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Reads addresses to start from.
///
/// # Errors
/// One that is none.
pub fn parse_seeds(urls: &[String]) -> anyhow::Result<Vec<Seed>> {
    let parse =
        |url: &String| parse_seed(url).with_context(|| format!("`{}` is not a URL to start from", shorten(url)));
    urls.iter().map(parse).collect()
}

/// Reads one address, with or without a word before it that says what stands there.
fn parse_seed(text: &str) -> anyhow::Result<Seed> {
    let text = unquoted(text.trim());
    for (word, kind) in KINDS {
        if let Some(address) = text.strip_prefix(word) {
            // Some programs write `feed://host/path`.
            return Ok(Seed { url: parse_address(address.trim().trim_start_matches("//"))?, kind });
        }
    }
    let url = parse_address(text)?;
    let kind = kind_by_name(url.path());
    Ok(Seed { url, kind })
}

/// Without the quotation marks or brackets around it, which shells and lists leave there.
fn unquoted(text: &str) -> &str {
    let pairs = [('"', '"'), ('\'', '\''), ('<', '>'), ('`', '`'), ('“', '”')];
    let inner = pairs.iter().find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    inner.map_or(text, str::trim)
}

/// What stands at a path, as far as its name tells.
fn kind_by_name(path: &str) -> FetchKind {
    let path = path.to_ascii_lowercase();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_xml = name.trim_end_matches(".gz").ends_with(".xml");
    match () {
        () if is_xml && name.contains("sitemap") => FetchKind::Sitemap,
        () if name == "feed" || FEEDS.contains(&name) || name.ends_with(".rss") || name.ends_with(".atom") => {
            FetchKind::Feed
        }
        () => FetchKind::Page,
    }
}

/// Reads one address; without a scheme it is https.
///
/// # Errors
/// A path, an address of another scheme, several, or one that names a user.
pub fn parse_address(text: &str) -> anyhow::Result<CanonicalUrl> {
    let text = text.trim();
    if text.starts_with(['/', '.', '~']) {
        bail!("it is a path, and no address: `--urls FILE` reads a list of addresses, `gristmill extract FILE` a page");
    }
    let whole = if has_scheme(text) { text.to_owned() } else { format!("https://{text}") };
    let url = CanonicalUrl::parse(&whole, None)?;
    if url.authority().contains(',') {
        bail!("its host has a comma: give several addresses with blanks between them, or one on each line of a list");
    }
    let user = Url::parse(&whole).is_ok_and(|url| !url.username().is_empty() || url.password().is_some());
    if user {
        bail!("it names a user, and user names and passwords are never sent: leave out what stands before the `@`");
    }
    Ok(url)
}

/// `mailto:x` and `http://x` have a scheme; `localhost:8080` and `example.org/a:b` have none.
fn has_scheme(text: &str) -> bool {
    let Some((name, rest)) = text.split_once(':') else { return false };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_name && !rest.starts_with(|first: char| first.is_ascii_digit())
}

/// The beginning of `text`, as an error message shows it: without the password that an address may have.
pub fn shorten(text: &str) -> String {
    let has_user = text.contains("://") && text.contains('@');
    let text = if has_user { Address::new(text).to_string() } else { text.to_owned() };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Puts the start URLs into the log, where the scheduler finds them like any link.
///
/// # Errors
/// The log failed.
pub async fn seed(log: &dyn Log, seeds: &[Seed], now: u64) -> anyhow::Result<()> {
    let record = |seed: &Seed| {
        let link = Outlink {
            url: seed.url.as_str().to_owned(),
            kind: seed.kind,
            source: LinkSource::Seed,
            depth: 0,
            hops: 0,
            anchor: None,
            modified_at: None,
        };
        let message = OutlinkBatch { from: String::new(), found_at: now, links: vec![link] };
        ProducerRecord {
            topic: topics::LINKS,
            key: seed.url.registrable_domain().to_owned(),
            payload: encode(&message),
        }
    };
    log.append(seeds.iter().map(record).collect()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_may_be_left_out() {
        for (typed, meant) in [
            ("example.org", "https://example.org/"),
            ("example.org/a:b", "https://example.org/a:b"),
            ("localhost:8080/x", "https://localhost:8080/x"),
            ("http://example.org/a", "http://example.org/a"),
            ("[::1]:80", "https://[::1]:80/"),
            (" \thttp://example.org/b ", "http://example.org/b"),
        ] {
            assert_eq!(parse_address(typed).unwrap().as_str(), meant, "{typed}");
        }
    }

    #[test]
    fn sitemaps_and_feeds_are_told_by_a_word_or_by_their_names() {
        let kind = |typed: &str| {
            let seed = parse_seed(typed).unwrap();
            format!("{} {}", seed.kind.as_str(), seed.url)
        };
        for (typed, meant) in [
            ("sitemap:example.org/list", "sitemap https://example.org/list"),
            ("feed: http://example.org/x", "feed http://example.org/x"),
            ("feed://example.org/x", "feed https://example.org/x"),
            ("page:example.org/feed", "page https://example.org/feed"),
            ("example.org/Sitemap_index.xml", "sitemap https://example.org/Sitemap_index.xml"),
            ("example.org/sitemap-1.xml.gz", "sitemap https://example.org/sitemap-1.xml.gz"),
            ("example.org/blog/feed/", "feed https://example.org/blog/feed/"),
            ("example.org/news.rss?all", "feed https://example.org/news.rss?all"),
            ("example.org/sitemap", "page https://example.org/sitemap"),
            ("example.org/feedback", "page https://example.org/feedback"),
        ] {
            assert_eq!(kind(typed), meant);
        }
    }

    #[test]
    fn what_stands_around_an_address_is_no_part_of_it() {
        for typed in
            ["\"http://a.example/x\"", "'http://a.example/x'", "<http://a.example/x>", " “http://a.example/x” "]
        {
            assert_eq!(parse_seed(typed).unwrap().url.as_str(), "http://a.example/x", "{typed}");
        }
        assert_eq!(parse_seed("http://a.example/'x'").unwrap().url.as_str(), "http://a.example/'x'");
    }

    #[test]
    fn lists_are_read_as_people_and_programs_write_them() {
        for (line, meant) in [
            ("http://example.org/a  # the mill", "http://example.org/a"),
            ("http://example.org/a#part", "http://example.org/a#part"),
            ("<http://example.org/a>", "http://example.org/a"),
            ("\"http://example.org/a\",\"The mill\"", "http://example.org/a"),
            ("- http://example.org/a", "http://example.org/a"),
            ("12. https://example.org/a", "https://example.org/a"),
            ("[The (old) mill](http://example.org/a_(b))", "http://example.org/a_(b)"),
            ("- [The mill](http://example.org/a)", "http://example.org/a"),
            ("17,example.org", "example.org"),
            ("example.org/to?u=http://example.net/", "example.org/to?u=http://example.net/"),
            ("sitemap:http://example.org/s", "sitemap:http://example.org/s"),
        ] {
            assert_eq!(address_in(line), meant, "{line}");
        }
        for table in [
            "url,title\nhttp://example.org/a,\"The mill\"\n",
            "\"Title\";\"URL\"\n\"The; mill\";\"http://example.org/a\"\n",
            "title\turl\nThe mill\thttp://example.org/a\n",
            "origin,rank\nhttp://example.org/a,1000\n",
        ] {
            let seeds = parse_list("`urls.csv`", table.as_bytes()).unwrap().0;
            assert_eq!(seeds.iter().map(|seed| seed.url.as_str()).collect::<Vec<_>>(), ["http://example.org/a"]);
        }
        let text = "\u{feff}http://example.org/a\r\nhttp://example.org/b\r\n";
        for endian in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(endian).collect();
            assert_eq!(parse_list("`urls.txt`", &bytes).unwrap().0.len(), 2);
        }
    }

    #[test]
    fn what_is_no_address_of_a_page_is_refused_with_the_reason() {
        let refuse = |typed: &str| format!("{:#}", parse_seeds(&[typed.to_owned()]).unwrap_err());
        assert!(
            refuse("mailto:x@y").ends_with("scheme `mailto` is neither http nor https"),
            "{}",
            refuse("mailto:x@y")
        );
        assert!(refuse("ftp://example.org/").contains("scheme `ftp`"));
        for path in ["./urls.txt", "/srv/urls.txt", "~/urls.txt"] {
            assert!(refuse(path).contains("`--urls FILE`"), "{path}");
        }
        for user in ["x@example.org", "https://x@example.org/", "https://x:secret@example.org/"] {
            assert!(refuse(user).contains("names a user") && !refuse(user).contains("secret"), "{}", refuse(user));
        }
        assert!(refuse("example.org,example.net").contains("blanks between them"));
        let list = |text: &str| format!("{:#}", parse_list("`urls.txt`", text.as_bytes()).unwrap_err());
        assert!(list("# mills\n\n\nmailto:x@y\n").starts_with("line 4 of `urls.txt`: `mailto:x@y`"));
        let (partly, _) =
            parse_list("`urls.txt`", b" \texample.org \nmailto:x@y\nexample.net\tscore=2\tnote\n").unwrap();
        let urls: Vec<&str> = partly.iter().map(|seed| seed.url.as_str()).collect();
        assert_eq!(urls, ["https://example.org/", "https://example.net/"], "a bad line costs that line");
        assert_eq!(list("\n# none\n"), "`urls.txt` holds no URL: a list has one on each line");
        let long = refuse(&format!("https://example.org/{}", "a".repeat(3_000)));
        assert!(long.len() < 250 && long.ends_with("URL of 3020 bytes is longer than 2048 bytes"), "{long}");
    }
}
