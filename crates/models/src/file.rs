//! A model as a file: the reader and the writer.

use std::collections::BTreeMap;

use crate::bytes::{ByteReader, put_length, put_text};
use crate::error::{ModelError, VERSION};
use crate::table::{ModelTable, TableElement};

const MAGIC: &[u8; 8] = b"GRISTMDL";
/// Magic, version and checksum.
const HEAD: usize = 16;

/// Named tables and a card.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelFile {
    card: String,
    tables: BTreeMap<String, ModelTable>,
}

/// What a table may hold: `String`, `i8`, `u16`, `u32`, `u64`, `f32`, `f64`.
pub trait TableValue: TableElement {}

impl<V: TableElement> TableValue for V {}

impl ModelFile {
    /// A model without tables. `card` says what it is, what it was trained on and how well it does.
    pub fn new(card: impl Into<String>) -> ModelFile {
        ModelFile { card: card.into(), tables: BTreeMap::new() }
    }

    /// With one more table; a table of the same name is replaced.
    #[must_use]
    pub fn with<V: TableValue>(mut self, name: impl Into<String>, values: Vec<V>) -> ModelFile {
        self.tables.insert(name.into(), V::into_table(values));
        self
    }

    /// What the model is, what it was trained on, and how well it does.
    pub fn card(&self) -> &str {
        &self.card
    }

    /// The values of a table.
    ///
    /// # Errors
    /// If there is no such table, or its values are of another kind.
    pub fn table<V: TableValue>(&self, name: &str) -> Result<&[V], ModelError> {
        self.tables.get(name).and_then(V::from_table).ok_or_else(|| missing(name, V::NAME.to_owned()))
    }

    /// The values of a table that has exactly `N`.
    ///
    /// # Errors
    /// As [`ModelFile::table`], and if there are more or fewer.
    pub fn array<V: TableValue + Clone, const N: usize>(&self, name: &str) -> Result<[V; N], ModelError> {
        let values = self.table::<V>(name)?.to_vec();
        values.try_into().map_err(|_| missing(name, format!("{N} {}", V::NAME)))
    }

    /// The only value of a table.
    ///
    /// # Errors
    /// As [`ModelFile::array`].
    pub fn number<V: TableValue + Copy>(&self, name: &str) -> Result<V, ModelError> {
        self.array::<V, 1>(name).map(|[value]| value)
    }

    /// The file. The same model gives the same bytes. O(values).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        put_text(&mut body, &self.card);
        put_length(&mut body, self.tables.len());
        for (name, table) in &self.tables {
            put_text(&mut body, name);
            table.write(&mut body);
        }
        let mut file = Vec::with_capacity(HEAD + body.len());
        file.extend(MAGIC);
        file.extend(VERSION.to_le_bytes());
        file.extend(crc32c::crc32c(&body).to_le_bytes());
        file.extend(body);
        file
    }

    /// Reads a file. O(bytes), and memory in proportion to them, whatever they are.
    ///
    /// # Errors
    /// If the bytes are not those that [`ModelFile::to_bytes`] wrote.
    pub fn read(bytes: &[u8]) -> Result<ModelFile, ModelError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(ModelError::Magic)?;
        let mut reader = ByteReader { rest: body };
        match reader.u32()? {
            VERSION => {}
            found => return Err(ModelError::Version { found }),
        }
        if reader.u32()? != crc32c::crc32c(reader.rest) {
            return Err(ModelError::Checksum);
        }
        let mut model = ModelFile::new(reader.text()?);
        for _ in 0..reader.u32()? {
            let name = reader.text()?.to_owned();
            if model.tables.last_key_value().is_some_and(|(last, _)| *last >= name) {
                return Err(ModelError::Shape("its tables are out of order"));
            }
            model.tables.insert(name, ModelTable::read(&mut reader)?);
        }
        if !reader.rest.is_empty() {
            return Err(ModelError::Shape("something stands behind the last table"));
        }
        Ok(model)
    }
}

fn missing(name: &str, expected: String) -> ModelError {
    ModelError::Table { name: name.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn model() -> ModelFile {
        ModelFile::new("A card.\n* small, MIT: 3 pages")
            .with("tags", vec!["a".to_owned(), "größe".to_owned()])
            .with("odds", vec![-128i8, 127])
            .with("left", vec![0u16, u16::MAX])
            .with("words", vec![u32::MAX])
            .with("features", vec![u64::MAX, 1])
            .with("threshold", vec![-0.0f32, f32::MIN_POSITIVE, 0.1])
            .with("weights", vec![std::f64::consts::PI])
            .with("none", Vec::<f32>::new())
    }

    #[test]
    fn a_model_is_read_as_it_was_written_and_written_as_it_was_read() {
        let bytes = model().to_bytes();
        let again = ModelFile::read(&bytes).unwrap();
        assert_eq!(again, model());
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.table::<String>("tags").unwrap(), ["a", "größe"]);
        assert_eq!(again.array::<u16, 2>("left").unwrap(), [0, u16::MAX]);
        assert_eq!(again.number::<f64>("weights").unwrap(), std::f64::consts::PI);
    }

    #[test]
    fn a_table_of_another_name_kind_or_length_is_refused_by_name() {
        let told = |error: ModelError| error.to_string();
        let model = model();
        assert!(told(model.table::<f32>("bias").unwrap_err()).contains("`bias` of f32"));
        assert!(told(model.table::<f32>("weights").unwrap_err()).contains("`weights` of f32"));
        assert!(told(model.number::<u16>("left").unwrap_err()).contains("`left` of 1 u16"));
    }

    #[test]
    fn a_file_that_is_cut_off_or_has_one_other_bit_is_refused() {
        let bytes = model().to_bytes();
        for end in 0..bytes.len() {
            assert!(ModelFile::read(&bytes[..end]).is_err(), "{end}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(ModelFile::read(&other).is_err(), "{bit}");
        }
        let mut later = bytes.clone();
        later[8] = 2;
        assert_eq!(ModelFile::read(&later), Err(ModelError::Version { found: 2 }));
        assert_eq!(ModelFile::read(&[&bytes[..], b"x"].concat()), Err(ModelError::Checksum));
    }

    /// Bytes with the head that belongs to them.
    fn sealed(body: &[u8]) -> Vec<u8> {
        [&MAGIC[..], &VERSION.to_le_bytes(), &crc32c::crc32c(body).to_le_bytes(), body].concat()
    }

    #[test]
    fn counts_beyond_the_file_and_tables_out_of_order_are_refused() {
        let mut body = Vec::new();
        put_text(&mut body, "");
        put_length(&mut body, 1);
        put_text(&mut body, "words");
        assert_eq!(ModelFile::read(&sealed(&[&body[..], &[4, 255, 255, 255, 255]].concat())), Err(ModelError::CutOff));
        assert!(matches!(ModelFile::read(&sealed(&[&body[..], &[9, 0, 0, 0, 0]].concat())), Err(ModelError::Shape(_))));
        let mut twice = Vec::new();
        put_text(&mut twice, "");
        put_length(&mut twice, 2);
        for _ in 0..2 {
            put_text(&mut twice, "words");
            twice.extend([4, 0, 0, 0, 0]);
        }
        assert!(matches!(ModelFile::read(&sealed(&twice)), Err(ModelError::Shape(_))));
    }

    proptest! {
        #[test]
        fn any_bytes_behind_a_right_head_get_an_answer(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(model) = ModelFile::read(&sealed(&body)) {
                prop_assert_eq!(model.to_bytes(), sealed(&body));
            }
        }
    }
}
