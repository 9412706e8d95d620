//! Query parameters that name a visitor or a campaign, not a page.

/// Names that are tracking or session identifiers wherever they stand. Lower case, sorted.
///
/// Kept to names with one known meaning: a wrong entry joins two pages into one, a missing one only costs a fetch.
const NAMES: &[&str] = &[
    "__hsfp",
    "__hssc",
    "__hstc",
    "__s",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_openstat",
    "cvid",
    "dclid",
    "epik",
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
    "fbclid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "hsctatracking",
    "igshid",
    "irclickid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "ml_subscriber",
    "ml_subscriber_hash",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "rb_clickid",
    "s_cid",
    "scid",
    "spm",
    "srsltid",
    "sscid",
    "trk_contact",
    "ttclid",
    "twclid",
    "vero_conv",
    "vero_id",
    "wbraid",
    "wickedid",
    "wt_mc",
    "yclid",
    "ymclid",
    "zanpid",
];

/// Beginnings of such names. Lower case.
const PREFIXES: &[&str] = &["utm_", "aspsessionid", "pk_campaign", "pk_kwd", "mtm_", "hsa_", "stm_"];

/// Names that mean a session only when their value looks like one: `sid=12` is as often a section. Lower case, sorted.
const SESSION_NAMES: &[&str] = &["osid", "sessid", "session", "session_id", "sessionid", "sid", "zenid"];

/// Names that servers gave their sessions. A number that somebody counted is none all the same. Lower case, sorted.
const SERVER_SESSION_NAMES: &[&str] = &["cfid", "cftoken", "jsessionid", "oscsid", "phpsessid"];

/// Path parameters (`/page;jsessionid=…`) that are sessions whatever their value. Lower case.
const PATH_PARAMETERS: &[&str] = &["jsessionid", "phpsessid"];

/// By the first letter of a listed name or beginning, a bit for each second letter: most other names are told by these two.
const SECOND_LETTERS: [u32; 32] = {
    let mut letters = [0; 32];
    let lists = [NAMES, PREFIXES, SESSION_NAMES, SERVER_SESSION_NAMES];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            let name = lists[list][at].as_bytes();
            letters[letter(name[0])] |= 1 << letter(name[1]);
            at += 1;
        }
        list += 1;
    }
    letters
};

/// A number for each letter in either case, one for `_`, and one for all else, which no list has.
const fn letter(byte: u8) -> usize {
    match byte {
        b'a'..=b'z' => (byte - b'a') as usize,
        b'A'..=b'Z' => (byte - b'A') as usize,
        b'_' => 26,
        _ => 31,
    }
}

/// Shortest value under the name of a server's session that is taken for one.
const MIN_SERVER_SESSION_VALUE: usize = 6;

/// Shortest session identifier in use: 64 bits in hex.
const MIN_SESSION_VALUE: usize = 16;

/// Whether the query parameter `name` (percent-decoding is not needed: no listed name has escapes) with
/// `value` says who visits, not what is shown. O(|name| + |value|), no allocation for names under 32 bytes.
#[must_use]
pub fn is_tracking_parameter(name: &str, value: &str) -> bool {
    let [first, second, ..] = name.as_bytes() else { return is_order_of_listing(name, value) };
    if SECOND_LETTERS[letter(*first)] >> letter(*second) & 1 == 0 {
        return false;
    }
    // The longest listed name has 18 bytes; prefixes decide on the first 32 at most.
    let mut buffer = [0_u8; 32];
    let length = name.len().min(buffer.len());
    let lower = &mut buffer[..length];
    lower.copy_from_slice(&name.as_bytes()[..length]);
    lower.make_ascii_lowercase();
    let whole = name.len() <= 32;
    (whole && NAMES.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok())
        || PREFIXES.iter().any(|prefix| lower.starts_with(prefix.as_bytes()))
        || (whole
            && SERVER_SESSION_NAMES.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
            && value.len() >= MIN_SERVER_SESSION_VALUE
            && value.bytes().any(|byte| byte.is_ascii_digit()))
        || (whole
            && SESSION_NAMES.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
            && looks_like_session(value))
}

/// Whether a parameter sorts the list of a folder as Apache makes it: `?C=M;O=D`.
fn is_order_of_listing(name: &str, value: &str) -> bool {
    let columns = |value: &str| matches!(value, "N" | "M" | "S" | "D");
    name == "C" && value.split_once(";O=").is_some_and(|(column, order)| columns(column) && matches!(order, "A" | "D"))
}

/// Whether a segment is all identifiers that ASP.NET puts into the path of visitors without cookies: `(S(…))`, and beside the session
/// `A` for the name, `F` for the login, and `X(1)` for a browser that was tried.
pub(crate) fn is_session_segment(segment: &str) -> bool {
    let Some(mut rest) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
    let mut has_token = false;
    while let Some((name, (value, after))) =
        rest.split_once('(').and_then(|(name, rest)| Some((name, rest.split_once(')')?)))
    {
        let is_token = value.len() >= MIN_SESSION_VALUE
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !matches!(name, "A" | "F" | "S" | "X" | "a" | "f" | "s" | "x") || !is_token && value != "1" {
            return false;
        }
        has_token |= is_token;
        rest = after;
    }
    has_token && rest.is_empty()
}

