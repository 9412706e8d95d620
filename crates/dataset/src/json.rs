//! JSON lines: one object a line, keys in the order of the columns.

use std::io::{self, Write};

use crate::column::{ColumnValue, WARC_FIELDS};
use crate::layout::Columns;
use crate::row::DatasetRow;
use crate::sink::CompressedOutput;
use crate::times::rfc3339;

/// Lines are collected to this many bytes, then compressed and written.
const BUFFER_BYTES: usize = 64 * 1024;

/// Writes rows as JSON lines.
pub struct JsonLines<W: Write> {
    sink: CompressedOutput<W>,
    columns: Columns,
    lines: Vec<u8>,
}

impl<W: Write> JsonLines<W> {
    pub fn new(sink: CompressedOutput<W>, columns: &Columns) -> Self {
        Self { sink, columns: columns.clone(), lines: Vec::new() }
    }

    pub fn write(&mut self, row: &DatasetRow) -> io::Result<()> {
        for (i, column) in self.columns.iter().enumerate() {
            self.lines.push(if i == 0 { b'{' } else { b',' });
            key(&mut self.lines, column.name())?;
            value(&mut self.lines, column.value(row))?;
        }
        self.lines.extend_from_slice(b"}\n");
        if self.lines.len() >= BUFFER_BYTES {
            self.empty()?;
        }
        Ok(())
    }

    fn empty(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.lines)?;
        self.lines.clear();
        // One huge row must not keep its memory for the rest of the file.
        self.lines.shrink_to(2 * BUFFER_BYTES);
        Ok(())
    }

    pub fn bytes(&self) -> u64 {
        self.sink.bytes()
    }

    pub fn finish(mut self) -> io::Result<(W, u64)> {
        self.empty()?;
        self.sink.finish()
    }
}

fn key(out: &mut Vec<u8>, name: &str) -> io::Result<()> {
    serde_json::to_writer(&mut *out, name)?;
    out.push(b':');
    Ok(())
}

fn value(out: &mut Vec<u8>, value: ColumnValue<'_>) -> io::Result<()> {
    match value {
        ColumnValue::Null => out.extend_from_slice(b"null"),
        ColumnValue::Text(text) => serde_json::to_writer(out, &text)?,
        ColumnValue::Time(micros) => serde_json::to_writer(out, &rfc3339(micros))?,
        ColumnValue::Json(text) => out.extend_from_slice(text.as_bytes()),
        ColumnValue::Nested(value) => serde_json::to_writer(out, &value)?,
        ColumnValue::Float(number) => serde_json::to_writer(out, &number)?,
        ColumnValue::Integer(number) => serde_json::to_writer(out, &number)?,
        ColumnValue::Hash(hash) => write!(out, "\"{hash:016x}\"")?,
        ColumnValue::Metadata(fields) => metadata(out, fields)?,
    }
    Ok(())
}

/// Appends the object of the column `metadata`.
pub fn metadata(out: &mut Vec<u8>, fields: &[(String, String)]) -> io::Result<()> {
    for (i, (name, value)) in WARC_FIELDS.iter().zip(ColumnValue::warc(fields)).enumerate() {
        out.push(if i == 0 { b'{' } else { b',' });
        key(out, name)?;
        serde_json::to_writer(&mut *out, &value)?;
    }
    out.push(b'}');
    Ok(())
}
