//! Writes the TypeScript side of the bridge: `npm run gen`. Built only with the feature `ts`.
#![cfg(feature = "ts")]

use api::typescript::Types;
use api::view::*;
use api::{COMMANDS, Error, ReplyKind};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use table::columns::{ColumnKind, FateKind, LaneLevel, MarkKind, OutcomeKind, PacketKind, SampleKind, TimerKind};

const HEAD: &str = "// Generated from the Rust types by `npm run gen`. Do not edit.\n";

fn folder() -> PathBuf {
    let fallback = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/src/ipc/gen");
    std::env::var_os("TS_RS_EXPORT_DIR").map_or_else(|| PathBuf::from(fallback), PathBuf::from)
}

/// Declarations of every type of the commands and of what else the page knows by name.
fn types() -> Types {
    let mut types = Types::default();
    for command in COMMANDS {
        (command.request_type)(&mut types);
        (command.reply_type)(&mut types);
    }
    types.declare::<Error>();
    types.declare::<MarkKind>();
    types.declare::<FateKind>();
    types.declare::<LaneLevel>();
    types.declare::<SampleKind>();
    types.declare::<TimerKind>();
    types.declare::<OutcomeKind>();
    types.declare::<PacketKind>();
    types.declare::<RuleSpec>();
    types.declare::<StudyView>();
    types
}

const fn short(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::F64 => "f64",
        ColumnKind::F32 => "f32",
        ColumnKind::U32 => "u32",
        ColumnKind::U16 => "u16",
        ColumnKind::U8 => "u8",
        ColumnKind::Text => "text",
    }
}

/// `NAVIGATOR_COLUMNS` as `NavigatorColumns`.
fn type_of(constant: &str) -> String {
    let capital = |word: &str| word[..1].to_owned() + &word[1..].to_lowercase();
    constant.split('_').map(capital).collect()
}

fn numbers<T: serde::Serialize>(text: &mut String, name: &str, all: &[T]) {
    let names: Vec<String> = all.iter().map(|v| serde_json::to_string(v).unwrap().replace('"', "'")).collect();
    writeln!(text, "export const {name} = [{}] as const;", names.join(", ")).unwrap();
}

/// `Startup` as `t.Startup`, `Array<StepView> | null` as `Array<t.StepView> | null`.
fn qualified(types: &Types, ty: &str) -> String {
    let word = |word: &str| match types.declarations().any(|(name, _)| name == word) {
        true => format!("t.{word}"),
        false => word.to_owned(),
    };
    let parts = ty.split_inclusive(|c: char| !c.is_alphanumeric());
    parts
        .map(|part| {
            let end = part.find(|c: char| !c.is_alphanumeric()).unwrap_or(part.len());
            word(&part[..end]) + &part[end..]
        })
        .collect()
}

fn commands(types: &mut Types) -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\nimport type * as t from './types';\nimport type { Columns } from '../arrow';\n");
    text.push_str("\n// Meanings of the numbers in columns: position = number.\n");
    numbers(&mut text, "MARK_KINDS", MarkKind::ALL);
    numbers(&mut text, "LANE_LEVELS", LaneLevel::ALL);
    numbers(&mut text, "FATE_KINDS", FateKind::ALL);
    numbers(&mut text, "SAMPLE_KINDS", SampleKind::ALL);
    numbers(&mut text, "TIMER_KINDS", TimerKind::ALL);
    numbers(&mut text, "OUTCOME_KINDS", OutcomeKind::ALL);
    numbers(&mut text, "PACKET_KINDS", PacketKind::ALL);
    for command in COMMANDS {
        if let ReplyKind::Arrow(name, columns) = command.reply {
            writeln!(text, "\nexport const {name} = {{").unwrap();
            for (column, kind) in columns {
                writeln!(text, "  {column}: '{}',", short(*kind)).unwrap();
            }
            writeln!(text, "}} as const;\nexport type {} = typeof {name};", type_of(name)).unwrap();
        }
    }
    text.push_str("\nexport interface Commands {\n");
    for command in COMMANDS {
        let reply = match command.reply {
            ReplyKind::Json => (command.reply_type)(types),
            ReplyKind::Arrow(name, _) => format!("Columns<{}>", type_of(name)),
        };
        let request = (command.request_type)(types);
        let (request, reply) = (qualified(types, &request), qualified(types, &reply));
        writeln!(text, "  /** {} */\n  {}(q: {request}): Promise<{reply}>;", command.doc, command.name).unwrap();
    }
    text.push_str(
        "}\n\n/** Column map of each Arrow reply; commands not listed answer with JSON. */\nexport const ARROW = {\n",
    );
    for command in COMMANDS {
        if let ReplyKind::Arrow(name, _) = command.reply {
            writeln!(text, "  {}: {name},", command.name).unwrap();
        }
    }
    text.push_str("} as const;\n\n/** Commands that report progress and can be cancelled. */\n");
    let slow: Vec<String> = COMMANDS.iter().filter(|c| c.slow).map(|c| format!("'{}'", c.name)).collect();
    writeln!(text, "export const SLOW: readonly (keyof Commands)[] = [{}];", slow.join(", ")).unwrap();
    text
}

