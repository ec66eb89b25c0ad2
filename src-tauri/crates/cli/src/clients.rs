//! Clients of a capture, found by name, address or number.

use crate::args::Misuse;
use api::view::CaptureView;
use api::{AssociationId, Trace};

/// Clients of a capture: one entry for each association, in its order. A client of several servers has several.
pub struct Clients(Vec<Client>);

/// Client endpoint of one association.
struct Client {
    id: AssociationId,
    name: String,
    /// Address and port, such as `[fd00::202]:5683` or `192.0.2.1:40000`.
    end: String,
}

impl From<&Trace> for Clients {
    fn from(trace: &Trace) -> Self {
        let client = |a: &api::Association| Client { id: a.id, name: a.client_name.clone(), end: a.client.to_string() };
        Self(trace.associations.iter().map(client).collect())
    }
}

impl From<&CaptureView> for Clients {
    fn from(view: &CaptureView) -> Self {
        let client =
            |a: &api::view::AssociationView| Client { id: a.id, name: a.client_name.clone(), end: a.client.clone() };
        Self(view.associations.iter().map(client).collect())
    }
}

impl Client {
    /// Whether `text` is the client's name, its address and port, or its address alone. Without a name of its own, a
    /// client is named after its address and port.
    fn is_called(&self, text: &str) -> bool {
        let host = |end: &str| end.rsplit_once(':').map(|(host, _)| host.trim_matches(['[', ']']).to_owned());
        self.name == text || self.end == text || host(&self.name).as_deref() == Some(text) || {
            host(&self.end).as_deref() == Some(text)
        }
    }
}

impl Clients {
    /// Returns all associations of the client with this name or address, in order. Where no client has it, `text` is
    /// read as the number of one association, from 0. Empty where nothing matches.
    pub fn called(&self, text: &str) -> Vec<AssociationId> {
        let all = |is: &dyn Fn(&Client) -> bool| self.0.iter().filter(|c| is(c)).map(|c| c.id).collect::<Vec<_>>();
        let named = all(&|client| client.is_called(text));
        if named.is_empty() { all(&|client| client.id.to_string() == text) } else { named }
    }

    /// Finds as [`Clients::called`] does, but an error instead of an empty list.
    ///
    /// # Errors
    /// [`Misuse`] where there is none.
    pub fn find(&self, text: &str) -> Result<Vec<AssociationId>, Misuse> {
        let found = self.called(text);
        if found.is_empty() { Err(unknown(text, std::slice::from_ref(self))) } else { Ok(found) }
    }
}

/// Returns the error for a client `text` that none of `captures` has, which lists the names of their clients once each.
pub fn unknown(text: &str, captures: &[Clients]) -> Misuse {
    let mut known: Vec<&str> = Vec::new();
    for client in captures.iter().flat_map(|clients| &clients.0) {
        if !known.contains(&client.name.as_str()) {
            known.push(&client.name);
        }
    }
    Misuse(format!("there is no client `{text}`; there are: {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clients() -> Clients {
        let client = |(id, (name, end)): (u32, (&str, &str))| Client {
            id: AssociationId(id),
            name: name.to_owned(),
            end: end.to_owned(),
        };
        let all = [
            ("mote 2", "[fd00::202]:5683"),
            ("192.0.2.1:40000", "192.0.2.1:40000"),
            ("mote 2", "[fd00::202]:5684"),
            ("[fd00::9]:1", "[fd00::9]:1"),
            ("1", "[fd00::a]:5683"),
        ];
        Clients((0..).zip(all).map(client).collect())
    }

    #[test]
    fn by_name_address_or_number() {
        let found = |text: &str| clients().called(text).iter().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(found("mote 2"), [0, 2]);
        assert_eq!(found("fd00::202"), [0, 2]);
        assert_eq!(found("[fd00::202]:5684"), [2]);
        assert_eq!(found("192.0.2.1"), [1]);
        assert_eq!(found("192.0.2.1:40000"), [1]);
        assert_eq!(found("fd00::9"), [3]);
        assert_eq!(found("3"), [3]);
        // A name comes before a number.
        assert_eq!(found("1"), [4]);
        assert_eq!(found("mote"), [0_u32; 0]);
    }

    #[test]
    fn who_is_not_there_is_told_who_is() {
        let wrong = clients().find("mote 9").unwrap_err().0;
        assert_eq!(wrong, "there is no client `mote 9`; there are: mote 2, 192.0.2.1:40000, [fd00::9]:1, 1");
    }
}
