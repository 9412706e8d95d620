//! A browser's snapshot as a layout side-car.

use serde_json::{Value, json};

/// Size of the window in CSS pixels; boxes of pages that were laid out in another do not compare.
pub const VIEWPORT: [u32; 2] = [1280, 1024];

/// The same as on a phone.
pub const PHONE: [u32; 2] = [412, 915];

/// What is asked of every node, in this order.
pub const STYLES: [&str; 4] = ["visibility", "opacity", "font-size", "color"];

/// Version 1 of docs/rendering.md around the first document of a snapshot: the page itself, without its frames.
///
/// Only what that describes: the rest of a snapshot numbers things anew in each browser, and equal pages shall have equal
/// side-cars.
pub(crate) fn envelope(mut snapshot: Value, product: &str, viewport: [u32; 2]) -> Value {
    let mut document = snapshot["documents"][0].take();
    let lists = [
        ("nodes", &["parentIndex", "nodeType", "nodeName", "nodeValue", "attributes"][..]),
        ("layout", &["nodeIndex", "bounds", "styles"]),
        ("textBoxes", &["layoutIndex", "bounds"]),
    ];
    keep(&mut document, &["contentWidth", "contentHeight", "nodes", "layout", "textBoxes"]);
    lists.iter().for_each(|(part, fields)| keep(&mut document[part], fields));
    let mut strings = snapshot["strings"].take();
    let nodes = &document["nodes"];
    let positions = [&nodes["nodeName"], &nodes["nodeValue"], &nodes["attributes"], &document["layout"]["styles"]];
    blank_unused(&mut strings, &positions);
    json!({
        "format": "gristmill-layout", "version": 1, "browser": product, "viewport": viewport, "computedStyles": STYLES,
        "strings": strings, "document": document,
    })
}

fn keep(object: &mut Value, fields: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|field, _| fields.contains(&field.as_str()));
    }
}

/// Empties the strings that no list of positions, or of lists of positions, names, and cuts them off at the end.
fn blank_unused(strings: &mut Value, positions: &[&Value]) {
    let Some(strings) = strings.as_array_mut() else { return };
    let mut used = vec![false; strings.len()];
    let lists = positions.iter().filter_map(|list| list.as_array()).flatten();
    for entry in lists {
        for position in entry.as_array().map_or(std::slice::from_ref(entry), Vec::as_slice) {
            let position = position.as_u64().and_then(|at| usize::try_from(at).ok());
            if let Some(used) = position.and_then(|at| used.get_mut(at)) {
                *used = true;
            }
        }
    }
    strings.truncate(used.iter().rposition(|used| *used).map_or(0, |last| last + 1));
    strings.iter_mut().zip(used).filter(|(_, used)| !used).for_each(|(string, _)| *string = json!(""));
}
