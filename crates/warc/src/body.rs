//! Where the body of a record ends: where its header says, if what follows agrees, else where the next record begins.

use std::io::{self, Read};

use crate::damage::DamageReason;
use crate::marker::{self, START_BYTES};
use crate::stream::{DecodedStream, FillResult, ReachResult};

/// Line ends behind a body that belong to it; more are padding.
const MOST_LINE_ENDS: usize = 64;

/// What was found out about the body of one record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyExtent {
    /// Bytes of the body, as far as the input has them.
    pub length: u64,
    /// How many of them are in memory.
    pub kept: usize,
    /// Bytes of the data, from the start of the record, up to what follows it. 0 if the record was put aside.
    pub next: usize,
    /// Whether header and body were put aside, because the body is longer than the limit.
    pub is_aside: bool,
    /// Whether the length of the header is not that of the body.
    pub is_wrong: bool,
    /// The input, or the compressed member, ended before the body did.
    pub is_short: bool,
    /// The compressed member failed within the body or at its end.
    pub failed: Option<DamageReason>,
}

/// What is known of a record before its body is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyHint {
    /// Bytes of the header.
    pub header: usize,
    /// Content-Length, if it is a number.
    pub length: Option<u64>,
    /// Whether the body is an HTTP message, so that it has an empty line at least.
    pub is_http: bool,
    /// Longest body that is kept.
    pub limit: usize,
}

enum After {
    /// A record or nothing follows, this index of the data on.
    Boundary(usize),
    /// Only the two line ends that close a record follow, and then something else.
    Closed(usize),
    Elsewhere,
}

/// Finds the end of the body, with all of it in the data; one beyond the limit is put `aside`, its head at least.
///
/// # Errors
///
/// Those of the input.
pub(crate) fn read_body<R: Read>(
    stream: &mut DecodedStream<R>,
    claim: BodyHint,
    aside: &mut Vec<u8>,
) -> io::Result<BodyExtent> {
    let Some(length) = claim.length.filter(|length| *length <= claim.limit as u64) else {
        return search(stream, claim, aside);
    };
    let end = claim.header + length as usize;
    match stream.reach(end)? {
        ReachResult::There => match look_behind(stream, end)? {
            After::Boundary(next) => Ok(BodyExtent { failed: failure(stream, next)?, ..whole(length, next) }),
            After::Closed(next) if !claim.is_http || has_empty_line(&stream.data()[claim.header..end]) => {
                Ok(whole(length, next))
            }
            After::Closed(_) | After::Elsewhere => search(stream, claim, aside),
        },
        ReachResult::Ended { .. } => search(stream, claim, aside),
    }
}

fn whole(length: u64, next: usize) -> BodyExtent {
    let kept = length as usize;
    BodyExtent { length, kept, next, is_aside: false, is_wrong: false, is_short: false, failed: None }
}

/// The reason if the unit is known to have failed right where the record ends.
fn failure<R: Read>(stream: &mut DecodedStream<R>, next: usize) -> io::Result<Option<DamageReason>> {
    if next < stream.data().len() || !stream.is_ended() {
        return Ok(None);
    }
    Ok(match stream.fill()? {
        FillResult::Failed(reason) => Some(reason),
        FillResult::More | FillResult::UnitEnd => None,
    })
}

fn has_empty_line(body: &[u8]) -> bool {
    memchr::memmem::find(body, b"\n\r\n").is_some() || memchr::memmem::find(body, b"\n\n").is_some()
}

/// Looks at what follows a body that ends at an index of the data.
fn look_behind<R: Read>(stream: &mut DecodedStream<R>, end: usize) -> io::Result<After> {
    let mut can_grow = true;
    loop {
        let behind = &stream.data()[end..];
        let n_ends = behind.iter().take(MOST_LINE_ENDS).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let (ends, rest) = behind.split_at(n_ends);
        if rest.starts_with(marker::START) || n_ends == MOST_LINE_ENDS || (rest.is_empty() && !can_grow) {
            return Ok(After::Boundary(end + n_ends));
        }
        if can_grow && rest.len() < START_BYTES {
            can_grow = stream.fill()? == FillResult::More;
            continue;
        }
        if stream.packs_at(end + n_ends) {
            return Ok(After::Boundary(end + n_ends));
        }
        let closes = ends.starts_with(b"\r\n\r\n") || ends.starts_with(b"\n\n");
        return Ok(if closes { After::Closed(end + n_ends) } else { After::Elsewhere });
    }
}

