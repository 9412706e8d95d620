//! What a side-car says, and what is refused.

use gristmill_html::LocalName;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::Rect;
use super::*;

/// html > body > (p > "Hello", img, ::before, comment), with a second line box.
fn sample() -> Value {
    json!({
        "format": "gristmill-layout", "version": 1, "viewport": [1280, 1024],
        "computedStyles": ["visibility", "opacity", "font-size", "color"],
        "strings": ["#document", "HTML", "BODY", "P", "#text", "Hello there", "IMG", "::before", "class", "lead",
            "visible", "1", "16px", "rgb(0, 0, 0)", "hidden", "0", "32px", "rgb(255, 0, 0)", "dir", "rtl"],
        "document": {
            "contentWidth": 1280, "contentHeight": 2000, "title": -1,
            "nodes": {
                "parentIndex": [-1, 0, 1, 2, 3, 2, 3, 2],
                "nodeType": [9, 1, 1, 1, 3, 1, 1, 8],
                "nodeName": [0, 1, 2, 3, 4, 6, 7, -1],
                "nodeValue": [-1, -1, -1, -1, 5, -1, -1, 5],
                "attributes": [[], [], [], [8, 9], [], [], [], []],
                "backendNodeId": [1, 2, 3, 4, 5, 6, 7, 8]
            },
            "layout": {
                "nodeIndex": [0, 1, 2, 3, 4, 5],
                "bounds": [[0, 0, 1280, 1024], [0, 0, 1280, 2000], [8, 8, 1264, 1900], [8, 20, 600, 40],
                    [8, 20, 590, 40], [700, -50, 1000, 100]],
                "styles": [[], [10, 11, 12, 13], [10, 11, 12, 13], [10, 11, 16, 17], [10, 11, 16, 17], [10, 11, 12, 13]],
                "text": [-1, -1, -1, -1, 5, -1]
            },
            "textBoxes": { "layoutIndex": [4, 4], "bounds": [[8, 20, 590, 20], [8, 40, 100, 20]], "start": [0, 6], "length": [6, 5] }
        }
    })
}

fn read(json: &Value) -> Result<(Doc, PageLayout), SidecarError> {
    Sidecar::read(json.to_string().as_bytes(), &TreeLimits::default())
}

fn error(change: impl FnOnce(&mut Value)) -> String {
    let mut json = sample();
    change(&mut json);
    read(&json).unwrap_err().to_string()
}

#[test]
fn the_tree_of_the_snapshot_becomes_the_document_and_boxes_go_with_it() {
    let (doc, layout) = read(&sample()).unwrap();
    let names: Vec<&str> = doc.ids().map(|id| doc.name_str(doc.name(id))).collect();
    assert_eq!(names, ["#document", "html", "body", "p", "#text", "img"]);
    let (p, text, img) = (doc.id(3), doc.id(4), doc.id(5));
    assert_eq!((doc.text(text), doc.attr(p, LocalName::CLASS)), ("Hello there", Some("lead")));
    assert_eq!((layout.width(), layout.height(), layout.is_pseudo()), (1280.0, 2000.0, false));
    assert_eq!(layout.rect(p), Rect::at(8., 20., 600., 40.));
    assert_eq!((layout.font_size(text), layout.font_size(img)), (32.0, 16.0));
    assert!(layout.colour(text) == layout.colour(p) && layout.colour(text) != layout.colour(img));
    assert_eq!(layout.texts(), [(text, Rect::at(8., 20., 590., 20.)), (text, Rect::at(8., 40., 100., 20.))]);
    assert_eq!(layout.images(), [(img, Rect::at(700., 0., 580., 50.))], "cut at the edges of the page");
}

#[test]
fn without_lines_the_box_of_the_text_node_is_its_text() {
    let mut json = sample();
    json["document"].as_object_mut().unwrap().remove("textBoxes");
    let (doc, layout) = read(&json).unwrap();
    assert_eq!(layout.texts(), [(doc.id(4), Rect::at(8., 20., 590., 40.))]);
}

#[test]
fn hidden_nodes_may_have_visible_children_but_transparent_ones_do_not() {
    let mut json = sample();
    json["document"]["layout"]["styles"][3] = json!([14, 11, 16, 17]);
    let (doc, layout) = read(&json).unwrap();
    assert!(!layout.is_visible(doc.id(3)) && layout.is_visible(doc.id(4)));
    json["document"]["layout"]["styles"][3] = json!([10, 15, 16, 17]);
    let (_, layout) = read(&json).unwrap();
    assert!(!layout.is_visible(doc.id(3)) && !layout.is_visible(doc.id(4)));
    assert!(layout.texts().is_empty() && layout.rect(doc.id(4)).is_empty());
}

#[test]
fn a_page_written_from_right_to_left_is_mirrored() {
    let mut json = sample();
    json["document"]["nodes"]["attributes"][1] = json!([18, 19]);
    let (doc, layout) = read(&json).unwrap();
    assert_eq!(layout.rect(doc.id(3)), Rect::at(672., 20., 600., 40.));
}

