//! What a request asks: parameters of a search, read and checked, and written back into links.

use gristmill_index::{COUNT_UP_TO, DocumentKind, MAX_OFFSET, SearchFilter, SearchQuery, Sort, parse_period_at};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Most hits of one answer over the network.
const MAX_LIMIT: usize = 100;
/// Longest value of a filter; site names are shorter.
const MAX_VALUE_BYTES: usize = 255;

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The parameters of a search as they came, empty for unset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SearchRequest {
    pub q: String,
    pub limit: String,
    pub offset: String,
    pub site: String,
    pub kind: String,
    pub language: String,
    pub from: String,
    pub to: String,
    pub collapse: String,
    pub sort: String,
}

impl SearchRequest {
    /// The parameters, as [`field`](Self::field) knows them.
    pub const NAMES: [&str; 10] =
        ["q", "limit", "offset", "site", "kind", "language", "from", "to", "collapse", "sort"];

    /// What a client does wrong who gives parameters that are unknown, or twice.
    pub fn strict(pairs: Vec<(String, String)>) -> Result<Self, String> {
        let shown = |name: &str| name.chars().take(40).collect::<String>();
        let is_again = |(at, (name, _)): (usize, &(String, String))| pairs[..at].iter().any(|before| before.0 == *name);
        if let Some(at) = pairs.iter().enumerate().position(is_again) {
            return Err(format!("`{}` is given more than once: a search has each parameter once", shown(&pairs[at].0)));
        }
        match Self::new(pairs) {
            (request, None) => Ok(request),
            (_, Some(name)) => {
                Err(format!("there is no parameter `{}`; there are `{}`", shown(&name), Self::NAMES.join("`, `")))
            }
        }
    }

    /// Sorts pairs into fields; of repeated names the last one counts. Returns the first unknown name as well.
    pub fn new(pairs: Vec<(String, String)>) -> (Self, Option<String>) {
        let mut request = Self::default();
        let mut unknown = None;
        for (name, value) in pairs {
            match request.field(&name) {
                Some(field) => *field = value,
                None => unknown = unknown.or(Some(name)),
            }
        }
        (request, unknown)
    }

    fn field(&mut self, name: &str) -> Option<&mut String> {
        Some(match name {
            "q" => &mut self.q,
            "limit" => &mut self.limit,
            "offset" => &mut self.offset,
            "site" => &mut self.site,
            "kind" => &mut self.kind,
            "language" => &mut self.language,
            "from" => &mut self.from,
            "to" => &mut self.to,
            "collapse" => &mut self.collapse,
            "sort" => &mut self.sort,
            _ => return None,
        })
    }

    /// The same with one parameter changed, from the first page on.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut request = Self { offset: String::new(), ..self.clone() };
        if let Some(field) = request.field(name) {
            value.clone_into(field);
        }
        request
    }

    /// The path of the search page that asks this.
    pub fn path(&self) -> String {
        let pairs = [
            ("q", &self.q),
            ("site", &self.site),
            ("kind", &self.kind),
            ("language", &self.language),
            ("from", &self.from),
            ("to", &self.to),
            ("collapse", &self.collapse),
            ("sort", &self.sort),
            ("limit", &self.limit),
            ("offset", &self.offset),
        ];
        let mut path = "/search?q=".to_owned();
        path.extend(utf8_percent_encode(pairs[0].1, PLAIN));
        for (name, value) in pairs.into_iter().skip(1).filter(|(_, value)| !value.is_empty()) {
            path.push('&');
            path.push_str(name);
            path.push('=');
            path.extend(utf8_percent_encode(value, PLAIN));
        }
        path
    }

    /// The path of the feed of this search.
    pub fn feed_path(&self) -> String {
        self.path().replacen("/search", "/feed", 1)
    }

    /// Whether nothing at all is asked.
    pub fn is_empty(&self) -> bool {
        let Self { q, site, kind, language, from, to, .. } = self;
        [q, site, kind, language, from, to].iter().all(|value| value.trim().is_empty())
    }

    /// The query as of now, in seconds since 1970, or a sentence on the first parameter that makes no sense.
    pub fn query(&self, now: i64) -> Result<SearchQuery, String> {
        let from = period(&self.from, "from", now)?.map(|period| period.start);
        let to = period(&self.to, "to", now)?.map(|period| period.end);
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            return Err("`from` must not be after `to`".to_owned());
        }
        let filter = SearchFilter {
            site: value(&self.site, "site")?,
            kind: kind(&self.kind)?,
            language: value(&self.language, "language")?,
            from,
            to,
        };
        let limit = number(&self.limit, "limit", 1, MAX_LIMIT)?.unwrap_or(10);
        let offset = number(&self.offset, "offset", 0, MAX_OFFSET)?.unwrap_or(0);
        let collapse = flag(&self.collapse, "collapse")?;
        let sort = sort(&self.sort)?;
        let (text, count_up_to, now) = (self.q.clone(), COUNT_UP_TO, Some(now));
        Ok(SearchQuery { text, filter, limit, offset, collapse, sort, count_up_to, now, ..SearchQuery::default() })
    }
}

