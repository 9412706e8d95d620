//! A forgiving walk over XML: elements by local name, text with its references resolved, nothing else.

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// One step of the walk.
pub(crate) enum XmlEvent<'a> {
    Open {
        name: &'a str,
        prefix: &'a str,
        attributes: Attributes<'a>,
    },
    /// Text between markup, a CDATA section, or the character behind one reference.
    Text(&'a str),
    Close {
        name: &'a str,
    },
}

/// The attributes of one element, read on demand.
pub(crate) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// The value of the attribute with the local name `name` in any case, its references resolved.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.html_attributes();
        let attribute = attributes
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.local_name().as_ref().eq_ignore_ascii_case(name))?;
        Some(unescape(&attribute.value))
    }
}

/// Calls `visit` for every step until it answers `false`; answers whether the input ended well.
///
/// Ends need not match starts (the reader then keeps no stack, so depth costs nothing). A DOCTYPE is passed over and
/// only the five predefined entities and character references are resolved: nothing expands.
pub(crate) fn walk(text: &str, mut visit: impl FnMut(XmlEvent<'_>) -> bool) -> bool {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        let go_on = match reader.read_event() {
            Err(_) => return false,
            Ok(Event::Eof) => return true,
            Ok(Event::Start(start)) => open(&start, &mut visit),
            Ok(Event::Empty(start)) => {
                open(&start, &mut visit) && visit(XmlEvent::Close { name: start.local_name().as_ref() })
            }
            Ok(Event::End(end)) => visit(XmlEvent::Close { name: end.local_name().as_ref() }),
            Ok(Event::Text(text)) => visit(XmlEvent::Text(&text)),
            Ok(Event::CData(text)) => visit(XmlEvent::Text(&text)),
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(character)) => visit(XmlEvent::Text(character.encode_utf8(&mut [0; 4]))),
                _ => resolve_xml_entity(&reference).is_none_or(|text| visit(XmlEvent::Text(text))),
            },
            Ok(_) => true,
        };
        if !go_on {
            return false;
        }
    }
}

fn open(start: &BytesStart<'_>, visit: &mut impl FnMut(XmlEvent<'_>) -> bool) -> bool {
    let name = start.name();
    let prefix = name.prefix();
    let prefix = prefix.as_ref().map_or("", |prefix| prefix.as_ref());
    visit(XmlEvent::Open { name: name.local_name().as_ref(), prefix, attributes: Attributes(start) })
}

fn unescape(value: &str) -> String {
    quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), |text| text.into_owned())
}

/// Appends `text` to `field` up to `limit` bytes, on a character boundary.
pub(crate) fn push_limited(field: &mut String, text: &str, limit: usize) {
    let mut end = limit.saturating_sub(field.len()).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    field.push_str(&text[..end]);
}
