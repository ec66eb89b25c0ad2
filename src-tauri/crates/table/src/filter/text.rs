//! Values of fields as text, for columns of packet lists: as filters write them, but names for numbers that have one,
//! and texts without quotes.

use super::eval::each;
use super::field::{Field, Kind, Value};
use super::literal::Literal;
use super::row::Row;
use trace::Code;

/// Text between the values of a field that has several in one frame, as tshark's `-E aggregator` joins them.
const BETWEEN: &str = ", ";

impl Field {
    /// Returns all values of the field in `row` as one text; `None` where it has none. Times are seconds.
    #[must_use]
    pub fn text(&self, row: &Row<'_>) -> Option<String> {
        let mut all: Option<String> = None;
        each(self, row, &mut |value| {
            let value = text(self.kind, value);
            match &mut all {
                Some(all) => {
                    all.push_str(BETWEEN);
                    all.push_str(&value);
                }
                None => all = Some(value),
            }
        });
        all
    }
}

fn text(kind: Kind, value: Value<'_>) -> String {
    match value {
        Value::Present => "yes".to_owned(),
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => named(kind, number),
        Value::Nanos(nanos) => Literal::Nanos(nanos).to_string(),
        Value::Text(text) => text.to_owned(),
        Value::Octets([]) => String::new(),
        Value::Octets(octets) => Literal::Octets(octets.to_vec()).to_string(),
        Value::Eui64(octets) => Literal::Eui64(octets).to_string(),
        Value::Address(address) => address.to_canonical().to_string(),
    }
}

/// Returns the name of a number where its kind has one, such as `CON` or `2.05`; else its digits.
fn named(kind: Kind, number: i64) -> String {
    let name = match kind {
        Kind::Name(names) => names.iter().find(|name| name.1 == number).map(|name| name.0.to_owned()),
        Kind::Code => u8::try_from(number).ok().map(Code).map(|code| match code.name() {
            Some(name) if code.is_request() => name.to_owned(),
            _ => code.to_string(),
        }),
        _ => None,
    };
    name.unwrap_or_else(|| number.to_string())
}
