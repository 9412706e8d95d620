//! Reads files back into one form for all formats: a JSON object for each row.

#![allow(dead_code, reason = "each test uses a part")]

use std::io::Read;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMicrosecondType, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use gristmill_dataset::{
    Column, ColumnValue, Columns, DatasetRow, DatasetWriter, FileFormat, WARC_FIELDS, WriterOptions, cell_text,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value as Json, json};

/// The file of these rows.
pub fn file(rows: &[DatasetRow], format: FileFormat, columns: &Columns, options: WriterOptions) -> Vec<u8> {
    let mut writer = DatasetWriter::new(Vec::new(), format, columns, options).unwrap();
    for row in rows {
        writer.write(row).unwrap();
    }
    assert_eq!(writer.rows(), rows.len() as u64);
    let (bytes, summary) = writer.finish().unwrap();
    assert_eq!((summary.rows, summary.bytes), (rows.len() as u64, bytes.len() as u64));
    bytes
}

/// What a reader must find of a row. CSV has texts only.
pub fn expected(row: &DatasetRow, format: FileFormat, columns: &Columns) -> Json {
    let value = |column: &Column| (column.name().to_owned(), typed(column.value(row)));
    let typed: Map<_, _> = columns.iter().map(value).collect();
    if format != FileFormat::Csv {
        return typed.into();
    }
    let text = |value: Json| match value {
        Json::Null => json!(""),
        Json::String(text) => json!(cell_text(&text)),
        // The object's text has its own order, and readers keep it.
        Json::Object(_) => json!(metadata_text(&row.warc)),
        Json::Array(list) if list.iter().all(Json::is_string) => {
            json!(cell_text(&list.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(",")))
        }
        Json::Array(list) => json!(Json::from(list).to_string()),
        number => json!(number.as_f64().filter(|_| number.is_f64()).map_or(number.to_string(), |x| x.to_string())),
    };
    typed.into_iter().map(|(name, value)| (name, text(value))).collect::<Map<_, _>>().into()
}

fn typed(value: ColumnValue<'_>) -> Json {
    match value {
        ColumnValue::Null => Json::Null,
        ColumnValue::Text(text) => json!(text.as_ref()),
        ColumnValue::Time(micros) => json!(time(micros)),
        ColumnValue::Nested(value) => value,
        ColumnValue::Json(text) => serde_json::from_str(text).unwrap(),
        ColumnValue::Float(number) => json!(number),
        ColumnValue::Integer(number) => json!(number),
        ColumnValue::Hash(hash) => json!(format!("{hash:016x}")),
        ColumnValue::Metadata(fields) => WARC_FIELDS
            .iter()
            .map(|name| ((*name).to_owned(), json!(field(fields, name))))
            .collect::<Map<_, _>>()
            .into(),
    }
}

fn time(micros: i64) -> String {
    let time = time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).unwrap();
    time.format(&time::format_description::well_known::Rfc3339).unwrap()
}

fn field<'a>(fields: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

fn metadata_text(fields: &[(String, String)]) -> String {
    let pair = |name: &&str| format!("{}:{}", json!(name), json!(field(fields, name)));
    format!("{{{}}}", WARC_FIELDS.iter().map(pair).collect::<Vec<_>>().join(","))
}

/// The rows of a file, by readers that are not ours.
pub fn read(bytes: &[u8], format: FileFormat) -> Vec<Json> {
    match format {
        FileFormat::Parquet => read_parquet(bytes),
        FileFormat::JsonLines => read_lines(bytes),
        FileFormat::JsonLinesGzip => {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
            read_lines(&plain)
        }
        FileFormat::JsonLinesZstd => read_lines(&zstd::decode_all(bytes).unwrap()),
        FileFormat::Csv => read_csv(bytes),
    }
}

fn read_lines(bytes: &[u8]) -> Vec<Json> {
    assert!(bytes.is_empty() || bytes.ends_with(b"\n"));
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

fn read_csv(bytes: &[u8]) -> Vec<Json> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |record: csv::StringRecord| {
        names.iter().cloned().zip(record.iter().map(|text| json!(text))).collect::<Map<_, _>>().into()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn read_parquet(bytes: &[u8]) -> Vec<Json> {
    let bytes = bytes::Bytes::copy_from_slice(bytes);
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
    reader.flat_map(|batch| rows(&batch.unwrap())).collect()
}

fn rows(batch: &RecordBatch) -> Vec<Json> {
    let row = |i: usize| {
        let fields = batch.schema_ref().fields().iter().zip(batch.columns());
        fields.map(|(field, array)| (field.name().clone(), cell(array.as_ref(), i))).collect::<Map<_, _>>().into()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn cell(array: &dyn Array, i: usize) -> Json {
    if array.is_null(i) {
        return Json::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(i)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(i)),
        DataType::Boolean => json!(array.as_boolean().value(i)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(i)),
        DataType::UInt64 => json!(format!("{:016x}", array.as_primitive::<UInt64Type>().value(i))),
        DataType::Timestamp(..) => json!(time(array.as_primitive::<TimestampMicrosecondType>().value(i))),
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(i);
            (0..list.len()).map(|at| cell(list.as_ref(), at)).collect()
        }
        DataType::Struct(fields) => {
            let arrays = fields.iter().zip(array.as_struct().columns());
            arrays.map(|(field, array)| (field.name().clone(), cell(array.as_ref(), i))).collect::<Map<_, _>>().into()
        }
        other => panic!("a column of type {other}"),
    }
}