/// The query that these parameters of a search ask, as of now, in seconds since 1970.
///
/// # Errors
/// A sentence on the first parameter that is unknown, given twice, or makes no sense.
pub fn search_query(pairs: Vec<(String, String)>, now: i64) -> Result<SearchQuery, String> {
    SearchRequest::strict(pairs)?.query(now)
}

/// The path of a document's page.
pub(crate) fn document_path(key: &str) -> String {
    format!("/document/{}", utf8_percent_encode(key, PLAIN))
}

fn period(text: &str, name: &str, now: i64) -> Result<Option<gristmill_index::Period>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    parse_period_at(text, now).map(Some).ok_or_else(|| {
        format!(
            "`{name}` must be a time, day, month or year such as 2024-05-31T10:30, 2024-05-31, 2024-05, 2024 or `today`"
        )
    })
}

fn value(text: &str, name: &str) -> Result<Option<String>, String> {
    let text = text.trim();
    if text.len() > MAX_VALUE_BYTES {
        return Err(format!("`{name}` must have at most {MAX_VALUE_BYTES} bytes"));
    }
    Ok(if text.is_empty() { None } else { Some(text.to_owned()) })
}

fn kind(text: &str) -> Result<Option<DocumentKind>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let kinds = || DocumentKind::ALL.map(|kind| format!("`{kind}`")).join(", ");
    text.parse().map(Some).map_err(|()| format!("`kind` must be one of {}", kinds()))
}

fn number(text: &str, name: &str, min: usize, max: usize) -> Result<Option<usize>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.map(Some).ok_or_else(|| format!("`{name}` must be a whole number from {min} to {max}"))
}

fn flag(text: &str, name: &str) -> Result<bool, String> {
    match text {
        "" | "0" | "false" => Ok(false),
        "1" | "true" | "on" => Ok(true),
        _ => Err(format!("`{name}` must be `true` or `false`")),
    }
}

fn sort(text: &str) -> Result<Sort, String> {
    match text {
        "" | "score" => Ok(Sort::Score),
        "date" => Ok(Sort::Date),
        "updated" => Ok(Sort::Updated),
        "price" => Ok(Sort::Price),
        "price-desc" => Ok(Sort::PriceDescending),
        _ => Err("`sort` must be `score`, `date`, `updated`, `price` or `price-desc`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(pairs: &[(&str, &str)]) -> SearchRequest {
        SearchRequest::new(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()).0
    }

    #[test]
    fn a_parameter_is_given_once_and_is_known() {
        let strict = |pairs: &[(&str, &str)]| {
            SearchRequest::strict(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
        };
        assert!(strict(&[("q", "mill"), ("limit", "2")]).is_ok());
        assert!(strict(&[("q", "mill"), ("q", "rye")]).unwrap_err().starts_with("`q` is given more than once"));
        assert!(strict(&[("site", "a.test"), ("sites", "b.test")]).unwrap_err().contains("no parameter `sites`"));
    }

    #[test]
    fn each_bad_parameter_is_named() {
        let bad = [
            ("limit", "0"),
            ("limit", "101"),
            ("limit", "x"),
            ("offset", "-1"),
            ("offset", "10001"),
            ("kind", "tool"),
            ("from", "someday"),
            ("to", "2024-02-30"),
            ("collapse", "maybe"),
            ("sort", "size"),
        ];
        for (name, value) in bad {
            let message = request(&[(name, value)]).query(0).unwrap_err();
            assert!(message.contains(&format!("`{name}`")), "{message}");
        }
        assert!(request(&[("from", "2025"), ("to", "2024")]).query(0).is_err());
        assert!(request(&[("from", "2024"), ("to", "2024")]).query(0).is_ok(), "`to` includes its last day");
        let noon = parse_period_at("2026-11-26T12", 0).unwrap().start;
        let today = request(&[("from", "yesterday"), ("to", "today")]).query(noon).unwrap();
        assert_eq!(
            (today.filter.from, today.filter.to, today.now),
            (Some(noon - 129_600), Some(noon + 43_200), Some(noon))
        );
    }

    #[test]
    fn a_path_asks_again_what_was_asked() {
        let asked = request(&[("q", "a&b=c#社 +\"%"), ("site", "x.org"), ("offset", "20")]);
        let path = asked.path();
        assert!(path.is_ascii() && !path.contains(['#', '"', '+', ' ']), "{path}");
        assert_eq!(asked.with("site", "").path(), "/search?q=a%26b%3Dc%23%E7%A4%BE%20%2B%22%25");
    }
}
