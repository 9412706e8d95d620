//! How a shop is reached, paid and sent back to: rows that stand beside attributes and are none.

use gristmill_html::LocalName;

use crate::dictionary::Dictionary;
use crate::view::{ByteRange, RecordView};

/// Common names of such rows, and of those of an imprint or an order.
const TERMS: [&str; 6] = ["company", "contact", "order_total", "payment", "returns", "shipping"];

/// Days of the week, in lower case: rows of opening hours are called so, whatever stands beside them.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag", "dienstag", "mittwoch", "donnerstag",
    "freitag", "samstag", "sonnabend", "sonntag", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes",
    "martes", "miércoles", "jueves", "viernes", "sábado", "domingo", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato",
    "domenica", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "maandag", "dinsdag", "woensdag",
    "donderdag", "vrijdag", "zaterdag", "zondag", "måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag", "mandag",
    "tirsdag", "lørdag", "søndag", "maanantai", "tiistai", "keskiviikko", "torstai", "perjantai", "lauantai", "sunnuntai",
    "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela", "pondělí", "úterý", "středa", "čtvrtek", "pátek",
    "neděle", "hétfő", "kedd", "szerda", "csütörtök", "péntek", "szombat", "vasárnap", "luni", "marți", "miercuri", "joi", "vineri",
    "sâmbătă", "duminică", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье", "понеділок", "вівторок",
    "середа", "четвер", "п'ятниця", "субота", "неділя", "pazartesi", "salı", "çarşamba", "perşembe", "cuma", "cumartesi", "pazar",
    "δευτέρα", "τρίτη", "τετάρτη", "πέμπτη", "παρασκευή", "σάββατο", "κυριακή", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日",
    "日曜日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日", "周一", "周二", "周三", "周四", "周五", "周六", "周日",
    "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일", "senin", "selasa", "rabu", "kamis", "jumat", "sabtu", "minggu",
];

/// Digits of a telephone number at least, and the longest text of one.
const MIN_DIGITS: usize = 8;
const MAX_NUMBER: usize = 30;
/// Elements around a text that may be a link to call or to write to.
const MAX_AROUND: usize = 3;

/// Whether a name stands for how the shop is reached, paid, sends or takes back, and when it is open.
pub(crate) fn is_term(dictionary: &Dictionary, name: &str) -> bool {
    dictionary.canonical(name).is_some_and(|canonical| TERMS.contains(&canonical)) || is_weekday(name)
}

/// Whether a name begins with a day: `Monday`, `Montag – Freitag`.
fn is_weekday(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let first = name.split([' ', '–', '-', ',', ':', '/', '&']).next().unwrap_or_default();
    WEEKDAYS.contains(&first) || WEEKDAYS.contains(&name.as_str())
}

/// Whether a value is an address to write to, of a page or picture, or a number to call.
pub(crate) fn is_contact(view: &RecordView, value: ByteRange) -> bool {
    let text = view.slice(value);
    is_mail(text) || is_url(text) || is_number(text) || is_link(view, value)
}

/// Whether a text is nothing but a web address.
fn is_url(text: &str) -> bool {
    let is_web = ["http://", "https://", "//www.", "www."].iter().any(|start| text.starts_with(start));
    is_web && text.contains('.') && !text.contains(char::is_whitespace)
}

/// Whether a text is or ends in an address of e-mail.
fn is_mail(text: &str) -> bool {
    let address = text.split_whitespace().next_back().and_then(|word| word.split_once('@'));
    text.len() <= 100
        && address.is_some_and(|(user, host)| !user.is_empty() && host.contains('.') && !host.starts_with('.'))
}

/// Whether a text is a telephone number with the code of its country.
fn is_number(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '(' | ')' | '-' | '.' | '/' | '–');
    let rest = text.strip_prefix('+').filter(|rest| rest.len() <= MAX_NUMBER);
    rest.is_some_and(|rest| rest.chars().all(is_part) && rest.bytes().filter(u8::is_ascii_digit).count() >= MIN_DIGITS)
}

/// Whether a value is a link to call or to write to.
fn is_link(view: &RecordView, value: ByteRange) -> bool {
    let leaf = &view.leaves[view.leaf_at(value.start)];
    let mut around = view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND);
    let address =
        around.find(|&id| view.doc.name(id) == LocalName::A).and_then(|id| view.doc.attr(id, LocalName::HREF));
    let starts =
        |address: &str, scheme: &str| address.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    address.is_some_and(|address| {
        ["tel:", "mailto:", "sms:", "https://wa.me/"].iter().any(|scheme| starts(address.trim(), scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_numbers_to_call_are_told_from_values() {
        for text in ["shop@example.org", "Mail: shop@example.org"] {
            assert!(is_mail(text), "{text}");
        }
        for text in ["@home", "a @ b", "1 @ 2.5 GHz", "x@.y"] {
            assert!(!is_mail(text), "{text}");
        }
        assert!(is_url("https://cdn.shop.example/a.jpg") && is_url("www.shop.example"));
        assert!(!is_url("https://shop.example is ours") && !is_url("www"));
        for text in ["+49 30 1234567", "+1 (555) 123-4567"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["+5 °C", "+12 345", "49301234567", "+1.5/-2.0"] {
            assert!(!is_number(text), "{text}");
        }
        let dictionary = Dictionary::built_in();
        for name in [
            "Phone",
            "Öffnungszeiten",
            "联系电话",
            "Rückgabe",
            "Moyens de paiement",
            "Доставка",
            "Capital social",
            "NIP",
        ] {
            assert!(is_term(&dictionary, name), "{name}");
        }
        assert!(!is_term(&dictionary, "Weight") && !is_term(&dictionary, "Warranty"));
    }
}
