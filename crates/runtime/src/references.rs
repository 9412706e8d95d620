//! Settings whose text stands elsewhere, as secrets should: `{ from_env = "NAME" }` and `{ from_file = "PATH" }`.

use std::path::{Path, PathBuf};

use config::{Value, ValueKind};

/// Largest file that a setting is read from.
const MAX_BYTES: u64 = 1 << 20;

/// Why the text of a setting could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    /// The variable is not set, or no UTF-8.
    #[error("`{key}` is the variable `{name}`, which is not set")]
    Variable { key: String, name: String },
    /// The file cannot be read.
    #[error("`{key}` is in the file `{}`, which cannot be read", path.display())]
    File { key: String, path: PathBuf, source: std::io::Error },
}

/// Puts the texts in the places of those that name them. Line ends at the end of a file do not belong to its text.
///
/// # Errors
/// The first text that cannot be had.
pub(crate) fn resolve(settings: &mut Value) -> Result<(), ReferenceError> {
    let mut open = vec![(String::new(), settings)];
    while let Some((key, value)) = open.pop() {
        if let Some(text) = text_elsewhere(&key, &value.kind)? {
            value.kind = ValueKind::String(text);
            continue;
        }
        match &mut value.kind {
            ValueKind::Table(table) => {
                let dotted = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                open.extend(table.iter_mut().map(|(name, value)| (dotted(name), value)));
            }
            ValueKind::Array(list) => {
                open.extend(list.iter_mut().enumerate().map(|(n, value)| (format!("{key}[{n}]"), value)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn text_elsewhere(key: &str, kind: &ValueKind) -> Result<Option<String>, ReferenceError> {
    let ValueKind::Table(table) = kind else { return Ok(None) };
    let Some((how, place)) = table.iter().next().filter(|_| table.len() == 1) else { return Ok(None) };
    let ValueKind::String(place) = &place.kind else { return Ok(None) };
    match how.as_str() {
        "from_env" => match std::env::var(place) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(ReferenceError::Variable { key: key.to_owned(), name: place.clone() }),
        },
        "from_file" => {
            let text = read(Path::new(place)).map_err(|source| ReferenceError::File {
                key: key.to_owned(),
                path: place.into(),
                source,
            })?;
            Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
        }
        _ => Ok(None),
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    let size = std::fs::metadata(path)?.len();
    if size > MAX_BYTES {
        return Err(std::io::Error::other(format!("it has {size} bytes, more than {MAX_BYTES}")));
    }
    std::fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(toml: &str) -> Result<toml::Value, ReferenceError> {
        let source = config::File::from_str(toml, config::FileFormat::Toml);
        let mut settings = config::Config::builder().add_source(source).build().unwrap();
        resolve(&mut settings.cache)?;
        Ok(settings.try_deserialize().unwrap())
    }

    #[test]
    fn texts_come_from_files_and_variables_in_tables_and_lists() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret");
        std::fs::write(&file, "hunter2\r\n").unwrap();
        let toml =
            format!("[[sites]]\npassword = {{ from_file = '{}' }}\nhome = {{ from_env = 'PATH' }}", file.display());
        let settings = resolved(&toml).unwrap();
        let site = &settings["sites"][0];
        assert_eq!(site["password"].as_str(), Some("hunter2"));
        assert_eq!(site["home"].as_str().map(str::to_owned), std::env::var("PATH").ok());
    }

    #[test]
    fn what_is_not_there_is_told_by_its_setting_and_place() {
        let told = |toml: &str| resolved(toml).unwrap_err().to_string();
        assert_eq!(
            told("a = { b = { from_env = 'GRISTMILL_NOT_SET' } }"),
            "`a.b` is the variable `GRISTMILL_NOT_SET`, which is not set"
        );
        assert!(told("a = [{ from_file = '/nowhere/secret' }]").starts_with("`a[0]` is in the file `/nowhere/secret`"));
    }
}