/// One of each rule, as a request has it.
fn each_rule() -> Vec<PolicyView> {
    let value = |rule: &RuleSpec| match (rule.spec.unit, rule.spec.choices.last()) {
        (api::Unit::Choice, Some(last)) if last.name == "yes" => json!(true),
        (api::Unit::Choice, last) => json!(last.map(|last| last.name)),
        (api::Unit::Seconds, _) => json!(12_345_600_000_i64),
        _ => json!(3),
    };
    let rules = rules();
    let policy = |fields: Value| serde_json::from_value(fields).unwrap();
    let mut each: Vec<PolicyView> = rules.iter().map(|rule| policy(json!({ rule.spec.name: value(rule) }))).collect();
    // In another order than they are said in.
    let all = rules.iter().rev().map(|rule| (rule.spec.name.to_owned(), value(rule))).collect();
    each.push(policy(Value::Object(all)));
    each
}

fn labels() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\nimport type * as t from './types';\n");
    let mut say = |doc: &str, declared: &str, value: Value| {
        let value = serde_json::to_string_pretty(&value).unwrap();
        writeln!(text, "\n/** {doc} */\nexport const {declared} = {value};").unwrap();
    };
    let id = |kind: Value| kind.as_str().unwrap().to_owned();
    let channel = |kind: ChannelKind| {
        let names = json!({ "label": kind.label(), "short": kind.short(), "about": kind.about() });
        (id(serde_json::to_value(kind).unwrap()), names)
    };
    say(
        "Names of channels: for a sentence (`label`), for a small place (`short`), and a description (`about`).",
        "CHANNELS: Readonly<Record<t.ChannelKind, { label: string; short: string; about: string }>>",
        Value::Object(ChannelKind::ALL.into_iter().map(channel).collect()),
    );
    let workload = |kind: WorkloadKind| (id(serde_json::to_value(kind).unwrap()), json!(kind.label()));
    say(
        "Names of workloads, for sentences.",
        "WORKLOADS: Readonly<Record<t.WorkloadKind, string>>",
        Value::Object(WorkloadKind::ALL.into_iter().map(workload).collect()),
    );
    say(
        "Every rule besides timeouts, in the order of forms and sentences.",
        "RULES: readonly t.RuleSpec[]",
        json!(rules()),
    );
    let named =
        |pairs: Vec<(String, &str)>| Value::Object(pairs.into_iter().map(|(id, name)| (id, json!(name))).collect());
    macro_rules! labels {
        ($kind:ty) => {
            named(<$kind>::ALL.into_iter().map(|kind| (kind.id(), kind.label())).collect())
        };
    }
    say(
        "Names of the places where a capture was taken.",
        "VANTAGES: Readonly<Record<t.VantageKind, string>>",
        labels!(VantageKind),
    );
    say("Names of the trailers of 802.15.4 frames.", "FCS: Readonly<Record<t.FcsKind, string>>", labels!(FcsKind));
    say("Sources of 6LoWPAN contexts.", "CONTEXTS: Readonly<Record<t.ContextHow, string>>", labels!(ContextHow));
    say(
        "Names of the verdicts on the channel states of a path.",
        "FITS: Readonly<Record<t.FitKind, string>>",
        labels!(FitKind),
    );
    let layer = |layer: base::Layer| (id(serde_json::to_value(layer).unwrap()), json!(layer.to_string()));
    say(
        "Names of the layers that notes are about.",
        "LAYERS: Readonly<Record<t.Layer, string>>",
        Value::Object(base::Layer::ALL.into_iter().map(layer).collect()),
    );
    say("Methods by the code of a request.", "METHODS: Readonly<Record<string, string>>", named(methods().collect()));
    say(
        "Measures that may become worse as the objective improves; *Find…* shows them beside it.",
        "PRICE: readonly string[]",
        json!(PRICE.map(replay::MetricName::name)),
    );
    let said = |policy: PolicyView| json!([policy, policy.said()]);
    say(
        "Policies with the core's words for each; tests compare the page's words with them.",
        "RULES_SAID: readonly (readonly [t.PolicyView, string])[]",
        each_rule().into_iter().map(said).collect(),
    );
    text
}

#[test]
fn export() {
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    let mut types = types();
    std::fs::write(folder.join("commands.ts"), commands(&mut types)).unwrap();
    let declarations = types.declarations().map(|(_, text)| format!("\n{text}"));
    std::fs::write(folder.join("types.ts"), HEAD.to_owned() + &declarations.collect::<String>()).unwrap();
    std::fs::write(folder.join("labels.ts"), labels()).unwrap();
}
