//! CSV of RFC 4180: a header, then a record for each row.

use std::io::{self, Write};

use crate::column::{Column, Value};
use crate::json;
use crate::layout::Columns;
use crate::row::Row;
use crate::sink::Counted;

/// Writes rows as CSV.
pub struct Csv<W: Write> {
    writer: csv::Writer<Counted<W>>,
    columns: Columns,
}

impl<W: Write> Csv<W> {
    pub fn new(out: W, columns: &Columns) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Counted::new(out));
        writer.write_record(columns.iter().map(Column::name))?;
        Ok(Self { writer, columns: columns.clone() })
    }

    pub fn write(&mut self, row: &Row) -> io::Result<()> {
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

fn field<W: Write>(writer: &mut csv::Writer<W>, value: Value<'_>) -> io::Result<()> {
    match value {
        Value::Null => writer.write_field("")?,
        Value::Text(text) => writer.write_field(text)?,
        Value::Float(number) => writer.write_field(number.to_string())?,
        Value::Integer(number) => writer.write_field(number.to_string())?,
        Value::Hash(hash) => writer.write_field(format!("{hash:016x}"))?,
        Value::Metadata(fields) => {
            let mut object = Vec::new();
            json::metadata(&mut object, fields)?;
            writer.write_field(object)?;
        }
    }
    Ok(())
}
