//! Import graph of the modules of one crate, read from its sources.
//!
//! A module is a path below `src`, such as `channel::empirical`. An edge goes from the module that names an item to the
//! module that defines it. Items that the crate's root re-exports count as imports from the module they come from, so
//! that a cycle cannot hide behind `pub use`. Tests (`#[cfg(test)] mod tests`) are left out: they may look anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Path of a module from the crate's root, one element a level.
pub type Module = Vec<String>;

/// Modules of one crate and the imports among them.
pub struct Modules {
    names: BTreeSet<Module>,
    edges: BTreeSet<(Module, Module)>,
}

impl Modules {
    /// Reads all sources below `src`.
    pub fn read(src: &Path) -> Self {
        let mut sources = BTreeMap::new();
        collect(src, &Vec::new(), &mut sources);
        let names: BTreeSet<Module> = sources.keys().filter(|module| !module.is_empty()).cloned().collect();
        let exports: BTreeMap<Module, Exports> =
            sources.iter().map(|(module, text)| (module.clone(), exports(text, module, &names))).collect();
        let mut edges = BTreeSet::new();
        for (from, text) in sources.iter().filter(|(module, _)| !module.is_empty()) {
            for path in paths(text, from) {
                let to = resolve(&path, &names, &exports);
                if let Some(to) = to.filter(|to| to != from) {
                    edges.insert((from.clone(), to));
                }
            }
        }
        Self { names, edges }
    }

    /// Top-level modules.
    pub fn top(&self) -> BTreeSet<String> {
        self.names.iter().map(|module| module[0].clone()).collect()
    }

    /// Imports between different top-level modules.
    pub fn top_edges(&self) -> BTreeSet<(String, String)> {
        self.edges.iter().map(|(a, b)| (a[0].clone(), b[0].clone())).filter(|(a, b)| a != b).collect()
    }

    /// Cycles among siblings, in every folder: each group of modules below one parent that import one another in a
    /// ring.
    ///
    /// An import of a parent's item by a child, or of a child's by its parent, is no edge between siblings.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        let mut graphs: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (from, to) in &self.edges {
            let depth = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if let (Some(a), Some(b)) = (from.get(depth), to.get(depth)) {
                let graph = graphs.entry(from[..depth].to_vec()).or_default();
                graph.entry(a.clone()).or_default().insert(b.clone());
            }
        }
        let named = |parent: &Module, ring: &BTreeSet<String>| {
            ring.iter().map(|name| [parent.as_slice(), std::slice::from_ref(name)].concat().join("::")).collect()
        };
        graphs
            .iter()
            .flat_map(|(parent, graph)| rings(graph).iter().map(|r| named(parent, r)).collect::<Vec<_>>())
            .collect()
    }
}

/// Strongly connected components of more than one node: what is reachable both ways.
fn rings(graph: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<BTreeSet<String>> {
    let reach = |start: &String| {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![start]);
        while let Some(next) = todo.pop() {
            for to in graph.get(next).into_iter().flatten() {
                if seen.insert(to.clone()) {
                    todo.push(to);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<String>> = graph.keys().map(|node| (node, reach(node))).collect();
    let ring =
        |a: &String| all.keys().filter(|b| all[a].contains(**b) && all[*b].contains(a)).map(|b| (*b).clone()).collect();
    graph.keys().map(ring).filter(|ring: &BTreeSet<String>| ring.len() > 1).collect()
}

/// Every source below `folder`, by module; tests are cut off. `main.rs` is the root of a crate without a library.
fn collect(folder: &Path, module: &Module, sources: &mut BTreeMap<Module, String>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder of sources").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            collect(&path, &[module.as_slice(), &[stem]].concat(), sources);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let is_root = module.is_empty() && (stem == "lib" || stem == "main");
            let name = if is_root { Vec::new() } else { [module.as_slice(), &[stem]].concat() };
            sources.insert(name, code(&std::fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The text without comments and without the tests at its end.
fn code(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// Item name → module that defines it, as far as a module re-exports items of its children.
type Exports = BTreeMap<String, Module>;

/// Everything that `module` takes from its children with `use`, public or not.
fn exports(text: &str, module: &Module, names: &BTreeSet<Module>) -> Exports {
    let mut exports = Exports::new();
    for (at, _) in text.match_indices("use ").filter(|&(at, _)| text[..at].ends_with([' ', '\n']) || at == 0) {
        for path in tree(&text[at + "use ".len()..]) {
            let path = [module.as_slice(), &path].concat();
            let known = (module.len() + 1..path.len()).rev().find(|&n| names.contains(&path[..n]));
            if let (Some(n), Some(item)) = (known, path.last()) {
                exports.insert(item.clone(), path[..n].to_vec());
            }
        }
    }
    exports
}

/// Absolute paths that a module's text names, by `crate::…` and by `super::…`.
fn paths(text: &str, module: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        // `$crate::` in a macro is the same crate; `thing_crate::` is not.
        if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            found.extend(tree(&text[at + "crate::".len()..]));
        }
    }
    for (at, _) in text.match_indices("super::") {
        if text[..at].ends_with("super::") || text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at..];
        let ups = rest.split("::").take_while(|part| *part == "super").count();
        let base = &module[..module.len().saturating_sub(ups)];
        let tail = &rest["super::".len() * ups..];
        found.extend(tree(tail).into_iter().map(|path| [base, &path].concat()));
    }
    found
}

/// The leaves of a use tree (`a::{b, c::{d, e}}`) or of a path in an expression (`a::b`).
fn tree(text: &str) -> Vec<Module> {
    let mut leaves = Vec::new();
    walk(text, &Vec::new(), &mut leaves);
    leaves
}

/// Adds the leaves of one subtree; returns what follows it.
fn walk<'t>(text: &'t str, prefix: &Module, leaves: &mut Vec<Module>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = walk(rest, prefix, leaves).trim_start();
            match rest.strip_prefix(',') {
                Some(more) if !more.trim_start().starts_with('}') => rest = more,
                _ => return rest.trim_start_matches([',', ' ', '\n']).strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let path = if name.is_empty() || name == "self" {
        prefix.clone()
    } else {
        [prefix.as_slice(), &[name.to_owned()]].concat()
    };
    let rest = rest.strip_prefix('*').unwrap_or(rest);
    match rest.strip_prefix("::") {
        Some(rest) => walk(rest, &path, leaves),
        None => {
            leaves.push(path);
            let alias = rest.trim_start().strip_prefix("as ").map(str::trim_start);
            alias.map_or(rest, |a| &a[a.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(a.len())..])
        }
    }
}

/// The module that defines what `path` names: its longest prefix that is a module, or the child which that re-exports
/// it from.
fn resolve(path: &Module, names: &BTreeSet<Module>, exports: &BTreeMap<Module, Exports>) -> Option<Module> {
    let mut module =
        (0..=path.len()).rev().find(|&n| n == 0 || names.contains(&path[..n])).map(|n| path[..n].to_vec())?;
    if let Some(item) = path.get(module.len()) {
        while let Some(child) = exports.get(&module).and_then(|names| names.get(item)) {
            module.clone_from(child);
        }
    }
    (!module.is_empty()).then_some(module)
}
