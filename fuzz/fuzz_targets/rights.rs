//! What any page and any headers say of their use is read, and what is kept is bounded.
#![no_main]

use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_reading::rights::{UsageHeaders, Rights};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, Vec<String>)| {
    let (html, value, robots_tags) = input;
    let doc = Doc::parse(html, &TreeLimits::default());
    let answer = UsageHeaders { robots_tags, tdm_reservation: Some("1".into()), tdm_policy: Some(value.into()) };
    let rights = Rights::of(&Page::new(&doc), Some(value), "gristmill", &answer);
    for text in [rights.tdm_policy, rights.licence, rights.licence_url, rights.copyright].iter().flatten() {
        assert!(text.len() <= 3 * 2_048, "{}", text.len());
    }
});
