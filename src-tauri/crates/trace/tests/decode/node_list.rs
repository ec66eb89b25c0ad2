//! Lists of nodes: simulations of Cooja, floor plans and hosts, whole, cut and wrong.

use proptest::prelude::*;
use trace::{
    ImportError, ListedNode, NodeKey, NodeList, NodeListKind, node_lists_beside, open_node_list, read_node_list,
};

fn read(text: &str) -> Result<NodeList, ImportError> {
    read_node_list("x", text.as_bytes(), Some(text.len() as u64), &mut base::Silent)
}

fn node(key: &str, place: Option<[f64; 2]>, name: Option<&str>) -> ListedNode {
    ListedNode { key: NodeKey::parse(key).unwrap(), place, name: name.map(str::to_owned) }
}

/// Positions of a run's README, which its makers wrote: `| id | x | y | …`.
fn documented(readme: &std::path::Path) -> Vec<ListedNode> {
    let text = std::fs::read_to_string(readme).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [x, y] = [cells.get(2)?, cells.get(3)?].map(|cell| cell.parse().ok());
        Some(node(&cells.get(1)?.parse::<u32>().ok()?.to_string(), Some([x?, y?]), None))
    };
    text.lines().filter_map(row).collect()
}

/// Three simulations: every mote where the run's own documentation says it stands, and none is noted.
#[test]
fn positions_of_simulations_are_those_that_were_documented() {
    for world in ["csma-tree12", "orchestra-tree12", "tsch-tree12"] {
        let Some(readme) = needs::shared(&format!("cooja/{world}/README.md")) else { return };
        let list = open_node_list(&readme.with_file_name("simulation.csc"), &mut base::Silent).unwrap();
        let documented = documented(&readme);
        assert_eq!((list.kind, list.nodes.len()), (NodeListKind::Simulation, 12), "{world}");
        assert_eq!(list.nodes, documented, "{world}");
        assert_eq!(list.notes.kinds(), [], "{world}");
    }
}

#[test]
fn a_simulation_is_found_beside_the_log_or_in_the_folder_above_and_a_floor_plan_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    let capture = run.join("radio.pcap");
    let put = |path: &std::path::Path| std::fs::write(path, "<simconf/>").unwrap();
    assert_eq!(node_lists_beside(&capture), [] as [std::path::PathBuf; 0]);
    put(&folder.path().join("world.csc"));
    let above = folder.path().canonicalize().unwrap().join("world.csc");
    assert_eq!(node_lists_beside(&capture), [above]);
    for own in ["b.csc", "a.CSC", "nodes.csv", "c.csc.txt"] {
        put(&run.join(own));
    }
    assert_eq!(node_lists_beside(&capture), ["nodes.csv", "a.CSC", "b.csc"].map(|name| run.join(name)));
}

#[test]
fn both_forms_of_a_position_and_motes_that_lack_something() {
    let text = r#"<?xml version="1.0"?><simconf><simulation>
        <mote><interface_config>P<pos x="1.5" y="-2" z="9"/></interface_config><interface_config>ID<id>7</id></interface_config></mote>
        <mote><interface_config>P<x>3</x><y>4</y><z>0</z></interface_config><interface_config>ID<id> 8 </id></interface_config></mote>
        <mote><interface_config>P<pos x="NaN" y="0"/></interface_config><interface_config>ID<id>9</id></interface_config></mote>
        <mote><interface_config>P<pos x="0" y="0"/></interface_config></mote>
        <mote><interface_config>ID<id>7</id></interface_config></mote>
        </simulation><plugin><x>5</x><id>3</id></plugin></simconf>"#;
    let list = read(text).unwrap();
    let expected = [node("7", Some([1.5, -2.0]), None), node("8", Some([3.0, 4.0]), None), node("9", None, None)];
    assert_eq!(list.nodes, expected);
    // Mote 9 has no position, one mote no number, the last no position either and is there twice.
    assert_eq!(list.notes.count("node-skipped"), 4);
    assert_eq!(list.notes.kinds()[0].first_offset, text.match_indices("<mote>").nth(2).map(|(at, _)| at as u64));
}

