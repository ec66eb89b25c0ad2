//! Tables for other programs in the same process: Arrow's C data interface, which shares buffers without a copy.

use crate::cells::{Cells, Listing};
use crate::export::frame;
use crate::frame::TableError;
use polars::prelude::{ArrowDataType, ArrowField, CompatLevel, PlSmallStr};
use polars_arrow::array::{Array, StructArray};
use polars_arrow::ffi::{self, ArrowArrayStream, ArrowSchema};
use std::sync::Arc;

/// Columns of a table in Arrow's memory layout. Every [`ArrowTable::stream`] shares their buffers, which live as long
/// as one of them does.
///
/// Text is of type `utf8_view`, whole numbers `int64`, real numbers and seconds `float64`, the latter with `unit` = `s`
/// in the metadata of the field. A cell that does not apply is null.
#[derive(Clone, Debug)]
pub struct ArrowTable {
    batch: StructArray,
}

impl ArrowTable {
    /// Converts the cells of `listing`.
    ///
    /// # Errors
    /// [`TableError`] where two columns have one name, or not all have the same length.
    pub fn of<N: AsRef<str>>(listing: &Listing<N>) -> Result<Self, TableError> {
        let frame = frame(listing, false)?;
        let mut fields = Vec::with_capacity(listing.columns.len());
        let mut arrays = Vec::with_capacity(listing.columns.len());
        for (column, (name, cells)) in frame.columns().iter().zip(&listing.columns) {
            let series = column.as_materialized_series().rechunk();
            let array = series.to_arrow(0, CompatLevel::newest());
            let mut field = ArrowField::new(PlSmallStr::from(name.as_ref()), array.dtype().clone(), true);
            if matches!(cells, Cells::Seconds(_)) {
                field.metadata = Some(Arc::new([("unit".into(), "s".into())].into_iter().collect()));
            }
            fields.push(field);
            arrays.push(array);
        }
        let batch = StructArray::try_new(ArrowDataType::Struct(fields), frame.height(), arrays, None)?;
        Ok(Self { batch })
    }

    /// Returns the type of the rows, which are a struct of all columns.
    #[must_use]
    pub fn schema(&self) -> ArrowSchema {
        ffi::export_field_to_c(&self.field())
    }

    /// Returns a stream of all rows in one batch.
    #[must_use]
    pub fn stream(&self) -> ArrowArrayStream {
        let batch: Box<dyn Array> = Box::new(self.batch.clone());
        ffi::export_iterator(Box::new(std::iter::once(Ok(batch))), self.field())
    }

    fn field(&self) -> ArrowField {
        ArrowField::new(PlSmallStr::EMPTY, self.batch.dtype().clone(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::ArrowTable;
    use crate::cells::{Cells, Listing};
    use polars_arrow::array::PrimitiveArray;

    fn listing() -> Listing {
        let text = Cells::Text(vec![Some("a".to_owned()), None, Some("longer than an inlined view".to_owned())]);
        let seconds = Cells::Seconds(vec![Some(1_500_000_000), None, Some(-1)]);
        Listing { columns: vec![("name", text), ("count", Cells::Whole(vec![Some(1), None, Some(3)])), ("t", seconds)] }
    }

    #[test]
    fn a_clone_for_a_stream_shares_the_buffers() {
        let table = ArrowTable::of(&listing()).unwrap();
        let pointer = |batch: &super::StructArray| {
            let count = batch.values()[1].as_any().downcast_ref::<PrimitiveArray<i64>>().unwrap();
            count.values().as_ptr()
        };
        assert_eq!(pointer(&table.batch), pointer(&table.clone().batch));
        let (stream, schema) = (table.stream(), table.schema());
        drop(table);
        assert!(!schema.is_null());
        drop(stream);
    }

    #[test]
    fn seconds_are_doubles_and_what_does_not_apply_is_null() {
        let table = ArrowTable::of(&listing()).unwrap();
        let seconds = table.batch.values()[2].as_any().downcast_ref::<PrimitiveArray<f64>>().unwrap();
        assert_eq!(seconds.iter().map(|x| x.copied()).collect::<Vec<_>>(), [Some(1.5), None, Some(-1e-9)]);
        assert_eq!(table.batch.fields()[2].metadata.as_ref().unwrap().get("unit").map(|s| s.as_str()), Some("s"));
        assert!(table.batch.fields()[1].metadata.is_none());
        assert_eq!(table.batch.len(), 3);
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let twice = Listing { columns: vec![("a", Cells::Real(vec![])), ("a", Cells::Real(vec![]))] };
        assert!(ArrowTable::of(&twice).is_err());
    }
}
