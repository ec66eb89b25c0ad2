//! The command line that writes the numbers of a figure again: the same octets as the window writes.

use super::recipe;
use super::settings::Settings;
use crate::opened::samples::samples;
use crate::session::file::decode_of;
use crate::shell::{self, quoted};
use crate::view::{
    AlgorithmChoice, FcsKind, FigureCapture, FigureLine, FigureRequest, PartView, SessionDecode, WorkloadKind,
};
use crate::{Error, Opened, SampleFile, Session};
use base::{AssociationId, Instant, Span};
use serde_json::{Map, Value};
use std::sync::Arc;
use trace::{DecodeOptions, ImportOptions};

/// Arguments of a command line; or the reason why there is none.
type Arguments = Result<Vec<String>, String>;

/// A capture of the figure.
struct Source<'a> {
    asked: &'a FigureCapture,
    opened: Arc<Opened>,
    sample: Option<&'static SampleFile>,
}

impl Session {
    /// Returns the command line that writes the numbers of a figure again.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for an unknown recipe or switch, [`crate::Code::Gone`] where a capture is not open.
    pub fn figure_line(&self, request: &FigureRequest) -> Result<FigureLine, Error> {
        let recipe = recipe(&request.recipe)?;
        let settings = Settings::read((recipe.params)(), &request.params)?;
        let source = |asked| -> Result<Source<'_>, Error> { Ok(Source::of(asked, self.capture(asked.capture)?)) };
        let sources: Vec<Source<'_>> = request.captures.iter().map(source).collect::<Result<_, _>>()?;
        let mut beside = Vec::new();
        Ok(match words(self, request, &settings, &sources, &mut beside) {
            Ok(words) => FigureLine {
                command: Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
                notes: beside,
            },
            Err(why) => FigureLine { command: None, notes: vec![why] },
        })
    }
}

