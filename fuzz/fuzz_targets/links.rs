//! The links of any page are found within the limits, also where a script leads on.

#![no_main]

use gristmill_fetch::{ScanLimits, scan_with};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, bool)| {
    let (html, base, is_script) = input;
    let limits = ScanLimits { max_anchors: 50, max_href_bytes: 200, ..ScanLimits::default() };
    let script = if is_script { format!("<script>{html}</script>") } else { html.to_owned() };
    let links = scan_with(&script, base, &limits);
    assert!(links.anchors.len() <= limits.max_anchors);
    assert!(links.anchors.iter().all(|anchor| anchor.href.len() <= limits.max_href_bytes));
    if let Some(refresh) = &links.refresh {
        let _ = links.resolve(&refresh.target);
    }
});
