//! Tokens of a text: words, or what a language model takes for them.

use std::path::Path;

use anyhow::Context;
use tokenizers::Tokenizer;

/// Bytes of text from which on it is cut at a line end before it is tokenized: it bounds the memory.
const PIECE: usize = 1 << 18;

/// Counts tokens.
#[derive(Default)]
pub struct TokenCounter {
    /// None for words between white space.
    tokenizer: Option<Tokenizer>,
}

impl TokenCounter {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// A file that cannot be read, or is something else.
    pub fn open(path: Option<&Path>) -> anyhow::Result<TokenCounter> {
        let Some(path) = path else { return Ok(TokenCounter::default()) };
        let bytes = std::fs::read(path).with_context(|| format!("could not read `{}`", path.display()))?;
        let tokenizer = Tokenizer::from_bytes(bytes).map_err(anyhow::Error::from_boxed);
        let mut tokenizer = tokenizer.with_context(|| format!("`{}` is no tokenizer", path.display()))?;
        // Limits and filling are for the input of a model.
        tokenizer.with_truncation(None).map_err(anyhow::Error::from_boxed)?;
        tokenizer.with_padding(None);
        Ok(TokenCounter { tokenizer: Some(tokenizer) })
    }

    /// Tokens of the tokenizer, without the marks at the ends; none without one. A piece that it cannot tokenize has none.
    pub fn tokens(&self, text: &str) -> Option<i64> {
        let tokenizer = self.tokenizer.as_ref()?;
        let (mut n, mut rest) = (0, text);
        while !rest.is_empty() {
            let end = rest.floor_char_boundary(PIECE);
            let end = if end == rest.len() { end } else { rest[..end].rfind('\n').filter(|at| *at > 0).unwrap_or(end) };
            let (piece, behind) = rest.split_at(end);
            n += tokenizer.encode_fast(piece, false).map_or(0, |encoding| encoding.len());
            rest = behind;
        }
        Some(n as i64)
    }

    /// What stands in the column `token_count`.
    pub fn count(&self, text: &str) -> i64 {
        self.tokens(text).unwrap_or_else(|| text.split_whitespace().count() as i64)
    }
}
