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
