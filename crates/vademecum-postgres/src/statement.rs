//! Statements with their values, and what is read from their rows.

use std::borrow::Cow;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql, Type};
use vademecum_store::StoreError;

use crate::error::corrupt;

/// A statement and its values; it is sent unnamed, so that a pooler may hand each transaction to another connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) sql: Cow<'static, str>,
    pub(crate) values: Vec<Value>,
    /// Whether it asks for a few small facts, which most calls of one program ask for first.
    pub(crate) is_card: bool,
}

/// A value as the server takes it: texts of people are bytes, so that neither encoding nor collation touches them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Int(Option<i64>),
    Ints(Vec<i64>),
    Bytes(Option<Vec<u8>>),
    List(Vec<Vec<u8>>),
    Bool(bool),
    /// A word of this program for the server itself, such as a channel.
    Word(String),
}

impl Statement {
    pub(crate) fn new(sql: impl Into<Cow<'static, str>>, values: Vec<Value>) -> Self {
        Self { sql: sql.into(), values, is_card: false }
    }

    /// One that asks for a few small facts.
    pub(crate) fn card(sql: impl Into<Cow<'static, str>>, values: Vec<Value>) -> Self {
        Self { is_card: true, ..Self::new(sql, values) }
    }
}

impl Value {
    /// The value and its type, as the driver takes them.
    pub(crate) fn typed(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Self::Int(value) => (value, Type::INT8),
            Self::Ints(values) => (values, Type::INT8_ARRAY),
            Self::Bytes(value) => (value, Type::BYTEA),
            Self::List(values) => (values, Type::BYTEA_ARRAY),
            Self::Bool(value) => (value, Type::BOOL),
            Self::Word(word) => (word, Type::TEXT),
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<Option<i64>> for Value {
    fn from(value: Option<i64>) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Bytes(Some(value.as_bytes().to_vec()))
    }
}

impl From<&[u8]> for Value {
    fn from(value: &[u8]) -> Self {
        Self::Bytes(Some(value.to_vec()))
    }
}

impl From<Vec<u8>> for Value {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(Some(value))
    }
}

impl From<Option<Vec<u8>>> for Value {
    fn from(value: Option<Vec<u8>>) -> Self {
        Self::Bytes(value)
    }
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(value: [u8; N]) -> Self {
        Self::Bytes(Some(value.to_vec()))
    }
}

/// Adds a condition on a value, which stands there as `?` and goes behind the values that there are.
pub(crate) fn given(
    sql: &mut String,
    condition: &str,
    values: &mut Vec<Value>,
    value: impl Into<Value>,
) {
    values.push(value.into());
    sql.push_str(&condition.replace('?', &format!("${}", values.len())));
}

/// One column of a row.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Result<T, StoreError> {
    row.try_get(at).map_err(|error| corrupt(&error))
}

/// A column that holds a text.
pub(crate) fn text(row: &Row, at: usize) -> Result<String, StoreError> {
    utf8(column::<Vec<u8>>(row, at)?)
}

/// A column that may hold a text.
pub(crate) fn some_text(row: &Row, at: usize) -> Result<Option<String>, StoreError> {
    column::<Option<Vec<u8>>>(row, at)?.map(utf8).transpose()
}

/// A column that holds so many bytes.
pub(crate) fn array<const N: usize>(row: &Row, at: usize) -> Result<[u8; N], StoreError> {
    let bytes: &[u8] = column(row, at)?;
    bytes.try_into().map_err(|_| corrupt(&format!("{} bytes, {N} expected", bytes.len())))
}

/// A column that holds a count or a small number.
pub(crate) fn number<T: TryFrom<i64>>(row: &Row, at: usize) -> Result<T, StoreError> {
    whole(column(row, at)?)
}

/// A count or a small number.
pub(crate) fn whole<T: TryFrom<i64>>(number: i64) -> Result<T, StoreError> {
    T::try_from(number).map_err(|_| corrupt(&format!("the number {number} is out of range")))
}

/// Bytes as text.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(bytes).map_err(|error| corrupt(&error))
}

/// A limit as the server wants it: none for all.
pub(crate) fn limit(limit: usize) -> Value {
    Value::Int((limit != 0).then(|| i64::try_from(limit).unwrap_or(i64::MAX)))
}
