//! The JSON object that a request brings.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::Url;

use super::error::DoorError;

/// A body as it came, or that it is none.
pub(super) type JsonBody = Result<Json<Value>, JsonRejection>;

/// The fields of a body.
pub(super) fn fields(body: JsonBody) -> Result<Map<String, Value>, DoorError> {
    match body {
        Ok(Json(Value::Object(fields))) => Ok(fields),
        Ok(_) => Err(DoorError::bad("the body must be a JSON object")),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(DoorError::new(rejection.status(), "BAD_REQUEST", rejection.body_text()))
        }
        Err(rejection) => {
            Err(DoorError::new(StatusCode::BAD_REQUEST, "BAD_REQUEST_INVALID_JSON", rejection.body_text()))
        }
    }
}

/// Reads fields of one type out of a body; `null` is as if it were not there.
pub(super) fn take<T: DeserializeOwned>(fields: &mut Map<String, Value>, name: &str) -> Result<Option<T>, DoorError> {
    let value = fields.remove(name).filter(|value| !value.is_null());
    let read = value.map(serde_json::from_value).transpose();
    read.map_err(|error| DoorError::bad(format!("`{name}`: {error}")))
}

/// An address, which has the scheme http where it names none.
pub(super) fn address(text: &str) -> Result<Url, DoorError> {
    let text = text.trim();
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&whole).map_err(|error| DoorError::bad(format!("`url` is no address: {error}")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(DoorError::bad("URL uses unsupported protocol: it must be http or https")),
    }
}

/// Options that would change what is done, and are not there.
pub(super) fn refuse(fields: &mut Map<String, Value>, names: &[&str]) -> Result<(), DoorError> {
    for name in names {
        match fields.remove(*name) {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(_) => return Err(DoorError::bad(format!("`{name}` is not supported here"))),
        }
    }
    Ok(())
}

/// Options that are as they are here anyway.
pub(super) fn pass_over(fields: &mut Map<String, Value>, names: &[&str]) {
    names.iter().for_each(|name| _ = fields.remove(*name));
}

/// Refuses what is left of the fields at `path` of the body: nobody knows them.
pub(super) fn no_others(fields: &Map<String, Value>, path: &[&str]) -> Result<(), DoorError> {
    match fields.is_empty() {
        true => Ok(()),
        false => Err(DoorError::unknown_keys(&fields.keys().cloned().collect::<Vec<_>>(), path)),
    }
}
