//! Rows of a table: `node,x,y[,name]`.
//!
//! Columns are those of RFC 4180, also with semicolons or tabs between them. A first row that begins with the word
//! `node` (or `id`, `mote`, `address`) names the columns, in any order; without one they are node, x, y and name. `#`
//! begins a comment.

use super::{ListBuilder, ListedNode, NodeKey, coordinate};

/// Position of each column, from 0.
#[derive(Clone, Copy)]
struct Columns {
    node: usize,
    x: Option<usize>,
    y: Option<usize>,
    name: Option<usize>,
}

/// Columns of a table without a header.
const USUAL: Columns = Columns { node: 0, x: Some(1), y: Some(2), name: Some(3) };

/// Names of the column of nodes, in any case.
const NODE: [&str; 5] = ["node", "id", "mote", "mac", "address"];

/// Reads the rows of `text` into `list`; rows without a node, or with neither place nor name, are noted.
pub(super) fn read(text: &str, list: &mut ListBuilder) {
    let mut columns = None;
    let mut offset = 0_u64;
    for (number, whole) in (1_u64..).zip(text.split_inclusive('\n')) {
        let start = offset;
        offset += whole.len() as u64;
        let line = whole.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(cells) = cells(line) else {
            list.skip(start, &format!("line {number} has a quotation mark without its pair"));
            continue;
        };
        let columns = match columns {
            Some(columns) => columns,
            None => {
                let named = header(&cells);
                columns = Some(named.unwrap_or(USUAL));
                if named.is_some() {
                    continue;
                }
                USUAL
            }
        };
        match row(&cells, columns) {
            Ok(node) => list.add(node, start, &format!("line {number}")),
            Err(why) => list.skip(start, &format!("line {number} {why}")),
        }
    }
}

fn header(cells: &[String]) -> Option<Columns> {
    let at = |names: &[&str]| cells.iter().position(|cell| names.iter().any(|name| cell.eq_ignore_ascii_case(name)));
    let first = cells.first()?;
    NODE.iter().any(|name| first.eq_ignore_ascii_case(name)).then_some(())?;
    Some(Columns { node: at(&NODE)?, x: at(&["x"]), y: at(&["y"]), name: at(&["name", "label"]) })
}

fn row(cells: &[String], columns: Columns) -> Result<ListedNode, String> {
    let cell =
        |at: Option<usize>| at.and_then(|at| cells.get(at)).map(|cell| cell.trim()).filter(|cell| !cell.is_empty());
    let key = cell(Some(columns.node)).and_then(NodeKey::parse).ok_or("names no node")?;
    let name = cell(columns.name).map(|name| base::printable(name).into_owned());
    let number =
        |text: &str| coordinate(text).ok_or_else(|| format!("has \"{}\" for a coordinate", base::printable(text)));
    let place = match (cell(columns.x), cell(columns.y)) {
        (Some(x), Some(y)) => Some([number(x)?, number(y)?]),
        (None, None) if name.is_some() => None,
        (None, None) => return Err("has neither a place nor a name".to_owned()),
        _ => return Err("has one coordinate of two".to_owned()),
    };
    Ok(ListedNode { key, place, name })
}

/// Splits a line into cells; `None` where a quotation mark has no pair. The separator is the first that stands outside
/// of quotation marks.
fn cells(line: &str) -> Option<Vec<String>> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    let mut separator = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_separator = matches!(letter, ',' | ';' | '\t') && separator.is_none_or(|known| known == letter);
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                all.last_mut()?.push('"');
            }
            '"' => quoted = !quoted,
            _ if is_separator && !quoted => {
                separator = Some(letter);
                all.push(String::new());
            }
            _ => all.last_mut()?.push(letter),
        }
    }
    (!quoted).then_some(all)
}
