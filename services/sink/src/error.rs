//! Why the sink cannot go on: never for the sake of one document, and never because an engine is away.

/// What a person has to mend.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    #[error("`{key}`: {problem}")]
    Setting { key: &'static str, problem: String },
    #[error("`sink.bulk.ca_file`: `{path}` cannot be read")]
    CaFile { path: String, source: std::io::Error },
    #[error("the client for `sink.bulk.url` cannot be made")]
    Client { source: reqwest::Error },
    #[error(
        "`{url}` does not let us in (status {status}): {reason}; look at `sink.bulk.username`, `sink.bulk.password` and \
         `sink.bulk.api_key`"
    )]
    Access { url: String, status: u16, reason: String },
    #[error("there is no index `{index}` at `{url}`, and none was made: {reason}; look at `sink.bulk.index`")]
    NoIndex { url: String, index: String, reason: String },
    #[error("`{url}` takes no documents as they are sent (status {status}): {reason}; look at `sink.bulk.url`")]
    Refused { url: String, status: u16, reason: String },
}
