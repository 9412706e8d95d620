//! How a failure is told: by its causes in plain words, and as wrong use where the command line cannot be what was meant.

use std::io::ErrorKind;
use std::path::Path;

/// The command was used wrongly: it ends with 2, as a wrong flag does.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WrongUse(anyhow::Error);

/// Says of a failure that it is one of the command line.
pub fn wrong_use(error: anyhow::Error) -> anyhow::Error {
    WrongUse(error).into()
}

/// Whether the command line was wrong.
pub fn is_wrong_use(error: &anyhow::Error) -> bool {
    error.is::<WrongUse>()
}

/// The causes on one line, from what was done to what the system said. Those that libraries write as values of Rust are told by what
/// is within.
pub fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(|cause| plain(&cause.to_string())) {
        // Some causes repeat the ones within, and some are nothing but them.
        if told.ends_with(&cause) || cause.trim().is_empty() {
            continue;
        }
        if !told.is_empty() {
            told.push_str(": ");
        }
        told.push_str(&cause);
    }
    told
}

/// Adds which directory to make room in, where a disk is full; `data` where the failure names none.
pub fn with_room(error: anyhow::Error, data: &Path) -> anyhow::Error {
    let is_full = |cause: &(dyn std::error::Error + 'static)| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|error| matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
            || cause.to_string().contains("No space left on device")
    };
    if !error.chain().any(is_full) {
        return error;
    }
    let told = told(&error);
    let named = told.split('`').skip(1).step_by(2).map(Path::new).find(|path| path.is_absolute() || path.exists());
    let place = named.unwrap_or(data);
    let place = if place.is_file() { place.parent().unwrap_or(place) } else { place };
    anyhow::anyhow!(
        "{told}\nthe disk of `{}` is full: make room there, and run the same command again",
        place.display()
    )
}

/// `text` with the values of Rust in it as a person would say them:
/// `IoError { io_error: Os { code: 2, kind: NotFound, message: "No such file" }, filepath: "/x" }` is `/x: No such file (os error 2)`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OS) {
        let (before, found) = rest.split_at(at);
        let Some((said, after)) = os_error(found) else { break };
        let (path, after) = file_of(after);
        out.push_str(opened(before));
        out.push_str(&path.map_or(said.clone(), |path| format!("`{path}`: {said}")));
        rest = closed(after);
    }
    out.push_str(rest);
    out
}

const OS: &str = "Os { code: ";

/// What the system said, and the text behind it.
fn os_error(text: &str) -> Option<(String, &str)> {
    let (code, rest) = text.strip_prefix(OS)?.split_once(',')?;
    let (_, rest) = rest.split_once("message: \"")?;
    let (message, rest) = rest.split_once("\" }")?;
    Some((format!("{message} (os error {code})"), rest))
}

/// The path of an error that has one.
fn file_of(text: &str) -> (Option<&str>, &str) {
    let found = text.strip_prefix(", filepath: \"").and_then(|rest| rest.split_once("\" }"));
    found.map_or((None, text), |(path, rest)| (Some(path), rest))
}

/// Without the names of Rust types that stand before a value: `FjallError: Storage(Io(`, `IoError { io_error: `.
fn opened(before: &str) -> &str {
    let mut before = before;
    loop {
        let cut = before.strip_suffix('(').or_else(|| before.strip_suffix("{ io_error: ")).map(str::trim_end);
        let Some(cut) = cut else { break };
        before = cut.trim_end_matches(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
    }
    before.strip_suffix("FjallError: ").or_else(|| before.strip_suffix("LsmTreeError: ")).unwrap_or(before)
}

fn closed(after: &str) -> &str {
    after.trim_start_matches(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_rust_are_told_as_what_the_system_said() {
        let full = r#"Os { code: 28, kind: StorageFull, message: "No space left on device" }"#;
        for (text, said) in [
            (format!("FjallError: Storage(Io({full}))"), "No space left on device (os error 28)".to_owned()),
            (
                format!("Failed to open: 'IoError {{ io_error: {full}, filepath: \"/a/b\" }}'"),
                "Failed to open: '`/a/b`: No space left on device (os error 28)'".to_owned(),
            ),
            (format!("x: {full}, and y"), "x: No space left on device (os error 28), and y".to_owned()),
            ("a plain text (with brackets)".to_owned(), "a plain text (with brackets)".to_owned()),
            ("Os { code: 28".to_owned(), "Os { code: 28".to_owned()),
        ] {
            assert_eq!(plain(&text), said);
        }
    }

    #[test]
    fn a_cause_is_told_once_and_a_full_disk_names_its_directory() {
        let io = std::io::Error::from_raw_os_error(28);
        let value = format!("FjallError: Storage(Io({io:?}))");
        let error = anyhow::Error::new(io).context(value).context("could not write `/data/log`");
        assert_eq!(told(&error), "could not write `/data/log`: No space left on device (os error 28)");
        let last = with_room(error, Path::new("elsewhere")).to_string();
        assert!(
            last.ends_with("\nthe disk of `/data/log` is full: make room there, and run the same command again"),
            "{last}"
        );
        let unnamed = anyhow::Error::new(std::io::Error::from_raw_os_error(28)).context("could not write");
        assert!(with_room(unnamed, Path::new("d")).to_string().contains("the disk of `d` is full"));
        assert!(!is_wrong_use(&anyhow::anyhow!("x")) && is_wrong_use(&wrong_use(anyhow::anyhow!("x"))));
    }
}