fn words(
    session: &Session,
    request: &FigureRequest,
    settings: &Settings,
    sources: &[Source<'_>],
    beside: &mut Vec<String>,
) -> Arguments {
    if sources.is_empty() {
        return Err("A line needs a capture.".to_owned());
    }
    let mut line = vec!["rtoscope".to_owned(), "figure".to_owned(), request.recipe.clone()];
    line.extend(files(sources)?);
    line.extend(decoding(sources, beside)?);
    line.extend(said(sources)?);
    line.extend(names(sources));
    line.extend(tags(sources, settings)?);
    line.extend(switches(&request.params));
    let algorithm_set = session.algorithm_set();
    if request.algorithms.iter().any(|choice| algorithm_set.user().iter().any(|mine| mine.id == choice.id)) {
        line.extend(["--presets", "presets.toml"].map(str::to_owned));
        beside.push("presets.toml: the presets of your own that are shown.".to_owned());
    }
    for choice in &request.algorithms {
        line.extend(["--algorithm".to_owned(), algorithm(choice)?]);
    }
    line.extend(["--channel".to_owned(), dashed(&request.channel.id())]);
    if request.workload != WorkloadKind::Auto {
        line.extend(["--workload".to_owned(), dashed(&request.workload.id())]);
    }
    line.extend([
        "--seed".to_owned(),
        request.seed.to_string(),
        "--replicates".to_owned(),
        request.replicates.to_string(),
    ]);
    line.extend(parts(sources)?);
    for (rule, value) in request.policy.given() {
        line.push(format!("--{}", dashed(rule.spec.name)));
        line.extend(match (rule.spec.unit, &value) {
            (_, Value::Bool(_)) => None,
            (rto::Unit::Seconds, value) => Some(seconds(Span::from_nanos(value.as_i64().unwrap_or_default()))),
            (_, Value::String(text)) => Some(text.clone()),
            (_, value) => Some(value.to_string()),
        });
    }
    if sources.iter().any(|source| source.asked.nodes.iter().any(|node| node.name.is_some())) {
        beside.push("The table of this line has the names of the captures, not those that you gave nodes.".to_owned());
    }
    line.extend(["--format".to_owned(), "csv".to_owned(), "--out".to_owned(), format!("{}.csv", request.recipe)]);
    Ok(line)
}

impl<'a> Source<'a> {
    fn of(asked: &'a FigureCapture, opened: Arc<Opened>) -> Self {
        let bundled = opened.files.first().filter(|file| file.path.is_none());
        let sample = bundled.and_then(|file| samples().iter().find(|sample| sample.file == file.name));
        Self { asked, opened, sample }
    }

    /// Returns the name that the command line gives the capture without `--name`.
    fn usual_name(&self) -> &str {
        &self.opened.trace.capture.name
    }

    /// Returns the decode options of the capture when the command line has `flags`.
    fn read_with(&self, flags: &SessionDecode) -> SessionDecode {
        let usual = DecodeOptions::default().rc_option;
        // A bundled capture knows the number of its option.
        let own = self.sample.and_then(|sample| sample.rc_option).filter(|_| flags.rc_option == Some(usual));
        SessionDecode { rc_option: own.or(flags.rc_option), ..flags.clone() }
    }
}

/// Returns the words of the files: `sample:ID`, or the name of the file; with its folder where two have one name.
fn files(sources: &[Source<'_>]) -> Arguments {
    let name = |source: &Source<'_>| match (&source.sample, &source.opened.files[..]) {
        (Some(sample), _) => Ok((format!("sample:{}", sample.id), None)),
        (None, [file]) => Ok((shell::file(&file.name), file.path.as_deref().map(shell::file))),
        (None, []) => Err(format!("{} is in no file yet.", source.asked.name)),
        (None, _) => {
            let merged =
                format!("{} was merged from several files; the command line merges for one", source.asked.name);
            Err(format!("{merged} capture only: save the merged capture as pcapng, and open that."))
        }
    };
    let all: Vec<(String, Option<String>)> = sources.iter().map(name).collect::<Result<_, _>>()?;
    let is_twin = |name: &String| all.iter().filter(|(other, _)| other == name).count() > 1;
    Ok(all.iter().map(|(name, path)| path.clone().filter(|_| is_twin(name)).unwrap_or_else(|| name.clone())).collect())
}

/// Returns the options that read captures as in the window; `beside` takes sentences about files that they need.
fn decoding(sources: &[Source<'_>], beside: &mut Vec<String>) -> Arguments {
    let usual = DecodeOptions::default();
    let ratio = ImportOptions::default().unpack_ratio;
    let none = SessionDecode {
        fcs: FcsKind::Auto,
        ports: usual.ports.clone(),
        rc_option: Some(usual.rc_option),
        contexts: Vec::new(),
        keys: 0,
        addresses: Vec::new(),
        unpack_ratio: Some(ratio),
    };
    let read: Vec<SessionDecode> = sources.iter().map(|source| decode_of(&source.opened)).collect();
    let are_read_with =
        |flags: &&SessionDecode| sources.iter().zip(&read).all(|(source, read)| source.read_with(flags) == *read);
    let flags = [&none].into_iter().chain(&read).find(are_read_with);
    let flags = flags.ok_or("The captures were not all read in the same way, and one line reads all alike.")?;
    let mut line = Vec::new();
    let mut say = |option: &str, value: String| line.extend([option.to_owned(), value]);
    if flags.ports != none.ports {
        flags.ports.iter().for_each(|port| say("--port", port.to_string()));
    }
    if let Some(number) = flags.rc_option.filter(|&number| number != usual.rc_option) {
        say("--rc-option", number.to_string());
    }
    flags.contexts.iter().for_each(|context| say("--context", context.clone()));
    if flags.fcs != FcsKind::Auto {
        say("--fcs", flags.fcs.id());
    }
    if flags.keys > 0 {
        say("--key-file", "keys.txt".to_owned());
        beside.push(
            "keys.txt: the keys that the captures were read with, one on a line; they are not written anywhere."
                .to_owned(),
        );
    }
    flags.addresses.iter().for_each(|address| say("--address", address.clone()));
    if let Some(times) = flags.unpack_ratio.filter(|&times| times != ratio) {
        say("--unpack-ratio", times.to_string());
    }
    Ok(line)
}

/// Returns the options for the assumptions about vantages, workloads and stacks.
fn said(sources: &[Source<'_>]) -> Arguments {
    let said: Vec<_> = sources.iter().map(|source| crate::opened::assumed_of(&source.opened.trace)).collect();
    let Some((first, rest)) = said.split_first() else { return Ok(Vec::new()) };
    // With several captures another client may have the same number.
    let is_of_one = first.iter().any(|said| said.association.is_some());
    if rest.iter().any(|other| other != first || is_of_one) {
        return Err(
            "Vantages, workloads or stacks were set by hand, differently in several captures; one line says one thing of all."
                .to_owned(),
        );
    }
    let mut line = Vec::new();
    for assumed in first {
        let client = match assumed.association {
            None => String::new(),
            Some(id) => format!("{}=", number(sources.first().map(|source| &*source.opened), id)?),
        };
        if let Some(vantage) = assumed.vantage {
            line.extend(["--assume-vantage".to_owned(), format!("{client}{}", dashed(&vantage.id()))]);
        }
        if let Some(workload) = assumed.workload {
            line.extend(["--assume-workload".to_owned(), format!("{client}{}", dashed(&workload.id()))]);
        }
        line.extend(assumed.stack.iter().flat_map(|stack| ["--stack".to_owned(), stack.clone()]));
    }
    Ok(line)
}

fn names(sources: &[Source<'_>]) -> Vec<String> {
    let name = |(index, source): (usize, &Source<'_>)| {
        let is_told = source.asked.name != source.usual_name();
        is_told.then(|| ["--name".to_owned(), format!("{}:{}", index + 1, source.asked.name)])
    };
    sources.iter().enumerate().filter_map(name).flatten().collect()
}

/// Returns the options for the tags that this figure uses: others do not show. One that is missing is given as empty,
/// since names of files and folders propose some.
fn tags(sources: &[Source<'_>], settings: &Settings) -> Arguments {
    let mut keys = vec![settings.choice("group"), settings.choice("x")];
    keys.retain(|key| !["", "capture", "clients"].contains(key));
    keys.dedup();
    let mut line = Vec::new();
    for key in keys {
        if key.contains('=') {
            return Err(format!("The tag `{key}` has an equals sign in its name, which no line can say."));
        }
        for (index, source) in sources.iter().enumerate() {
            let value = source.asked.tags.get(key).map_or("", String::as_str);
            line.extend(["--tag".to_owned(), format!("{}:{key}={value}", index + 1)]);
        }
    }
    Ok(line)
}

fn switches(params: &Map<String, Value>) -> Vec<String> {
    let switch = |(name, value): (&String, &Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        ["--set".to_owned(), format!("{name}={value}")]
    };
    params.iter().flat_map(switch).collect()
}

/// Returns a timer as `NAME[:key=value,...]`.
fn algorithm(choice: &AlgorithmChoice) -> Result<String, String> {
    let text = |(name, value): (&String, &Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name}={value}")
    };
    let params: Vec<String> = choice.params.iter().map(text).collect();
    if params.is_empty() {
        return Ok(choice.id.clone());
    }
    let params = params.join(",");
    let again = rto::parse_overrides(&params);
    let wrong = || format!("The parameters of {} cannot be written in a line.", choice.id);
    again.ok().filter(|again| again.as_object() == Some(&choice.params)).ok_or_else(wrong)?;
    Ok(format!("{}:{params}", choice.id))
}

/// Returns the options for the clients that stay as recorded and the beginning of replays.
fn parts(sources: &[Source<'_>]) -> Arguments {
    let of_one = sources.len() == 1;
    let (mut stays, mut starts, mut cold) = (Vec::new(), Vec::new(), Vec::new());
    for (index, source) in sources.iter().enumerate() {
        let place = if of_one { String::new() } else { format!("{}:", index + 1) };
        let PartView { as_recorded, start } = &source.asked.part;
        for client in clients(&source.opened, as_recorded)? {
            stays.push(format!("{place}{client}"));
        }
        if let Some(start) = start {
            starts.extend(["--from".to_owned(), format!("{place}{}", seconds(start.at - Instant::ZERO))]);
            if !start.warm {
                cold.push((index + 1).to_string());
            }
        }
    }
    let mut line = Vec::new();
    if !stays.is_empty() {
        line.extend(["--as-recorded".to_owned(), stays.join(",")]);
    }
    line.extend(starts);
    if !cold.is_empty() {
        line.push(if of_one { "--cold".to_owned() } else { format!("--cold={}", cold.join(",")) });
    }
    Ok(line)
}

/// Returns associations by the names of their clients where these say the same, else by their numbers.
fn clients(opened: &Opened, stays: &[AssociationId]) -> Arguments {
    let all = &opened.trace.associations;
    let mut said: Vec<String> = Vec::new();
    for &id in stays {
        let name = all.get(id.index()).map_or("", |association| &*association.client_name);
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || " -_.".contains(c));
        let is_all = all.iter().filter(|other| other.client_name == name).all(|other| stays.contains(&other.id));
        let client = if is_word && is_all { name.to_owned() } else { number(Some(opened), id)? };
        if !said.contains(&client) {
            said.push(client);
        }
    }
    Ok(said)
}

/// Returns the number of an association, which the command line reads where no client is called so.
fn number(opened: Option<&Opened>, id: AssociationId) -> Result<String, String> {
    let number = id.to_string();
    let mut all = opened.into_iter().flat_map(|opened| &opened.trace.associations);
    if all.any(|association| association.client_name == number) {
        return Err(format!("A client is called {number}, as is the number of another."));
    }
    Ok(number)
}

/// Returns a time in seconds with every digit: `331.5`.
fn seconds(span: Span) -> String {
    let nanos = span.nanos();
    let text = format!("{}.{:09}", nanos / 1_000_000_000, nanos.unsigned_abs() % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn dashed(name: &str) -> String {
    name.replace('_', "-")
}
