//! A page as the JSON of `gristmill extract --format json`.

use gristmill_reading::Reading;
use serde_json::Value;

/// What the extraction gave.
pub fn extraction(reading: &Reading<'_>) -> Value {
    serde_json::to_value(&reading.document).unwrap_or_default()
}

/// All that is known of the page. `file` is null as for a page that was downloaded: there is none.
pub fn document(reading: &Reading<'_>) -> Value {
    let mut answer = reading.json();
    answer["file"] = Value::Null;
    answer
}
