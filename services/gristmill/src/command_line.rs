//! Commands as a person can paste them: this very program, on the corpus at hand.

use crate::settings::Settings;

/// A command line of this program as it was started, with `--config` and `--data` where they are not the defaults.
pub fn command(settings: &Settings, arguments: &[&str]) -> String {
    let mut words = vec![std::env::args().next().unwrap_or_else(|| "gristmill".to_owned())];
    if let Some(file) = &settings.file {
        words.extend(["--config".to_owned(), file.display().to_string()]);
    }
    let data = settings.data.display().to_string();
    let (first, rest) = arguments.split_first().unwrap_or((&"", &[]));
    words.push((*first).to_owned());
    if settings.data != Settings::default().data {
        words.extend(["--data".to_owned(), data]);
    }
    words.extend(rest.iter().map(|word| (*word).to_owned()));
    line(words)
}

/// What was typed, so that it can be typed again.
pub fn typed() -> String {
    line(std::env::args_os().map(|word| word.to_string_lossy().into_owned()))
}

/// Words as a line for a shell, quoted where that is needed.
pub fn line(words: impl IntoIterator<Item = String>) -> String {
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,@+".contains(c));
    let quoted =
        words.into_iter().map(|word| if plain(&word) { word } else { format!("'{}'", word.replace('\'', "'\\''")) });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_the_program_as_it_was_started_and_quotes_what_a_shell_would_split() {
        let settings = Settings { data: "my corpus".into(), file: Some("g.toml".into()), ..Settings::default() };
        let told = command(&settings, &["search", "石磨 豆腐"]);
        let program = std::env::args().next().unwrap();
        assert_eq!(told, format!("{program} --config g.toml search --data 'my corpus' '石磨 豆腐'"));
        assert_eq!(line(["it's".to_owned(), String::new()]), "'it'\\''s' ''");
    }
}
