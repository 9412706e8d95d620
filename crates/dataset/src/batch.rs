//! Rows as Arrow arrays, one a column: on their way into Parquet, or to a program that takes record batches.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
    TimestampMicrosecondBuilder, UInt64Builder, make_builder,
};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use serde_json::Value;

use crate::column::{Column, ColumnType, ColumnValue, WARC_FIELDS};
use crate::layout::Columns;
use crate::row::DatasetRow;
use crate::shape::Shape;

/// Collects rows of the given columns.
pub struct RowBatch {
    schema: SchemaRef,
    columns: Columns,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
}

impl RowBatch {
    /// None yet.
    pub fn new(columns: &Columns) -> Self {
        let builders: Vec<_> = columns.iter().map(|column| Builder::new(column.column_type())).collect();
        // All may be null, as in the files of the known corpora: their readers compare schemas.
        let field = |(column, builder): (&Column, &Builder)| Field::new(column.name(), builder.data_type(), true);
        let fields: Fields = columns.iter().zip(&builders).map(field).collect();
        Self { schema: Arc::new(Schema::new(fields)), columns: columns.clone(), builders, rows: 0, bytes: 0 }
    }

    /// The schema of all batches of these columns, and of their Parquet.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Appends a row, and says how many bytes it takes.
    pub fn push(&mut self, row: &DatasetRow) -> usize {
        let mut bytes = 0;
        for (column, builder) in self.columns.iter().zip(&mut self.builders) {
            let value = column.value(row);
            bytes += value.bytes();
            builder.push(value);
        }
        self.rows += 1;
        self.bytes += bytes;
        bytes
    }

    /// Rows that wait.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes the rows out.
    ///
    /// # Errors
    /// Arrays that are no batch, which the table of columns rules out.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(self.schema(), self.builders.iter_mut().map(Builder::finish).collect())
    }
}

/// The values of one column.
enum Builder {
    Text(StringBuilder),
    Time(TimestampMicrosecondBuilder),
    Nested(Box<dyn ArrayBuilder>, &'static Shape),
    Float(Float64Builder),
    Integer(Int64Builder),
    Hash(UInt64Builder),
    Metadata(Box<[StringBuilder; WARC_FIELDS.len()]>),
}

impl Builder {
    fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Text(StringBuilder::new()),
            ColumnType::Time => Self::Time(TimestampMicrosecondBuilder::new().with_timezone(ZONE)),
            ColumnType::Nested(shape) => Self::Nested(make_builder(&data_type(shape), 0), shape),
            ColumnType::Float => Self::Float(Float64Builder::new()),
            ColumnType::Integer => Self::Integer(Int64Builder::new()),
            ColumnType::Hash => Self::Hash(UInt64Builder::new()),
            ColumnType::Metadata => Self::Metadata(Box::new(WARC_FIELDS.map(|_| StringBuilder::new()))),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Text(_) => DataType::Utf8,
            Self::Time(_) => DataType::Timestamp(TimeUnit::Microsecond, Some(ZONE.into())),
            Self::Nested(_, shape) => data_type(shape),
            Self::Float(_) => DataType::Float64,
            Self::Integer(_) => DataType::Int64,
            Self::Hash(_) => DataType::UInt64,
            Self::Metadata(_) => DataType::Struct(warc_fields()),
        }
    }

    /// Appends a value. One of another type is null: the table of columns has none.
    fn push(&mut self, value: ColumnValue<'_>) {
        match self {
            Self::Text(builder) => {
                builder.append_option(if let ColumnValue::Text(text) = &value { Some(text) } else { None })
            }
            Self::Time(builder) => {
                builder.append_option(if let ColumnValue::Time(micros) = value { Some(micros) } else { None })
            }
            Self::Nested(builder, shape) => {
                let value = match value {
                    ColumnValue::Nested(value) => value,
                    ColumnValue::Json(text) => serde_json::from_str(text).unwrap_or_default(),
                    _ => Value::Null,
                };
                append(builder.as_mut(), shape, &value);
            }
            Self::Float(builder) => {
                builder.append_option(if let ColumnValue::Float(x) = value { Some(x) } else { None })
            }
            Self::Integer(builder) => {
                builder.append_option(if let ColumnValue::Integer(n) = value { Some(n) } else { None })
            }
            Self::Hash(builder) => {
                builder.append_option(if let ColumnValue::Hash(hash) = value { Some(hash) } else { None })
            }
            Self::Metadata(builders) => {
                let fields = if let ColumnValue::Metadata(fields) = value { fields } else { &[] };
                for (builder, value) in builders.iter_mut().zip(ColumnValue::warc(fields)) {
                    builder.append_option(value);
                }
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Time(builder) => Arc::new(builder.finish()),
            Self::Nested(builder, _) => builder.finish(),
            Self::Float(builder) => Arc::new(builder.finish()),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Hash(builder) => Arc::new(builder.finish()),
            Self::Metadata(builders) => {
                let arrays = builders.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef).collect();
                Arc::new(StructArray::new(warc_fields(), arrays, None))
            }
        }
    }
}

/// Appends a value to a builder of [`data_type`] of its shape. Goes as deep as the shape.
fn append(builder: &mut dyn ArrayBuilder, shape: &Shape, value: &Value) {
    let builder = builder.as_any_mut();
    match shape {
        Shape::Text => _ = builder.downcast_mut::<StringBuilder>().map(|texts| texts.append_option(value.as_str())),
        Shape::Float => _ = builder.downcast_mut::<Float64Builder>().map(|x| x.append_option(value.as_f64())),
        Shape::Integer => _ = builder.downcast_mut::<Int64Builder>().map(|n| n.append_option(value.as_i64())),
        Shape::Boolean => _ = builder.downcast_mut::<BooleanBuilder>().map(|b| b.append_option(value.as_bool())),
        Shape::List(item) => {
            let Some(list) = builder.downcast_mut::<ListBuilder<Box<dyn ArrayBuilder>>>() else { return };
            value.as_array().into_iter().flatten().for_each(|value| append(list.values().as_mut(), item, value));
            list.append(value.is_array());
        }
        Shape::Struct(fields) => {
            let Some(object) = builder.downcast_mut::<StructBuilder>() else { return };
            for ((name, shape), builder) in fields.iter().zip(object.field_builders_mut()) {
                append(builder.as_mut(), shape, value.get(name).unwrap_or(&Value::Null));
            }
            object.append(value.is_object());
        }
    }
}

fn data_type(shape: &Shape) -> DataType {
    match shape {
        Shape::Text => DataType::Utf8,
        Shape::Float => DataType::Float64,
        Shape::Integer => DataType::Int64,
        Shape::Boolean => DataType::Boolean,
        Shape::List(item) => DataType::new_list(data_type(item), true),
        Shape::Struct(fields) => {
            DataType::Struct(fields.iter().map(|(name, shape)| Field::new(*name, data_type(shape), true)).collect())
        }
    }
}

/// All times are those of Greenwich.
const ZONE: &str = "UTC";

fn warc_fields() -> Fields {
    WARC_FIELDS.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect()
}
