//! The directory of the key that signs requests (`fetch.sign`), where sites look for it.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use gristmill_fetch::{DIRECTORY_PATH, DIRECTORY_TYPE, RequestSigner};

/// Its route.
pub fn routes(signer: RequestSigner) -> Router {
    Router::new().route(DIRECTORY_PATH, get(directory)).with_state(Arc::new(signer))
}

/// The key, in an answer that it signs itself.
async fn directory(State(signer): State<Arc<RequestSigner>>, asked: HeaderMap) -> Response {
    let host = asked.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let (input, signature) = signer.sign_directory(host, SystemTime::now());
    let fields = [
        (header::CONTENT_TYPE, DIRECTORY_TYPE.to_owned()),
        (header::CACHE_CONTROL, "max-age=300".to_owned()),
        ("signature-input".parse().expect("a name"), input),
        ("signature".parse().expect("a name"), signature),
    ];
    (fields, signer.directory()).into_response()
}