/// `segment` without the session parameters behind its first `;`.
pub(crate) fn strip_path_parameters(segment: &str) -> std::borrow::Cow<'_, str> {
    if !segment.contains(';') || !segment.split(';').skip(1).any(is_session_parameter) {
        return segment.into();
    }
    let mut pieces = segment.split(';');
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces.filter(|piece| !is_session_parameter(piece)) {
        kept.push(';');
        kept.push_str(piece);
    }
    kept.into()
}

fn is_session_parameter(piece: &str) -> bool {
    let Some((name, value)) = piece.split_once('=') else { return false };
    let is_one_of = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    is_one_of(PATH_PARAMETERS) || is_one_of(SESSION_NAMES) && looks_like_session(value)
}

/// Whether `value` was drawn, not written: 16 hex digits and more, a UUID, or as many letters and digits without order.
fn looks_like_session(value: &str) -> bool {
    value.len() >= MIN_SESSION_VALUE && (is_uuid(value) || is_hex(value) || is_jumble(value))
}

/// Hex digits with a letter and a digit among them; 32 may lack the letter.
fn is_hex(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex && digits > 0 && (digits < value.len() || value.len() >= 32)
}

fn is_uuid(value: &str) -> bool {
    let widths = value.split('-').map(str::len);
    widths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Whether neighbours are of different kinds (digit, capital, small letter) at one place in four. Random tokens of 36
/// letters and more change at two in five; words joined by `-` or by capitals, with years and models between them, at one
/// in five at most. A capital before a small letter is no change: that is how words begin.
fn is_jumble(value: &str) -> bool {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => Some('9'),
        b'A'..=b'Z' => Some('A'),
        b'a'..=b'z' => Some('a'),
        _ => None,
    };
    let token = value.bytes().all(|byte| kind(byte).is_some() || matches!(byte, b'-' | b'_'));
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let changes = value.as_bytes().windows(2).filter(|pair| match (kind(pair[0]), kind(pair[1])) {
        (Some(one), Some(next)) => one != next && (one, next) != ('A', 'a'),
        _ => false,
    });
    token && has_digit && changes.count() * 4 >= value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted_for_the_binary_search() {
        assert!(NAMES.is_sorted() && SESSION_NAMES.is_sorted() && SERVER_SESSION_NAMES.is_sorted());
        for name in [NAMES, PREFIXES, SESSION_NAMES, SERVER_SESSION_NAMES].concat() {
            assert!(!name.bytes().take(2).any(|byte| letter(byte) == 31), "{name} is told by its first letters");
        }
    }

    #[test]
    fn campaigns_and_sessions_are_known_in_any_case() {
        for name in ["utm_source", "UTM_Medium", "gclid", "ASPSESSIONIDQQABCDEF", "spm", "fbclid"] {
            assert!(is_tracking_parameter(name, "1"), "{name}");
        }
        for value in [
            "9f86d081884c7d659a2feaa0c55ad015",
            "123e4567-e89b-12d3-a456-426614174000",
            "rkdq2n0v3b1sd9d7a8ujl4k6h3",
            "A7xQ-92kLm_03ZpVbT4s1w",
            "12345678901234567890123456789012",
        ] {
            for name in ["sid", "sessionid", "PHPSESSID", "osCsid", "jsessionid", "session_id"] {
                assert!(is_tracking_parameter(name, value), "{name}={value}");
            }
        }
    }

    #[test]
    fn sessions_in_the_path_are_those_of_a_server_that_marks_them() {
        for segment in [
            "(S(lit3py55t21z5v55vlm25s55))",
            "(s(lit3py55t21z5v55vlm25s55))",
            "(X(1)S(lit3py55t21z5v55vlm25s55))",
            "(A(q9Xz_h3kAQEkAAAANTEz)F(b8Kd-2fkAQEkAAAAYzNl))",
        ] {
            assert!(is_session_segment(segment), "{segment}");
        }
        for segment in [
            "(S(x))",
            "(X(1))",
            "S(lit3py55t21z5v55vlm25s55)",
            "(Song(lit3py55t21z5v55vlm25s55))",
            "(S(lit3py55t21z5v55vlm25s55)b)",
            "(S(a/b))",
            "()",
            "(",
            "(S(",
            "rye(S(lit3py55t21z5v55vlm25s55))",
        ] {
            assert!(!is_session_segment(segment), "{segment}");
        }
    }

    #[test]
    fn the_order_of_a_listing_is_nothing_that_is_shown() {
        assert!(is_tracking_parameter("C", "M;O=D") && is_tracking_parameter("C", "N;O=A"));
        assert!(!is_tracking_parameter("C", "M") && !is_tracking_parameter("C", "Mill;O=D"));
    }

    #[test]
    fn names_that_choose_content_stay() {
        for (name, value) in [
            ("id", "7"),
            ("sessionid", "12"),
            ("sessionid", "keynote-2024"),
            ("session_id", "a7"),
            ("PHPSESSID", "1"),
            ("osCsid", "12"),
            ("jsessionid", "42"),
            ("cfid", "103"),
            ("page", "2"),
            ("sid", "12"),
            ("s", "how-to-read-2024-reports-x"),
            ("sid", "a-section-called-home"),
            ("session", "2024-opening-keynote-a"),
            ("session", "OpeningKeynote2024ForAll"),
            ("sid", "iphone-15-pro-vs-s24-ultra-2024"),
            ("sid", "1234567890123456"),
            ("q", "utm_source"),
            ("utm", "1"),
            ("ref", "main"),
        ] {
            assert!(!is_tracking_parameter(name, value), "{name}={value}");
        }
    }
}
