//! The TDM Reservation Protocol (W3C community group report): the page's `meta` elements and the answer's header.

use gristmill_html::Doc;
use url::Url;

use crate::rights::{UsageHeaders, address};

/// Whether mining is reserved, and where the terms stand: from the first source that has a valid reservation.
pub(crate) fn reservation(doc: &Doc, answer: &UsageHeaders, base: Option<&Url>) -> (Option<bool>, Option<String>) {
    let page = (doc.meta("tdm-reservation"), doc.meta("tdm-policy"));
    let server = (answer.tdm_reservation.as_deref(), answer.tdm_policy.as_deref());
    let said = |(value, policy): (Option<&str>, Option<&str>)| Some((reserved(value?)?, policy.map(str::to_owned)));
    let Some((reserved, policy)) = said(page).or_else(|| said(server)) else { return (None, None) };
    (Some(reserved), policy.and_then(|policy| address(base, &policy)))
}

/// 1 reserves, 0 does not; nothing else is defined.
fn reserved(value: &str) -> Option<bool> {
    match value.trim() {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}
