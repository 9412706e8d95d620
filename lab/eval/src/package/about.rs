//! What is known about a document or a package, as JSON or as `key: value` lines.

use std::path::Path;

use serde::Deserialize;

use super::{SkippedDocument, file};

/// The fields that judging needs; others are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub(super) struct PageAnnotations {
    pub name: Option<String>,
    pub url: Option<String>,
    pub domain: Option<String>,
    pub language: Option<String>,
    pub page_type: Option<String>,
    pub with: Option<Vec<String>>,
    pub without: Option<Vec<String>>,
    pub fragmented: Option<bool>,
    pub multi_article: Option<bool>,
    pub flags: Option<Vec<String>>,
    pub title: Option<String>,
    pub author: Option<OneOrMany>,
    pub date: Option<String>,
    pub site_name: Option<String>,
}

/// One name, or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Several(Vec<String>),
}

impl OneOrMany {
    pub fn joined(self) -> String {
        match self {
            OneOrMany::One(name) => name,
            OneOrMany::Several(names) => names.join("; "),
        }
    }
}

impl PageAnnotations {
    pub fn from_json(path: &Path) -> Result<PageAnnotations, SkippedDocument> {
        let text = file::read_text(path)?;
        serde_json::from_str(&text)
            .map_err(|error| SkippedDocument::new(path, format!("not the JSON of a description: {error}")))
    }

    /// Lines `key: value`; empty lines and those that begin with `#` are skipped, `with`, `without` and `flags` may
    /// come several times, `_` and `-` in keys are the same, and so are upper and lower case.
    pub fn from_lines(path: &Path) -> Result<PageAnnotations, SkippedDocument> {
        let mut about = PageAnnotations::default();
        for (n, line) in file::read_text(path)?.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                about.line(line).map_err(|message| SkippedDocument::new(path, format!("line {}: {message}", n + 1)))?;
            }
        }
        Ok(about)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(':').ok_or("not `key: value`")?;
        let (key, value) = (key.trim().to_lowercase().replace('-', "_"), value.trim());
        let text = (!value.is_empty()).then(|| value.to_owned());
        match key.as_str() {
            "name" => self.name = text,
            "url" => self.url = text,
            "domain" => self.domain = text,
            "language" => self.language = text,
            "page_type" => self.page_type = text,
            "with" => self.with.get_or_insert_default().extend(text),
            "without" => self.without.get_or_insert_default().extend(text),
            "flags" | "flag" => self.flags.get_or_insert_default().extend(text),
            "title" => self.title = text,
            "author" => self.author = text.map(OneOrMany::One),
            "date" => self.date = text,
            "site_name" => self.site_name = text,
            "fragmented" => self.fragmented = Some(yes(&key, value)?),
            "multi_article" => self.multi_article = Some(yes(&key, value)?),
            _ => {}
        }
        Ok(())
    }
}

fn yes(key: &str, value: &str) -> Result<bool, String> {
    match value.to_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" | "" => Ok(false),
        _ => Err(format!("`{key}` is `{value}`, neither yes nor no")),
    }
}
