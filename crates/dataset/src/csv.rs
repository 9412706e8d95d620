//! CSV of RFC 4180: a header, then a record for each row.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

use crate::column::{Column, ColumnValue};
use crate::json;
use crate::layout::Columns;
use crate::row::DatasetRow;
use crate::sink::CountingWriter;
use crate::times::rfc3339;

/// Writes rows as CSV.
pub struct Csv<W: Write> {
    writer: csv::Writer<CountingWriter<W>>,
    columns: Columns,
}

impl<W: Write> Csv<W> {
    pub fn new(out: W, columns: &Columns) -> io::Result<Self> {
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(CountingWriter::new(out));
        writer.write_record(columns.iter().map(Column::name))?;
        Ok(Self { writer, columns: columns.clone() })
    }

    pub fn write(&mut self, row: &DatasetRow) -> io::Result<()> {
        for column in self.columns.iter() {
            field(&mut self.writer, column.value(row))?;
        }
        // An empty record ends the line.
        Ok(self.writer.write_record(None::<&[u8]>)?)
    }

    pub fn bytes(&self) -> u64 {
        self.writer.get_ref().bytes()
    }

    pub fn finish(self) -> io::Result<(W, u64)> {
        let mut out = self.writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        out.flush()?;
        Ok(out.into_parts())
    }
}

fn field<W: Write>(writer: &mut csv::Writer<W>, value: ColumnValue<'_>) -> io::Result<()> {
    match value {
        ColumnValue::Null => writer.write_field("")?,
        ColumnValue::Text(text) => writer.write_field(cell_text(text.as_ref()).as_ref())?,
        ColumnValue::Json(text) => writer.write_field(text)?,
        ColumnValue::Time(micros) => writer.write_field(rfc3339(micros).unwrap_or_default())?,
        ColumnValue::Nested(value) => writer.write_field(cell_text(&nested(&value)).as_ref())?,
        ColumnValue::Float(number) => writer.write_field(number.to_string())?,
        ColumnValue::Integer(number) => writer.write_field(number.to_string())?,
        ColumnValue::Hash(hash) => writer.write_field(format!("{hash:016x}"))?,
        ColumnValue::Metadata(fields) => {
            let mut object = Vec::new();
            json::metadata(&mut object, fields)?;
            writer.write_field(object)?;
        }
    }
    Ok(())
}

/// A text as a cell has it: one that a spreadsheet would take for a formula gets a quote before it, as pages may come from anybody.
pub fn cell_text(text: &str) -> Cow<'_, str> {
    let start = text.trim_start_matches([' ', '\u{feff}']);
    let is_marked = start.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    if is_marked && text.parse::<f64>().is_err() { format!("'{text}").into() } else { text.into() }
}

/// Texts with commas between them; JSON of what is deeper.
fn nested(value: &Value) -> String {
    let texts: Option<Vec<&str>> = value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
    texts.map_or_else(|| value.to_string(), |texts| texts.join(","))
}

/// Texts as the cells of a row have them: a spreadsheet takes none of them for a formula, as pages may come from anybody.
pub fn cell_texts(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| cell_text(text).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_run_as_formulas_are_quoted_and_numbers_are_not() {
        for (text, cell) in [
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("@SUM(1)", "'@SUM(1)"),
            ("+1 800", "'+1 800"),
            (" -x", "' -x"),
            ("-1.5", "-1.5"),
            ("plain = fine", "plain = fine"),
            ("＝1+1", "'＝1+1"),
        ] {
            assert_eq!(cell_text(text), cell);
        }
    }
}
