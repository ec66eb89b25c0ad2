//! A pattern for files whose names say what they are, such as `chain6/cocoa-seed1/radio.pcap.gz`.

use crate::Pattern;
use std::collections::{BTreeMap, BTreeSet};

/// Words before a seed, the longest first.
const SEEDS: [&str; 6] = ["-seed-", "_seed_", "-seed", "_seed", "seed-", "seed"];
/// Endings of packed files: the ending before them counts too.
const PACKED: [&str; 2] = ["gz", "zst"];

/// Names of the tags that were given so far.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    /// `name`, or `name2`, `name3` … where it is taken.
    fn take(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.0.contains(name));
        let free = free.unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}

/// A folder or the name of the file at one depth, in all paths.
struct Place<'a> {
    /// Names without their seed, one a path.
    names: Vec<&'a str>,
    /// The word before the seed, where each name ends in one.
    seed: Option<&'static str>,
}

/// Guesses a pattern of most of `paths`, names separated by slashes: the largest group of equal depth and ending. Names
/// that are equal in all of them stay; `seed` is a number after that word; `timer` is a name, or its last part, that
/// `is_timer` knows, or else the last name of runs with seeds; the first other name is `scenario`. `None` without
/// paths.
pub fn guess(paths: &[String], is_timer: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut groups: BTreeMap<(usize, &str), Vec<Vec<&str>>> = BTreeMap::new();
    for path in paths {
        let mut names: Vec<&str> = path.split('/').collect();
        let (stem, ending) = split(names.pop().unwrap_or_default());
        names.push(stem);
        groups.entry((names.len(), ending)).or_default().push(names);
    }
    // The first of the largest: the order of ties is that of depth and ending.
    let most = groups.values().map(Vec::len).max()?;
    let ((depth, ending), rows) = groups.into_iter().find(|(_, rows)| rows.len() == most)?;
    let places: Vec<Place<'_>> = (0..depth).map(|at| place(&rows, at)).collect();
    let own = literal(ending);
    let (pattern, of_file) = (format!("{}{own}", written(&places, is_timer)), format!("*{own}"));
    let fits = |pattern: &Pattern| rows.iter().all(|names| pattern.matches(&path_of(names, ending)).is_some());
    if Pattern::parse(&pattern).is_ok_and(|pattern| fits(&pattern)) {
        return Some(pattern);
    }
    Some(std::iter::repeat_n("*", depth - 1).chain([of_file.as_str()]).collect::<Vec<_>>().join("/"))
}

fn path_of(names: &[&str], ending: &str) -> String {
    format!("{}{ending}", names.join("/"))
}

/// A file's name without its ending, and the ending with its dot.
fn split(name: &str) -> (&str, &str) {
    let is_packed = |rest: &str| PACKED.contains(&rest);
    match name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        Some((stem, last)) if is_packed(last) => {
            let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
            name.split_at(if stem.is_empty() { name.len() } else { stem.len() })
        }
        Some((stem, _)) => name.split_at(stem.len()),
        None => (name, ""),
    }
}

fn place<'a>(rows: &[Vec<&'a str>], at: usize) -> Place<'a> {
    let all: Vec<&str> = rows.iter().filter_map(|names| names.get(at).copied()).collect();
    let seeded =
        |word: &'static str| -> Option<Vec<&'a str>> { all.iter().map(|name| without_seed(name, word)).collect() };
    let varies = all.iter().any(|name| all.first() != Some(name));
    match SEEDS.into_iter().filter(|_| varies).find_map(|word| Some((word, seeded(word)?))) {
        Some((word, names)) => Place { names, seed: Some(word) },
        None => Place { names: all, seed: None },
    }
}

/// The beginning of a name that ends in `word` and a number.
fn without_seed<'a>(name: &'a str, word: &str) -> Option<&'a str> {
    let (rest, number) = name.rsplit_once(word)?;
    (!number.is_empty() && number.bytes().all(|octet| octet.is_ascii_digit())).then_some(rest)
}

/// The pattern without the ending of files.
fn written(places: &[Place<'_>], is_timer: &dyn Fn(&str) -> bool) -> String {
    let varies = |place: &Place<'_>| place.names.iter().any(|name| place.names.first() != Some(name));
    let known = |place: &Place<'_>| varies(place) && place.names.iter().all(|name| is_timer(name));
    let last_part = |name: &str| name.rsplit_once('-').is_some_and(|(rest, last)| !rest.is_empty() && is_timer(last));
    let ends_known = |place: &Place<'_>| varies(place) && place.names.iter().all(|name| last_part(name));
    let varying: Vec<usize> = (0..places.len()).filter(|&at| places.get(at).is_some_and(varies)).collect();
    let has_seed = places.iter().any(|place| place.seed.is_some());
    let is_known = places.iter().any(|place| known(place) || ends_known(place));
    // Runs with seeds that vary in two names: the later one is what was tried.
    let guessed = varying.last().copied().filter(|_| varying.len() > 1 && has_seed && !is_known);
    let mut names = Names::default();
    let mut parts = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let mut part = if !varies(place) {
            literal(place.names.first().copied().unwrap_or_default())
        } else if known(place) || guessed == Some(at) {
            format!("{{{}}}", names.take("timer"))
        } else if ends_known(place) {
            format!("{{{}}}-{{{}}}", names.take("scenario"), names.take("timer"))
        } else {
            format!("{{{}}}", names.take("scenario"))
        };
        if let Some(word) = place.seed {
            part.push_str(&format!("{word}{{{}}}", names.take("seed")));
        }
        parts.push(part);
    }
    parts.join("/")
}

/// `name` as a pattern of itself: what has a meaning in patterns becomes `?`.
pub fn literal(name: &str) -> String {
    name.chars().map(|c| if "{}*?".contains(c) { '?' } else { c }).collect()
}