#[test]
fn rows_have_columns_by_name_or_by_place_and_wrong_ones_a_note_with_their_line() {
    let list = read("# plan\n1,0,0\n2,30,0,\"Hall, east\"\n00:12:74:00:01:02:03:04,1e1,-2.5\n").unwrap();
    let far = node("00:12:74:00:01:02:03:04", Some([10.0, -2.5]), None);
    assert_eq!(list.nodes, [node("1", Some([0.0; 2]), None), node("2", Some([30.0, 0.0]), Some("Hall, east")), far]);
    assert_eq!((list.kind, list.notes.kinds().len()), (NodeListKind::Rows, 0));
    let list = read("\u{feff}Node;Label;Y;X\r\nmote 4;sink;2;1\r\nfd00::1;door;;\r\n").unwrap();
    assert_eq!(list.nodes, [node("4", Some([1.0, 2.0]), Some("sink")), node("fd00::1", None, Some("door"))]);
    for (row, why) in [
        ("5,x,1", "line 2 has \"x\" for a coordinate"),
        ("5,1", "line 2 has one coordinate of two"),
        ("5,inf,1", "line 2 has \"inf\" for a coordinate"),
        ("5", "line 2 has neither a place nor a name"),
        (",1,1", "line 2 names no node"),
        ("\"5,1,1", "line 2 has a quotation mark without its pair"),
        ("1,9,9", "line 2 lists a node that was listed before; the first counts"),
    ] {
        let list = read(&format!("1,0,0\n{row}\n")).unwrap();
        assert_eq!(list.nodes.len(), 1, "{row}");
        let [note] = list.notes.kinds() else { panic!("{row}: {:?}", list.notes) };
        assert_eq!((note.first_text.as_str(), note.first_offset), (why, Some(6)), "{row}");
    }
}

#[test]
fn hosts_and_ethers_name_addresses() {
    let list = read("127.0.0.1\tlocalhost me\n# all\nfd00::201:1:1:1 sink # the root\n0xabcd door\nnobody home\n::9\n")
        .unwrap();
    let expected = [("127.0.0.1", "localhost"), ("fd00::201:1:1:1", "sink"), ("0xabcd", "door")];
    assert_eq!(list.nodes, expected.map(|(key, name)| node(key, None, Some(name))));
    assert_eq!((list.kind, list.notes.count("node-skipped")), (NodeListKind::Hosts, 2));
}

#[test]
fn what_lists_nothing_is_refused_with_a_reason() {
    for text in ["", "   \n", "Dear diary", "<html><body>no motes</body></html>", "<simconf><mote>", "a,b,c\n"] {
        match read(text) {
            Err(ImportError::Unrecognised { what }) => assert!(what.starts_with("This lists no node"), "{text}"),
            Err(ImportError::Empty) if text.is_empty() => {}
            other => panic!("{text:?}: {other:?}"),
        }
    }
    let long = "1,0,0\n".repeat(4_000_000);
    assert!(matches!(read(&long), Err(ImportError::Unrecognised { what }) if what.contains("at most")));
}

/// Every simulation that is cut or damaged keeps a beginning of its motes, and says from where on it is wrong.
#[test]
fn a_simulation_that_ends_early_keeps_what_came_before() {
    let mote = |n: u32| {
        format!(
            "<mote><interface_config>P<pos x=\"{n}\" y=\"0\"/></interface_config><interface_config><id>{n}</id></interface_config></mote>"
        )
    };
    let text = format!("<simconf>{}{}{}</simconf>", mote(1), mote(2), mote(3));
    let whole = read(&text).unwrap();
    assert_eq!((whole.nodes.len(), whole.notes.kinds().len()), (3, 0));
    for end in 0..text.len() {
        let Ok(list) = read(&text[..end]) else { continue };
        assert!(whole.nodes.starts_with(&list.nodes), "{end}");
        assert_eq!(list.notes.count("node-skipped"), 1, "{end}: {:?}", list.notes);
    }
    assert_eq!(read(&text.replace("</simconf>", "</simulation>")).unwrap().notes.count("node-skipped"), 1);
}

proptest! {
    #[test]
    fn octets_of_any_kind_keep_the_laws(octets in proptest::collection::vec(any::<u8>(), 0..400)) {
        trace::fuzz::TARGETS.iter().find(|target| target.0 == "nodes").unwrap().1(&octets);
    }

    #[test]
    fn almost_xml_keeps_the_laws(parts in proptest::collection::vec(prop::sample::select(vec![
        "<mote>", "</mote>", "<id>", "</id>", "7", "<pos x=\"1\" y=\"2\"/>", "<pos x=1>", "<x>", "</x>", "<y>", "&", "&lt;",
        "<!--", "-->", "<![CDATA[", "]]>", "<?", "<!DOCTYPE", " ", "nan", "1e400", "\"", "é",
    ]), 0..40)) {
        let octets = format!("<a>{}", parts.concat());
        trace::fuzz::TARGETS.iter().find(|target| target.0 == "nodes").unwrap().1(octets.as_bytes());
    }

    #[test]
    fn rows_that_are_written_are_read(nodes in proptest::collection::btree_map(0u32..500, (-1e6..1e6f64, -1e6..1e6f64, "[a-z \",;]{0,8}"), 1..20)) {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let text: String = nodes.iter().map(|(id, (x, y, name))| format!("{id},{x},{y},{}\n", quoted(name))).collect();
        let list = read(&text).unwrap();
        prop_assert!(list.notes.kinds().is_empty());
        let written = nodes.iter().map(|(id, (x, y, name))| {
            let name = name.trim();
            node(&id.to_string(), Some([*x, *y]), (!name.is_empty()).then_some(name))
        });
        prop_assert_eq!(list.nodes, written.collect::<Vec<_>>());
    }
}
