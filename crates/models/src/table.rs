//! The values of one table.

use crate::bytes::{ByteReader, put_length, put_text};
use crate::error::ModelError;

/// A type that tables may hold; see `TableValue`.
pub trait TableElement: Sized {
    /// As messages call it.
    const NAME: &'static str;
    fn into_table(values: Vec<Self>) -> ModelTable;
    fn from_table(table: &ModelTable) -> Option<&[Self]>;
}

macro_rules! kinds {
    ($($variant:ident, $value:ty, $code:literal;)*) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum ModelTable {
            Text(Vec<String>),
            $($variant(Vec<$value>),)*
        }

        impl ModelTable {
            pub(crate) fn read(reader: &mut ByteReader<'_>) -> Result<ModelTable, ModelError> {
                let kind = reader.u8()?;
                let count = reader.u32()? as usize;
                Ok(match kind {
                    TEXT => ModelTable::Text((0..count).map(|_| Ok(reader.text()?.to_owned())).collect::<Result<_, _>>()?),
                    $($code => {
                        let (values, _) = reader.values(count, size_of::<$value>())?.as_chunks();
                        ModelTable::$variant(values.iter().map(|bytes| <$value>::from_le_bytes(*bytes)).collect())
                    })*
                    _ => return Err(ModelError::Shape("a table is of unknown kind")),
                })
            }

            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                match self {
                    ModelTable::Text(texts) => {
                        out.push(TEXT);
                        put_length(out, texts.len());
                        texts.iter().for_each(|text| put_text(out, text));
                    }
                    $(ModelTable::$variant(values) => {
                        out.push($code);
                        put_length(out, values.len());
                        values.iter().for_each(|value| out.extend(value.to_le_bytes()));
                    })*
                }
            }
        }

        stored! { Text, String; $($variant, $value;)* }
    };
}

macro_rules! stored {
    ($($variant:ident, $value:ty;)*) => {
        $(impl TableElement for $value {
            const NAME: &'static str = stringify!($value);

            fn into_table(values: Vec<Self>) -> ModelTable {
                ModelTable::$variant(values)
            }

            fn from_table(table: &ModelTable) -> Option<&[Self]> {
                match table {
                    ModelTable::$variant(values) => Some(values),
                    _ => None,
                }
            }
        })*
    };
}

/// The kind of texts; numbers have theirs below.
const TEXT: u8 = 1;

kinds! {
    I8, i8, 2;
    U16, u16, 3;
    U32, u32, 4;
    U64, u64, 5;
    F32, f32, 6;
    F64, f64, 7;
}
