//! One `POST`, for who wants to be told of something: past the address guard like every request, and never redirected.

use std::time::{Duration, SystemTime};

use reqwest::header::RETRY_AFTER;
use url::Url;

use crate::client::{Client, sendable};
use crate::error::FetchError;
use crate::exchange::Recorder;
use crate::explain::{explain, resolve_error};
use crate::retry_after::retry_after;
use crate::transfer::drain;

/// Longest time to stay away that is believed.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// What the receiver of a `POST` answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostResponse {
    /// The status.
    pub status: u16,
    /// How long it asks to be left alone, at most an hour.
    pub retry_after: Option<Duration>,
}

impl Client {
    /// Sends `body` with these header fields, and passes over the body of the answer. A redirect is an answer like any other.
    ///
    /// A connection that was kept and turns out to be dead is replaced, so the receiver may get a request twice.
    ///
    /// # Errors
    /// No answer within `fetch.total_timeout`, or an address that may not be dialled. Each status is an answer.
    pub async fn post(&self, url: &Url, fields: &[(&str, &str)], body: Vec<u8>) -> Result<PostResponse, FetchError> {
        let url = sendable(url)?;
        self.guard(&url).await.map_err(|error| resolve_error(url.as_str(), error))?;
        let mut builder = self.http_for(&url).post(url.clone()).body(body);
        for (name, value) in fields {
            builder = builder.header(*name, *value);
        }
        let request = builder.build().map_err(|error| explain(self.config(), url.as_str(), &error))?;
        let limit = self.config().total_timeout;
        let exchange = async {
            let mut answer = self.answer(request, &url).await?;
            let asked = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
            let retry_after = asked.and_then(|asked| retry_after(asked, SystemTime::now(), MAX_RETRY_AFTER));
            let status = answer.status().as_u16();
            drain(self.config(), &mut answer, &Recorder::default(), false).await;
            Ok(PostResponse { status, retry_after })
        };
        let late = |_| FetchError::Timeout { url: url.to_string(), setting: "total_timeout", limit, stage: "sending" };
        tokio::time::timeout(limit, exchange).await.map_err(late)?
    }
}
