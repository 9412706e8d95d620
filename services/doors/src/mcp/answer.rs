//! Answers of tools: a line of ours, and what strangers wrote, marked and within a budget.

use gristmill_searcher::{ApiError, SearchError};
use rmcp::model::{CallToolResult, ContentBlock};

use crate::sections::within;
use crate::strangers::{NOTICE, fenced};

/// Why a tool has no answer, as a sentence for the agent.
pub(super) struct ToolError(pub String);

impl From<ApiError> for ToolError {
    fn from(error: ApiError) -> Self {
        Self(error.message)
    }
}

impl From<SearchError> for ToolError {
    fn from(error: SearchError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<String> for ToolError {
    fn from(sentence: String) -> Self {
        Self(sentence)
    }
}

impl From<ToolError> for CallToolResult {
    fn from(error: ToolError) -> Self {
        CallToolResult::error(vec![ContentBlock::text(error.0)])
    }
}

/// An answer that tells something of ours alone.
pub(super) fn told(sentence: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(sentence.into())])
}

/// An answer with what strangers wrote.
pub(super) fn material(ours: &str, strangers: &str) -> CallToolResult {
    let ours = format!("{ours}\n{NOTICE}");
    CallToolResult::success(vec![ContentBlock::text(ours), ContentBlock::text(fenced(strangers))])
}

/// A stretch of `text` from `start` on, and what to say of the rest.
pub(super) fn stretch(text: &str, start: usize, budget: usize) -> (&str, String) {
    let start = text.floor_char_boundary(start.min(text.len()));
    let rest = &text[start..];
    let end = within(rest, budget);
    let told = match end < rest.len() {
        false if start == 0 => "This is all of it.".to_owned(),
        false => "This is the end of it.".to_owned(),
        true => format!(
            "Cut after {budget} tokens; {} of {} bytes follow: ask again with `start: {}`, or with a larger `budget`.",
            rest.len() - end,
            text.len(),
            start + end
        ),
    };
    (&rest[..end], told)
}
