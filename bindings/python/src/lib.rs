//! The native part of the Python package `gristmill`: the crate `gristmill-reading` as functions over `str` and `bytes`.
//!
//! ```text
//! python/gristmill/*.py ─▶ _gristmill: Options, extract, document … ─▶ PageReader::parse ─▶ read ─▶ text or JSON
//! ```
//! What has many fields crosses as JSON: it then has one shape in Python and in `gristmill extract --format json`. The lock
//! of the interpreter is released while a page is read.

mod archive;
mod batches;
mod errors;
mod json;
mod options;
mod page;

/// What `gristmill/__init__.py` is made of. `_gristmill.pyi` has the types.
#[pyo3::pymodule(gil_used = false)]
mod _gristmill {
    use pyo3::prelude::*;
    use pyo3::types::PyString;

    #[pymodule_export]
    use crate::archive::Archive;
    #[pymodule_export]
    use crate::batches::RecordBatches;
    #[pymodule_export]
    use crate::errors::{GristmillError, InvalidOption, NoPage, UnknownCharset, UnknownFormat, UnknownMethod};
    #[pymodule_export]
    use crate::options::Options;

    use crate::json;
    use crate::options::Format;
    use crate::page::with_page;

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// The page in a format, or `None` where it has no main text, as JSON: neither that nor a product.
    #[pyfunction]
    fn extract(
        page: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyString>>,
        format: &str,
        options: &Options,
    ) -> PyResult<Option<String>> {
        let format = Format::named(format)?;
        with_page(page, url, options, |parsed| {
            let reading = parsed.read(options.for_format(format, parsed.reader));
            let has_text = !reading.document.text.is_empty();
            if format != Format::Json {
                return has_text.then(|| options.form(&reading, format));
            }
            let document = json::document(&reading);
            let has_products = document["records"].as_array().is_some_and(|products| !products.is_empty());
            (has_text || has_products).then(|| document.to_string())
        })
    }

    /// Text, comments and metadata as JSON, whether there is a text or not, and the text in a form, as a field of its name.
    /// Nobody looks for products here, so the kind is what the model says of the page alone.
    #[pyfunction]
    fn document(
        page: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyString>>,
        form: Option<&str>,
        options: &Options,
    ) -> PyResult<String> {
        let form = form.map(Format::named).transpose()?;
        with_page(page, url, options, |parsed| {
            let reading = parsed.read(options.for_format(Format::Text, parsed.reader));
            let mut document = json::extraction(&reading);
            if let Some(form) = form {
                document[form.name()] = options.form(&reading, form).into();
            }
            document.to_string()
        })
    }

    /// All that is known of the page as JSON, and the text as Markdown, whether there is a text or not.
    #[pyfunction]
    fn read(page: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyString>>, options: &Options) -> PyResult<String> {
        with_page(page, url, options, |parsed| {
            let reading = parsed.read(options.for_format(Format::Markdown, parsed.reader));
            let mut document = json::document(&reading);
            document["markdown"] = options.form(&reading, Format::Markdown).into();
            document.to_string()
        })
    }

    /// What is known of a page besides its text, as JSON.
    #[pyfunction]
    fn metadata(page: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyString>>, options: &Options) -> PyResult<String> {
        with_page(page, url, options, |parsed| {
            let mut reading = parsed.read(options.for_format(Format::Text, parsed.reader));
            reading.document.text.clear();
            json::document(&reading).to_string()
        })
    }

    /// The products on a page as JSON. Cheaper than a document: nobody looks for main text.
    #[pyfunction]
    fn products(page: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyString>>, options: &Options) -> PyResult<String> {
        with_page(page, url, options, |parsed| {
            let page = gristmill_extract::Page::new(&parsed.doc);
            let types = gristmill_extract::types_of(&page, parsed.url.as_deref());
            serde_json::Value::from(parsed.decide(&page, &types).products()).to_string()
        })
    }

    /// The bytes of a page as text, in the charset that the server, the page or its bytes show.
    #[pyfunction]
    fn decode(py: Python<'_>, page: &[u8], content_type: Option<&str>) -> String {
        let hints = gristmill_reading::CharsetHints { content_type, url: None };
        py.detach(|| gristmill_html::decode_with(page, &hints).text.into_owned())
    }

    /// The names that a method may have.
    #[pyfunction]
    fn methods() -> Vec<&'static str> {
        gristmill_extract::methods().into_iter().map(|method| method.name).collect()
    }
}