/// Looks for the next record from the begin of the body on.
fn search<R: Read>(stream: &mut DecodedStream<R>, claim: BodyHint, aside: &mut Vec<u8>) -> io::Result<BodyExtent> {
    let mut from = claim.header;
    let mut reached = ReachResult::There;
    loop {
        let end = if let ReachResult::Ended { at, .. } = reached { at } else { stream.data().len() };
        if let Some(found) = marker::find_record(&stream.data()[from..end]) {
            return Ok(found_at(stream, claim, from + found));
        }
        if let ReachResult::Ended { at, failed } = reached {
            return Ok(ended_at(stream, claim, at, failed));
        }
        from = from.max(end.saturating_sub(START_BYTES));
        if end > claim.header + claim.limit + 2 * START_BYTES {
            return put_aside(stream, claim, aside);
        }
        reached = stream.reach(end + 1)?;
    }
}

/// The record ends where the next one was found.
fn found_at<R: Read>(stream: &DecodedStream<R>, claim: BodyHint, next: usize) -> BodyExtent {
    let length = without_line_ends(&stream.data()[claim.header..next]);
    BodyExtent { is_wrong: claim.length != Some(length as u64), ..limited(length, next, claim) }
}

/// The record ends with its unit or with the input.
fn ended_at<R: Read>(
    stream: &DecodedStream<R>,
    claim: BodyHint,
    at: usize,
    failed: Option<DamageReason>,
) -> BodyExtent {
    let bytes = &stream.data()[claim.header..at];
    let is_claimed = claim.length.is_some_and(|length| bytes.len() as u64 >= length);
    let closed = without_line_ends(bytes);
    let is_packed = !stream.origin(0).is_plain;
    let is_closed = bytes.len() - closed == 4 || claim.length.is_none() || is_claimed;
    if failed.is_none() && is_packed && is_closed {
        return BodyExtent { is_wrong: claim.length != Some(closed as u64), ..limited(closed, at, claim) };
    }
    let length = if claim.length.is_none() || is_claimed { closed } else { bytes.len() };
    let is_short = claim.length.is_some_and(|claimed| claimed > length as u64);
    let is_wrong = failed.is_none() && claim.length != Some(length as u64);
    BodyExtent { is_wrong, is_short, failed, ..limited(length, at, claim) }
}

fn limited(length: usize, next: usize, claim: BodyHint) -> BodyExtent {
    BodyExtent { kept: length.min(claim.limit), ..whole(length as u64, next) }
}

/// The length without the line ends that close a record.
fn without_line_ends(bytes: &[u8]) -> usize {
    let ends = [&b"\r\n\r\n"[..], b"\n\n", b"\r\n", b"\n"];
    ends.iter().find_map(|end| bytes.strip_suffix(*end)).unwrap_or(bytes).len()
}

/// Keeps the head of a body beyond the limit, and passes over the rest in constant memory.
///
/// The length of the header is trusted as far as no record begins before it: a wrong one would cost all that follow.
fn put_aside<R: Read>(stream: &mut DecodedStream<R>, claim: BodyHint, aside: &mut Vec<u8>) -> io::Result<BodyExtent> {
    aside.clear();
    aside.extend_from_slice(&stream.data()[..claim.header + claim.limit]);
    stream.consume(claim.header + claim.limit);
    let mut passed = claim.limit as u64;
    let mut left = claim.length.and_then(|length| length.checked_sub(passed));
    let mut reached = ReachResult::There;
    let body = |length, is_wrong| BodyExtent { is_aside: true, kept: claim.limit, is_wrong, ..whole(length, 0) };
    loop {
        let end = if let ReachResult::Ended { at, .. } = reached { at } else { stream.data().len() };
        let inside = end.min(left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX)));
        let found = marker::find_record(&stream.data()[..end]).filter(|found| *found <= inside);
        if let Some(found) = found.filter(|found| *found < inside) {
            stream.consume(found);
            return Ok(body(passed + found as u64, true));
        }
        if left.is_some_and(|left| left <= end as u64) {
            stream.consume(inside);
            passed += inside as u64;
            match look_behind(stream, 0)? {
                After::Boundary(next) | After::Closed(next) => {
                    let failed = failure(stream, next)?;
                    stream.consume(next);
                    return Ok(BodyExtent { failed, ..body(passed, false) });
                }
                After::Elsewhere => left = None,
            }
            reached = ReachResult::There;
            continue;
        }
        if let ReachResult::Ended { at, failed } = reached {
            stream.consume(at);
            let is_short = left.is_some() || failed.is_some();
            return Ok(BodyExtent { is_short, failed, ..body(passed + at as u64, failed.is_none()) });
        }
        let surplus = end.saturating_sub(START_BYTES);
        stream.consume(surplus);
        passed += surplus as u64;
        left = left.map(|left| left - surplus as u64);
        reached = stream.reach(stream.data().len() + 1)?;
    }
}
