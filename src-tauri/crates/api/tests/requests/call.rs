//! Requests to a session, as tests make them: answers are JSON.

use api::{Reply, Session, Silent};
use serde_json::Value;

/// Answer of a command, or its error.
pub fn call(session: &Session, name: &str, request: Value) -> Result<Value, api::Error> {
    match session.call(name, request, &mut Silent)? {
        Reply::Json(value) => Ok(value),
        Reply::Bytes(_) => panic!("{name} answers with JSON"),
    }
}

/// Answer of a command that succeeds.
pub fn ok(session: &Session, name: &str, request: Value) -> Value {
    call(session, name, request).expect(name)
}
