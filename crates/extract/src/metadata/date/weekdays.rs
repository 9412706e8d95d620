//! Names of the days of the week, which tell day and month of `Tue, 11/03/2026` apart.

use time::Weekday;

/// Monday to Sunday, by their first letters in lower case, with `|` between those of several languages. Of names that begin alike
/// only longer ones are told.
#[rustfmt::skip]
const NAMES: [&str; 7] = [
    "mon|monday|montag|lun|lundi|lunes|lunedì|luni|seg|segunda|maandag|mån|måndag|mandag|maanantai|pon|poniedziałek|pondělí|pondelok|ponedjeljak|понедельник|понеділок|pazartesi|δευτέρα|hétfő|isnin|senin|thứ hai|الاثنين|الإثنين",
    "tue|tues|tuesday|dienstag|mardi|martes|martedì|marți|terça|dinsdag|tis|tisdag|tirsdag|tiistai|wt|wtorek|úterý|utorok|utorak|вторник|вівторок|salı|τρίτη|kedd|selasa|thứ ba|الثلاثاء",
    "wed|wednesday|mittwoch|mercredi|mié|miércoles|mercoledì|miercuri|quarta|woensdag|ons|onsdag|keskiviikko|środa|středa|streda|srijeda|среда|середа|çarşamba|τετάρτη|szerda|rabu|thứ tư|الأربعاء",
    "thu|thur|thurs|thursday|donnerstag|jeu|jeudi|jue|jueves|gio|giovedì|joi|quinta|donderdag|tor|torsdag|torstai|czw|czwartek|čtvrtek|štvrtok|četvrtak|четверг|четвер|perşembe|πέμπτη|csütörtök|kamis|thứ năm|الخميس",
    "fri|friday|freitag|ven|vendredi|vie|viernes|venerdì|vineri|sex|sexta|vrijdag|fre|fredag|perjantai|pt|piątek|pátek|piatok|petak|пятница|п'ятниця|cuma|παρασκευή|péntek|jumat|thứ sáu|الجمعة",
    "sat|saturday|samstag|sonnabend|sam|samedi|sáb|sábado|sab|sabato|sâmbătă|zaterdag|lör|lördag|lørdag|lauantai|sob|sobota|subota|суббота|субота|cumartesi|σάββατο|szombat|sabtu|thứ bảy|السبت",
    "sun|sunday|sonntag|dim|dimanche|dom|domingo|domenica|duminică|zondag|sön|söndag|søndag|sunnuntai|niedziela|neděle|nedeľa|nedjelja|воскресенье|неділя|pazar|κυριακή|vasárnap|minggu|chủ nhật|الأحد",
];
const DAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

/// The day of the week that a text ends in, before a comma, a stop or a space.
pub(super) fn weekday_before(text: &str) -> Option<Weekday> {
    const MAX_BYTES: usize = 40;
    let text = text.trim_end_matches([' ', ',', '.', '،', '-', '–']);
    // Most texts end in something else.
    text.chars().next_back().filter(|c| c.is_alphabetic())?;
    let end = text[text.ceil_char_boundary(text.len().saturating_sub(MAX_BYTES))..].to_lowercase();
    let ends = |name: &str| {
        end.strip_suffix(name).is_some_and(|before| !before.ends_with(char::is_alphabetic) && !before.ends_with('-'))
    };
    let is_of = |names: &&&str| names.split('|').any(ends);
    let at = NAMES.iter().position(|names| is_of(&names))?;
    Some(DAYS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_the_week_is_told_right_before_a_date() {
        assert_eq!(weekday_before("Submitted by Jane Doe on Tue, "), Some(Weekday::Tuesday));
        assert_eq!(weekday_before("Wednesday, "), Some(Weekday::Wednesday));
        assert_eq!(weekday_before("Thứ ba, "), Some(Weekday::Tuesday));
        assert_eq!(weekday_before("Sáb. "), Some(Weekday::Saturday));
        for text in ["", "Salmon, ", "Tuesday and ", "Tue | ", "Jane Doe, "] {
            assert_eq!(weekday_before(text), None, "{text}");
        }
    }
}
