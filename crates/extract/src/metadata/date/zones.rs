//! Names of time zones, as programs and newspapers write them behind a time.

/// Name and minutes east of UTC.
#[rustfmt::skip]
const ZONES: [(&str, i16); 45] = [
    ("UTC", 0), ("GMT", 0), ("UT", 0), ("WET", 0), ("WEST", 60), ("BST", 60), ("CET", 60), ("CEST", 120), ("MEZ", 60), ("MESZ", 120),
    ("EET", 120), ("EEST", 180), ("SAST", 120), ("CAT", 120), ("EAT", 180), ("WAT", 60), ("MSK", 180), ("TRT", 180), ("IRST", 210),
    ("GST", 240), ("PKT", 300), ("IST", 330), ("NPT", 345), ("WIB", 420), ("ICT", 420), ("WITA", 480), ("SGT", 480), ("HKT", 480),
    ("PHT", 480), ("AWST", 480), ("JST", 540), ("KST", 540), ("WIT", 540), ("AEST", 600), ("AEDT", 660), ("NZST", 720),
    ("NZDT", 780), ("EST", -300), ("EDT", -240), ("CST", -360), ("CDT", -300), ("MST", -420), ("MDT", -360), ("PST", -480),
    ("PDT", -420),
];

/// The zone whose name a text begins with, and the length of the name.
pub(super) fn zone_at(text: &str) -> Option<(i16, usize)> {
    let end = text.bytes().take(5).take_while(u8::is_ascii_uppercase).count();
    let parted = !text[end..].starts_with(char::is_alphanumeric);
    let zone = ZONES.iter().find(|(name, _)| parted && *name == &text[..end]);
    zone.map(|(_, minutes)| (*minutes, end))
}
