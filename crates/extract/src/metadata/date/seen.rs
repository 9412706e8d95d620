//! The day that readers of a page see, where it declares an instant.

use gristmill_html::LocalName;

use super::elements::shown_days;
use super::labels::{Label, dates};
use super::stamp::{PartialDateTime, in_path, parse};
use super::{modified, path, rows};
use crate::metadata::context::MetadataContext;

const HOUR: i64 = 60;
/// Zones are so far from UTC, in minutes.
const WEST: i64 = -12 * HOUR;
const EAST: i64 = 14 * HOUR;
/// Longest row that shows the day of the page and no text about others.
const MAX_ROW_CHARS: u32 = 80;

/// The instant, in a zone in which its day is the one that the page shows. What is declared in UTC at night is of another day for
/// its readers.
///
/// The zone is that of the time beside the shown day, else that of another declared instant, else the nearest in which the days are
/// the same.
pub(super) fn as_seen(stamp: PartialDateTime, context: &MetadataContext<'_>) -> PartialDateTime {
    if stamp.zone().is_some_and(|zone| zone != 0) || !stamp.has_time() {
        return stamp;
    }
    if let Some(same) = same_instant(stamp, context) {
        return same;
    }
    let shown = all_shown(stamp, context);
    let on_day = |shown: &PartialDateTime| shown.date() == stamp.date();
    let by_clock = |shown: &PartialDateTime| clock_zone(stamp, shown).and_then(|minutes| stamp.east(minutes));
    // The first time of day that is shown tells most; what is of the declared day then stands behind it.
    let first = shown.iter().find(|shown| shown.clock().is_some());
    if let Some(there) = first.and_then(by_clock) {
        return there;
    }
    if shown.iter().any(on_day) {
        return stamp;
    }
    let in_zone = |shown: &PartialDateTime| zone_of(stamp, shown, context).and_then(|minutes| stamp.east(minutes));
    shown.iter().find_map(in_zone).unwrap_or(stamp)
}

/// The same instant as a `time` element states it, in the zone of the page.
fn same_instant(stamp: PartialDateTime, context: &MetadataContext<'_>) -> Option<PartialDateTime> {
    stamp.zone()?;
    let doc = context.page.doc;
    let stated = context.items.times.iter().filter_map(|&id| doc.attr(id, LocalName::DATETIME));
    let stated = stated.filter_map(|value| parse(value, &context.style));
    let mut same = stated.filter(|other| other.zone().is_some_and(|zone| zone != 0) && other.is_near(stamp));
    same.next().and_then(|other| stamp.east(other.zone()?))
}

/// The days in the address, near the title, and in elements that hold dates, without that of a declared change.
fn all_shown(stamp: PartialDateTime, context: &MetadataContext<'_>) -> Vec<PartialDateTime> {
    let in_url = context.url.and_then(|url| in_path(path(url)));
    let of_page = |(stamp, label): (PartialDateTime, Option<Label>)| {
        (!matches!(label, Some(Label::Updated | Label::Unrelated))).then_some(stamp)
    };
    let near = rows(context, context.near.clone(), MAX_ROW_CHARS);
    let near = near.flat_map(|row| dates(row, &context.style)).filter_map(of_page);
    let changed = modified(context).map(|stamp| stamp.date()).filter(|day| *day != stamp.date());
    near.chain(shown_days(context)).chain(in_url).filter(|shown| Some(shown.date()) != changed).collect()
}

/// Minutes east of UTC of the zone in which clocks show an instant as the time beside a shown day that is another.
fn clock_zone(instant: PartialDateTime, shown: &PartialDateTime) -> Option<i16> {
    let (there, here) = (shown.clock()?.replace_second(0).ok()?, instant.clock()?.replace_second(0).ok()?);
    let minutes = (there - here).whole_minutes();
    let is_zone = there.date() != here.date() && minutes % 15 == 0 && (WEST..=EAST).contains(&minutes);
    is_zone.then_some(minutes as i16)
}

/// Minutes east of UTC of the zone in which an instant is of a shown day.
fn zone_of(instant: PartialDateTime, shown: &PartialDateTime, context: &MetadataContext<'_>) -> Option<i16> {
    let days = (shown.date() - instant.date()).whole_days();
    if days.abs() != 1 {
        return None;
    }
    let by_clock = clock_zone(instant, shown);
    if by_clock.is_some() {
        return by_clock;
    }
    let clock = instant.clock()?;
    // Without a zone nothing says that the time is of another one.
    instant.zone()?;
    let of_day = i64::from(clock.hour()) * HOUR + i64::from(clock.minute());
    let nearest = if days < 0 { -(of_day / HOUR + 1) * HOUR } else { (24 * HOUR - of_day + HOUR - 1) / HOUR * HOUR };
    let is_same = |minutes: i16| instant.east(minutes).is_some_and(|there| there.date() == shown.date());
    let declared = || other_zones(context).find(|&minutes| is_same(minutes));
    (WEST..=EAST).contains(&nearest).then(|| declared().unwrap_or(nearest as i16))
}

/// The zones of other instants that the page declares.
fn other_zones<'c>(context: &'c MetadataContext<'_>) -> impl Iterator<Item = i16> + 'c {
    let metas = context.page.doc.metas().map(|meta| meta.content);
    let all = context.facts.modified.as_deref().into_iter().chain(metas);
    let instants =
        all.filter(|value| (20..=40).contains(&value.len())).filter_map(|value| parse(value, &context.style));
    instants.filter_map(|stamp| stamp.zone()).filter(|&zone| zone != 0)
}
