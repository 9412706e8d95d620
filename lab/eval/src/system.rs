//! What is judged: anything that turns the bytes of a page into text.

use crate::extracted_metadata::FoundMetadata;
use crate::package::GoldPage;

/// One or several extraction systems that share the work on a page, such as its parse.
pub trait System: Sync {
    /// The name of each system, as it stands in tables.
    fn names(&self) -> Vec<String>;

    /// The text that each system extracts, in the order of [`System::names`].
    ///
    /// An error stands for an empty text and is told in the results; so is a panic, then for all its systems.
    fn extract(&self, document: &GoldPage, html: &[u8]) -> Vec<Answer>;
}

/// The text of a page, or why there is none.
pub type Answer = Result<SystemOutput, String>;

/// What a system gives for one page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SystemOutput {
    /// The extracted text.
    pub text: String,
    /// The pairs of each product that was found; for those who judge records.
    pub records: Vec<Vec<ExtractedAttribute>>,
    /// What is said about the page; for those who judge metadata.
    pub metadata: FoundMetadata,
    /// Wall seconds, when the system knows them better than the one who waits for it.
    pub seconds: Option<f64>,
    /// CPU seconds, all that the system needs for the page.
    pub cpu_seconds: Option<f64>,
    /// The part of `cpu_seconds` that several systems share (the parse), when it is known apart.
    pub shared_cpu_seconds: Option<f64>,
}

/// An attribute–value pair that a system found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExtractedAttribute {
    /// The name of the attribute.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The layout that it was read from, in the words of the system, if it tells.
    pub layout: Option<String>,
}

impl SystemOutput {
    /// Text without times.
    pub fn text(text: impl Into<String>) -> SystemOutput {
        SystemOutput { text: text.into(), ..SystemOutput::default() }
    }
}

/// Calls `work` and turns a panic into an error.
///
/// # Errors
/// The message of the panic.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What a panicking extractor leaves behind is dropped with its page, so nothing broken is seen later.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("panicked: {}", text.as_deref().unwrap_or("no message"))
    })
}
