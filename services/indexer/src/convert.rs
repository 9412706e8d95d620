//! From the message to the document that the index keeps.

use gristmill_index::{
    Comment, DocumentKind, HeadingLine, History, IndexDocument, LanguageShare, ProductAttribute, RenderInfo, Rights,
};
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, Time};

/// The index's view of a message: the one conversion, so that what is searched here and what other engines get are the same.
///
/// The index may cut a text longer than 4 MiB; here it is whole. `change` is not looked at, and one message has no
/// history.
pub fn document(message: gristmill_proto::Document) -> IndexDocument {
    let published_text = message.published.unwrap_or_default();
    IndexDocument {
        key: message.key,
        url: message.url,
        title: message.title,
        anchor_title: message.anchor_title.unwrap_or_default(),
        text: message.text,
        headings: message.headings.into_iter().map(heading).collect(),
        site: message.site,
        host: message.host,
        author: message.author.unwrap_or_default(),
        published: unix_seconds(&published_text),
        published_text,
        published_declared: message.published_declared,
        published_of_site: false,
        language: message.language.unwrap_or_default(),
        language_score: message.language_score,
        script: message.script.unwrap_or_default(),
        languages: message.languages.into_iter().map(share).collect(),
        kind: message.kind.parse().unwrap_or(DocumentKind::Article),
        kind_probability: message.kind_probability,
        attributes: message.attributes.into_iter().map(attribute).collect(),
        comments: message.comments.into_iter().map(comment).collect(),
        rights: rights(message.rights),
        rendered: message.rendered.map(|drawing| RenderInfo { mode: drawing.mode, ended: drawing.ended }),
        description: message.description.unwrap_or_default(),
        image: message.image.unwrap_or_default(),
        canonical: message.canonical.unwrap_or_default(),
        fetched_at: (message.fetched_at / 1000) as i64,
        simhash: message.simhash,
        simhash_version: message.simhash_version,
        method: message.method,
        confidence: message.confidence,
        history: History::default(),
    }
}

fn attribute(message: gristmill_proto::ProductAttribute) -> ProductAttribute {
    ProductAttribute {
        name: message.name,
        value: message.value,
        canonical: message.canonical.unwrap_or_default(),
        number: message.number,
        unit: message.unit.unwrap_or_default(),
        record: message.record,
        source: message.source,
        confidence: message.confidence,
    }
}

fn heading(message: gristmill_proto::HeadingLine) -> HeadingLine {
    HeadingLine { line: message.line, level: message.level }
}

fn share(message: gristmill_proto::LanguageShare) -> LanguageShare {
    LanguageShare { language: message.language, share: message.share }
}

fn comment(message: gristmill_proto::Comment) -> Comment {
    Comment {
        author: message.author.unwrap_or_default(),
        published: message.published.unwrap_or_default(),
        text: message.text,
    }
}

fn rights(message: gristmill_proto::Rights) -> Rights {
    Rights {
        robots: message.robots,
        tdm_reserved: message.tdm_reserved,
        tdm_policy: message.tdm_policy.unwrap_or_default(),
        licence: message.licence.unwrap_or_default(),
        licence_url: message.licence_url.unwrap_or_default(),
        copyright: message.copyright.unwrap_or_default(),
    }
}

/// Unix seconds of an RFC 3339 time, or of midnight UTC of a bare date.
pub fn unix_seconds(text: &str) -> Option<i64> {
    if let Ok(time) = OffsetDateTime::parse(text, &Rfc3339) {
        return Some(time.unix_timestamp());
    }
    let date = Date::parse(text.get(..10)?, format_description!("[year]-[month]-[day]")).ok()?;
    Some(date.midnight().assume_utc().unix_timestamp())
}

/// Unix milliseconds of an RFC 3339 time that says more than the day: midnight mostly stands for a day.
pub(crate) fn unix_minute(text: &str) -> Option<u64> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|time| time.time() != Time::MIDNIGHT)?;
    u64::try_from(time.unix_timestamp()).ok().map(|seconds| seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_a_zone_and_bare_dates_are_understood() {
        assert_eq!(unix_seconds("2018-12-31T10:15:00+08:00"), Some(1_546_222_500));
        assert_eq!(unix_seconds("2018-12-31"), Some(1_546_214_400));
        assert_eq!(unix_seconds("2018-12-31T10:15"), Some(1_546_214_400), "no zone: the day is all that is sure");
        assert_eq!(unix_seconds("yesterday"), None);
        assert_eq!(unix_seconds("2018年12月31日"), None, "no cut inside a character");
    }

    #[test]
    fn a_time_of_day_is_told_from_a_day() {
        assert_eq!(unix_minute("2018-12-31T10:15:00+08:00"), Some(1_546_222_500_000));
        for day in [
            "2018-12-31T00:00:00Z",
            "2018-12-31T00:00:00+08:00",
            "2018-12-31",
            "2018-12-31T10:15",
            "0001-01-01T01:00:00Z",
        ] {
            assert_eq!(unix_minute(day), None, "{day}");
        }
    }
}
