//! A page as the JSON of `gristmill extract --format json`.

use gristmill_reading::Reading;
use serde_json::Value;

use crate::records;

/// All that was read. `file` is null as for a page that was downloaded: there is none.
pub fn document(reading: &Reading<'_>) -> Value {
    let mut answer = serde_json::to_value(&reading.document).unwrap_or_default();
    let decision = reading.decide();
    answer["file"] = Value::Null;
    answer["url"] = reading.parsed.url.as_deref().into();
    answer["kind"] = decision.kind.as_str().into();
    answer["kind_probability"] = decision.probability.into();
    answer["records"] = records::products(decision.records.as_ref());
    answer
}
