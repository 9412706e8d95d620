//! The shape of values that are lists and objects: the same in every row and every format.

use serde_json::Value;

/// What a value inside a column may be. Any value of any shape may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// UTF-8 text.
    Text,
    /// 64 bits; a text that is a decimal number counts as one.
    Float,
    /// 64 bits, signed.
    Integer,
    Boolean,
    List(&'static Shape),
    /// Fields in their order.
    Struct(&'static [(&'static str, Shape)]),
}

use Shape::{Boolean, Float, Integer, List, Struct, Text};

/// Short texts.
pub const TEXTS: Shape = List(&Text);

/// Languages with their shares.
pub const SHARES: Shape = List(&Struct(&[("language", Text), ("share", Float)]));

const PRICE: Shape = Struct(&[("amount", Float), ("currency", Text)]);

const VARIANT: Shape = Struct(&[("name", Text), ("sku", Text), ("price", PRICE), ("attributes", List(&TEXTS))]);

const ATTRIBUTE: Shape = Struct(&[
    ("name", Text),
    ("value", Text),
    ("canonical", Text),
    ("property", Text),
    ("numbers", List(&Float)),
    ("unit", Text),
    ("ucum", Text),
    ("range", Boolean),
    ("source", Text),
    ("confidence", Float),
]);

/// Products, as the JSON of a page has them. Left out is what differs from product to product in its fields (`sources`,
/// `confidences`), and the paths in the page.
pub const RECORDS: Shape = List(&Struct(&[
    ("title", Text),
    ("price", PRICE),
    ("price_max", PRICE),
    ("list_price", PRICE),
    ("availability", Text),
    ("brand", Text),
    ("sku", Text),
    ("gtin", Text),
    ("isbn", Text),
    ("mpn", Text),
    ("rating", Struct(&[("value", Float), ("count", Integer)])),
    ("images", TEXTS),
    ("breadcrumb", TEXTS),
    ("variants", List(&VARIANT)),
    ("attributes", List(&ATTRIBUTE)),
    ("confidence", Float),
]));

impl Shape {
    /// The value in this shape: with all fields of it and no others, and null for what is of another type. Goes as deep as the
    /// shape does, whatever the value.
    #[must_use]
    pub fn conform(&self, value: &Value) -> Value {
        match (self, value) {
            (Text, Value::String(_)) | (Boolean, Value::Bool(_)) => value.clone(),
            (Float, _) => float(value).into(),
            (Integer, _) => value.as_i64().into(),
            (List(item), Value::Array(items)) => items.iter().map(|value| item.conform(value)).collect(),
            (Struct(fields), Value::Object(object)) => fields
                .iter()
                .map(|(name, shape)| {
                    let value = object.get(*name).map_or(Value::Null, |value| shape.conform(value));
                    ((*name).to_owned(), value)
                })
                .collect(),
            _ => Value::Null,
        }
    }
}

/// Products as the text of a JSON list in the shape of the column `records`.
#[derive(Debug, Clone, PartialEq, Eq, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct RecordsJson(String);

impl RecordsJson {
    /// Of products as the JSON of a page has them; `None` where there are none.
    pub fn of(products: &Value) -> Option<Self> {
        let list = RECORDS.conform(products);
        let some = list.as_array().is_some_and(|list| !list.is_empty());
        some.then(|| Self(list.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Exchanges every text for which `edit` has another.
    pub fn edit_texts(&mut self, edit: impl Fn(&str) -> Option<String>) {
        let Ok(mut value) = serde_json::from_str(&self.0) else { return };
        edit_texts(&mut value, &edit);
        self.0 = value.to_string();
    }
}

/// Goes as deep as [`RECORDS`].
fn edit_texts(value: &mut Value, edit: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(edited) = edit(text) {
                *text = edited;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| edit_texts(item, edit)),
        Value::Object(fields) => fields.values_mut().for_each(|field| edit_texts(field, edit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn float(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    Some(number).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_has_all_fields_of_its_shape_and_no_others() {
        let shape = Struct(&[("amount", Float), ("parts", TEXTS), ("sold", Boolean), ("count", Integer)]);
        let value = json!({"amount": "4299.00", "parts": ["a", 1], "path": "html/body", "sold": "yes"});
        let conformed = json!({"amount": 4299.0, "parts": ["a", null], "sold": null, "count": null});
        assert_eq!(shape.conform(&value), conformed);
        assert_eq!(shape.conform(&json!([])), Value::Null);
        assert_eq!(shape.conform(&conformed), conformed);
    }

    #[test]
    fn texts_are_edited_at_any_depth_and_fields_keep_their_names() {
        let products = json!([{"title": "title", "variants": [{"attributes": [["title", "b"]]}]}]);
        let mut records = RecordsJson::of(&products).unwrap();
        records.edit_texts(|text| (text == "title").then(|| "\"".to_owned()));
        let edited: Value = serde_json::from_str(records.as_str()).unwrap();
        assert_eq!(edited[0]["title"], "\"");
        assert_eq!(edited[0]["variants"][0]["attributes"], json!([["\"", "b"]]));
        assert_eq!(RecordsJson::of(&json!([])), None);
    }

    #[test]
    fn what_is_no_number_is_null() {
        for text in ["inf", "NaN", "1e999", "12 EUR", ""] {
            assert_eq!(Float.conform(&json!(text)), Value::Null, "{text}");
        }
        assert_eq!((Integer.conform(&json!(1.5)), Integer.conform(&json!(-3))), (Value::Null, json!(-3)));
    }
}