#[test]
fn what_cannot_be_is_told_with_its_field_and_position() {
    let document = |json: &mut Value, field: &str, list: &str, at: usize, value: Value| {
        json["document"][field][list][at] = value;
    };
    let cases = [
        (error(|json| document(json, "nodes", "parentIndex", 3, json!(5))), "`nodes.parentIndex[3]`"),
        (error(|json| document(json, "nodes", "parentIndex", 3, json!(3))), "`nodes.parentIndex[3]`"),
        (error(|json| document(json, "nodes", "parentIndex", 4, json!(-1))), "`nodes.parentIndex[4]`"),
        (error(|json| document(json, "nodes", "nodeType", 0, json!(1))), "`nodes.nodeType[0]`"),
        (error(|json| document(json, "nodes", "nodeName", 3, json!(99))), "`nodes.nodeName[3]`"),
        (error(|json| document(json, "nodes", "nodeValue", 4, json!(-2))), "`nodes.nodeValue[4]`"),
        (error(|json| document(json, "nodes", "attributes", 3, json!([8]))), "`nodes.attributes[3]`"),
        (error(|json| document(json, "layout", "nodeIndex", 2, json!(8))), "`layout.nodeIndex[2]`"),
        (error(|json| document(json, "layout", "bounds", 2, json!([0, 0, -1, 5]))), "`layout.bounds[2]`"),
        (error(|json| document(json, "layout", "bounds", 2, json!([0, 1e300, 1, 5]))), "`layout.bounds[2]`"),
        (error(|json| document(json, "layout", "styles", 2, json!([10]))), "`layout.styles[2]`"),
        (error(|json| document(json, "layout", "styles", 2, json!([10, 11, 13, 13]))), "`layout.styles[2]`"),
        (error(|json| document(json, "textBoxes", "layoutIndex", 1, json!(6))), "`textBoxes.layoutIndex[1]`"),
        (error(|json| json["computedStyles"][3] = json!("colour")), "`color` must be listed"),
        (error(|json| json["document"]["contentHeight"] = json!(0)), "`document.contentHeight[0]`"),
        (error(|json| json["format"] = json!("other")), "`other`"),
        (error(|json| json["version"] = json!(2)), "is 2"),
        (error(|json| json["document"]["nodes"]["nodeType"] = json!([9])), "`nodes.nodeType` of"),
        (error(|json| json["document"]["nodes"] = json!(null)), "not valid JSON"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "{message} should contain {part}");
    }
    assert!(matches!(Sidecar::read(&b"NaN"[..], &TreeLimits::default()), Err(SidecarError::Json(_))));
}

#[test]
fn limits_are_told_by_their_keys() {
    let refused = |limits: TreeLimits| Sidecar::read(sample().to_string().as_bytes(), &limits).unwrap_err().to_string();
    assert!(refused(TreeLimits { max_bytes: 100, ..TreeLimits::default() }).contains("`max_bytes`"));
    assert!(refused(TreeLimits { max_nodes: 7, ..TreeLimits::default() }).contains("`max_nodes`"));
    assert!(refused(TreeLimits { max_depth: 2, ..TreeLimits::default() }).contains("`max_depth`"));
    assert!(refused(TreeLimits { max_attributes: 0, ..TreeLimits::default() }).contains("`max_attributes`"));
}

#[test]
fn one_string_used_a_million_times_does_not_become_a_gigabyte() {
    let n = 50_000;
    let list = |first: Value, other: Value| {
        let mut all = vec![other; n];
        all[0] = first;
        Value::Array(all)
    };
    let mut json = sample();
    json["strings"][5] = json!("x".repeat(100_000));
    json["document"]["nodes"] = json!({
        "parentIndex": list(json!(-1), json!(0)), "nodeType": list(json!(9), json!(3)),
        "nodeName": list(json!(0), json!(4)), "nodeValue": list(json!(-1), json!(5)),
        "attributes": list(json!([]), json!([])),
    });
    let message = read(&json).unwrap_err().to_string();
    assert!(message.contains("`max_bytes`") && message.contains("nodes.nodeValue"), "{message}");
}

proptest! {
    #[test]
    fn any_bytes_give_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Sidecar::read(&bytes[..], &TreeLimits::default());
    }

    #[test]
    fn any_numbers_in_the_right_shape_give_an_answer(
        at in proptest::collection::vec((0usize..5, 0usize..8, -3i64..25), 1..6),
        boxes in proptest::collection::vec((0usize..6, 0usize..4, proptest::num::f64::ANY), 0..4),
    ) {
        let mut json = sample();
        for (field, index, value) in at {
            let field = ["parentIndex", "nodeType", "nodeName", "nodeValue", "parentIndex"][field];
            json["document"]["nodes"][field][index] = json!(value.max(if field == "nodeType" { 0 } else { -3 }));
        }
        for (index, side, value) in boxes {
            json["document"]["layout"]["bounds"][index][side] = json!(value);
        }
        if let Ok((doc, layout)) = read(&json) {
            prop_assert!(layout.fits(&doc));
            prop_assert!(doc.ids().all(|id| layout.rect(id).area().is_finite()));
        }
    }
}

#[test]
fn the_example_of_the_documentation_reads() {
    let text = include_str!("../../../../../docs/rendering.md");
    let example = text.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (doc, layout) = Sidecar::read(example.as_bytes(), &TreeLimits::default()).unwrap();
    assert_eq!((doc.len(), doc.text(doc.id(4)), layout.texts().len()), (5, "Hello", 1));
}
