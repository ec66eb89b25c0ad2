//! The simulation file of Cooja: an XML document with a `mote` for each node.
//!
//! ```text
//! <mote>
//!   <interface_config> …interfaces.Position    <pos x="0" y="30" />          Cooja of Contiki-NG since 2022
//!   <interface_config> …interfaces.Position    <x>0</x> <y>30</y> <z>0</z>   before, and of Contiki
//!   <interface_config> …interfaces.ContikiMoteID  <id>8</id>
//! ```
//!
//! Both forms of a position are those that Cooja's class `Position` reads (`setConfigXML`, contiki-ng/cooja,
//! java/org/contikios/cooja/interfaces/Position.java). The plan is seen from above: z is left out.

use super::{ListBuilder, ListedNode, NodeKey, coordinate};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// State within one `mote`.
#[derive(Default)]
struct Mote {
    /// Offset of its element in the file, octets.
    offset: u64,
    id: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Reads the motes of a simulation into `list`. A document that ends or goes wrong in the middle keeps what came
/// before, with a note.
pub(super) fn read(text: &str, list: &mut ListBuilder) {
    let mut reader = Reader::from_str(text);
    let mut mote: Option<Mote> = None;
    // The element whose text comes next.
    let mut within: Option<Value> = None;
    let mut depth = 0_usize;
    loop {
        let offset = reader.buffer_position();
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                depth += 1;
                if element.name().into_inner() == "mote" {
                    mote = Some(Mote { offset, ..Mote::default() });
                }
                within = mote.as_mut().and_then(|mote| mote.begins(&element));
            }
            Ok(Event::Empty(element)) => {
                if let Some(mote) = &mut mote {
                    mote.begins(&element);
                }
                within = None;
            }
            Ok(Event::Text(text)) => {
                if let (Some(mote), Some(value)) = (&mut mote, within) {
                    *mote.value(value) = Some(text.trim().to_owned());
                }
            }
            Ok(Event::End(element)) => {
                depth = depth.saturating_sub(1);
                within = None;
                if element.name().into_inner() == "mote"
                    && let Some(mote) = mote.take()
                {
                    mote.ends(list);
                }
            }
            Ok(Event::Eof) => {
                if depth > 0 {
                    list.skip(offset, "the simulation ends before its last element does; what came before was read");
                }
                break;
            }
            Ok(_) => {}
            Err(error) => {
                let at = reader.error_position();
                list.skip(
                    at,
                    &format!("the simulation is no XML from octet {at} on ({error}); what came before was read"),
                );
                break;
            }
        }
    }
}

/// A value that stands in an element of its own.
#[derive(Clone, Copy)]
enum Value {
    Id,
    X,
    Y,
}

impl Mote {
    /// Keeps the attributes of an element within; returns the value that its text will be.
    fn begins(&mut self, element: &BytesStart<'_>) -> Option<Value> {
        match element.name().into_inner() {
            "pos" => {
                for (name, value) in [("x", Value::X), ("y", Value::Y)] {
                    if let Ok(Some(attribute)) = element.try_get_attribute(name) {
                        *self.value(value) = Some(attribute.value.into_owned());
                    }
                }
                None
            }
            "id" => Some(Value::Id),
            "x" => Some(Value::X),
            "y" => Some(Value::Y),
            _ => None,
        }
    }

    fn value(&mut self, value: Value) -> &mut Option<String> {
        match value {
            Value::Id => &mut self.id,
            Value::X => &mut self.x,
            Value::Y => &mut self.y,
        }
    }

    fn ends(self, list: &mut ListBuilder) {
        let Self { offset, id, x, y } = self;
        let Some(id) = id.as_deref().and_then(|id| id.trim().parse().ok()) else {
            return list.skip(offset, &format!("the mote at octet {offset} of the simulation has no number"));
        };
        let place = x.as_deref().and_then(coordinate).zip(y.as_deref().and_then(coordinate)).map(|(x, y)| [x, y]);
        if place.is_none() {
            list.skip(offset, &format!("mote {id}, at octet {offset} of the simulation, has no position"));
        }
        let node = ListedNode { key: NodeKey::Mote(id), place, name: None };
        list.add(node, offset, &format!("octet {offset} of the simulation"));
    }
}
