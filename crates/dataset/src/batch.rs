//! Rows as Arrow arrays, one a column: on their way into Parquet, or to a program that takes record batches.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder, TimestampMicrosecondBuilder,
    UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

use crate::column::{Column, ColumnType, ColumnValue, WARC_FIELDS};
use crate::layout::Columns;
use crate::row::DatasetRow;

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
    Labels(ListBuilder<StringBuilder>),
    Shares(Box<ListBuilder<StructBuilder>>),
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
            ColumnType::Labels => Self::Labels(ListBuilder::new(StringBuilder::new())),
            ColumnType::Shares => {
                let fields: [Box<dyn ArrayBuilder>; 2] =
                    [Box::new(StringBuilder::new()), Box::new(Float64Builder::new())];
                let shares = StructBuilder::new(share_fields(), fields.into());
                Self::Shares(Box::new(ListBuilder::new(shares)))
            }
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
            Self::Labels(_) => DataType::new_list(DataType::Utf8, true),
            Self::Shares(_) => DataType::new_list(DataType::Struct(share_fields()), true),
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
                builder.append_option(if let ColumnValue::Text(text) = value { Some(text) } else { None })
            }
            Self::Time(builder) => {
                builder.append_option(if let ColumnValue::Time(micros) = value { Some(micros) } else { None })
            }
            Self::Labels(builder) => {
                let labels = if let ColumnValue::Labels(labels) = value { labels } else { &[] };
                labels.iter().for_each(|label| builder.values().append_value(label));
                builder.append(!labels.is_empty());
            }
            Self::Shares(builder) => {
                let shares = if let ColumnValue::Shares(shares) = value { shares } else { &[] };
                shares.iter().for_each(|share| append_share(builder.values(), share));
                builder.append(!shares.is_empty());
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
            Self::Labels(builder) => Arc::new(builder.finish()),
            Self::Shares(builder) => Arc::new(builder.finish()),
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

fn append_share(builder: &mut StructBuilder, (language, share): &(String, f64)) {
    if let Some(languages) = builder.field_builder::<StringBuilder>(0) {
        languages.append_value(language);
    }
    if let Some(shares) = builder.field_builder::<Float64Builder>(1) {
        shares.append_value(*share);
    }
    builder.append(true);
}

/// All times are those of Greenwich.
const ZONE: &str = "UTC";

fn share_fields() -> Fields {
    [("language", DataType::Utf8), ("share", DataType::Float64)]
        .into_iter()
        .map(|(name, data_type)| Field::new(name, data_type, true))
        .collect()
}

fn warc_fields() -> Fields {
    WARC_FIELDS.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect()
}
