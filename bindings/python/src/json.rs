//! A page as the JSON of `gristmill extract --format json`.

use gristmill_reading::Reading;
use serde_json::Value;

use crate::records;

/// What the extraction gave.
pub fn extraction(reading: &Reading<'_>) -> Value {
    serde_json::to_value(&reading.document).unwrap_or_default()
}

/// All that is known of the page. `file` is null as for a page that was downloaded: there is none.
pub fn document(reading: &Reading<'_>) -> Value {
    let mut answer = extraction(reading);
    let decision = reading.decide();
    answer["file"] = Value::Null;
    answer["url"] = reading.parsed.url.as_deref().into();
    answer["kind"] = decision.kind.as_str().into();
    answer["kind_probability"] = decision.probability.into();
    answer["records"] = records::products(decision.records.as_ref());
    answer
}
