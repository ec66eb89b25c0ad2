//! One algorithm in full, for people.

use super::{needs, rank};
use api::{AlgorithmSpec, ParamSpec, UnimplementedProposal, Unit};
use std::fmt::Write as _;

/// Returns all facts on `specs` as indented text.
pub fn text(specs: &[&AlgorithmSpec]) -> String {
    let mut text = String::new();
    for (n, spec) in specs.iter().enumerate() {
        let separator = if n == 0 { "" } else { "\n" };
        let _ =
            writeln!(text, "{separator}{} - {}{}", spec.id, spec.name, if spec.reading { " (a reading)" } else { "" });
        let _ = writeln!(text, "  {}", spec.summary);
        for (key, value) in facts(spec) {
            let _ = writeln!(text, "  {key:<10} {value}");
        }
        lines(&mut text, "  warning    ", spec.warnings.iter().copied());
        lines(&mut text, "  assumes    ", spec.assumptions.iter().copied());
        lines(&mut text, "  state      ", spec.diagram.iter().flat_map(|diagram| diagram.lines()));
        for param in &spec.params {
            let _ = writeln!(text, "  {:<22} {:<16} {}", param.name, value(param), bounds(param));
            let _ = writeln!(text, "      {}{}", group(param), param.doc);
            let _ = writeln!(text, "      {}{}", if param.reading { "reading: " } else { "" }, param.citation);
        }
    }
    text
}

/// Returns the same facts in Markdown, a section for each algorithm.
pub fn markdown(specs: &[&AlgorithmSpec]) -> String {
    let mut text = String::new();
    for spec in specs {
        let reading = if spec.reading { ", a reading" } else { "" };
        let _ = writeln!(text, "## {} (`{}`{reading})\n\n{}\n", spec.name, spec.id, spec.summary);
        for (key, value) in facts(spec) {
            let _ = writeln!(text, "- {key}: {value}");
        }
        section(&mut text, "Known bugs and contradictions", spec.warnings);
        section(&mut text, "Taken for granted", spec.assumptions);
        if let Some(diagram) = spec.diagram {
            let _ = writeln!(text, "\n### States\n\n```text\n{diagram}\n```");
        }
        if !spec.params.is_empty() {
            text.push_str("\n| parameter | default | legal | part | what it does | source |\n| --- | --- | --- | --- | --- | --- |\n");
        }
        for param in &spec.params {
            let cells = [
                format!("`{}`", param.name),
                value(param),
                bounds(param),
                param.group.to_owned(),
                param.doc.clone(),
                format!("{}{}", if param.reading { "reading: " } else { "" }, param.citation),
            ];
            let _ = writeln!(text, "| {} |", cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")).join(" | "));
        }
        text.push('\n');
    }
    text
}

/// Returns the proposals without an implementation as indented text: citation, known and missing parts, nearest
/// algorithms.
pub fn proposals(proposals: &[&UnimplementedProposal]) -> String {
    let mut text = String::from("Without a faithful implementation (no numbers of their own):\n");
    for proposal in proposals {
        let year = proposal.year.map_or_else(String::new, |year| format!(" ({year})"));
        let _ = writeln!(text, "\n{}{year} - {}", proposal.name, proposal.citation);
        let _ = writeln!(text, "  known      {}", proposal.known);
        let _ = writeln!(text, "  missing    {}", proposal.missing);
        if !proposal.readings.is_empty() {
            let _ = writeln!(text, "  readings   {}", proposal.readings.join(", "));
        }
        if let Some(nearest) = proposal.nearest {
            let _ = writeln!(text, "  nearest    {nearest}");
        }
    }
    text
}

fn facts(spec: &AlgorithmSpec) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("family", spec.family_name.to_owned()),
        ("rank", rank(spec)),
        ("source", spec.citation.to_owned()),
        (
            "needs",
            if spec.marks_attempts {
                "packets that name the copy they answer".to_owned()
            } else {
                needs(spec).to_owned()
            },
        ),
        ("dithers", yes(spec.dithers)),
        ("last copy", if spec.waits_after_last { "waits one timeout more" } else { "gives up at once" }.to_owned()),
    ];
    if spec.paced {
        facts.push(("pacing", "holds first transmissions back".to_owned()));
    }
    facts
}

fn yes(truth: bool) -> String {
    if truth { "yes" } else { "no" }.to_owned()
}

fn lines<'a>(text: &mut String, lead: &str, lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        let _ = writeln!(text, "{lead}{line}");
    }
}

fn section(text: &mut String, title: &str, items: &[&str]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n### {title}\n");
    for item in items {
        let _ = writeln!(text, "- {item}");
    }
}

const fn unit(param: &ParamSpec) -> &'static str {
    match param.unit {
        Unit::Seconds => " s",
        Unit::Factor => " x",
        Unit::Ratio | Unit::Count | Unit::Choice => "",
    }
}

fn value(param: &ParamSpec) -> String {
    format!("{}{}", param.default, unit(param))
}

fn bounds(param: &ParamSpec) -> String {
    match (param.min, param.max) {
        (Some(min), Some(max)) => format!("{min} to {max}{}", unit(param)),
        _ => param.choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", "),
    }
}

fn group(param: &ParamSpec) -> String {
    if param.group.is_empty() { String::new() } else { format!("[{}] ", param.group) }
}
