//! `watch`: follows a capture that goes on, and prints alerts when a rule is met.

mod files;
mod form;
mod hook;
mod serve;
mod state;

use crate::args::{CaptureArgs, Misuse, OutFile, TextFormat};
use crate::{captures, output};
use anyhow::Context as _;
use api::live::stop;
use api::watch::{Options, Rule, Watch, WatchError};
use api::{Assumptions, Span, rules_of_file};
use files::{Files, Look};
use hook::Hook;
use serve::Endpoint;
use state::Saved;
use std::ffi::OsString;
use std::io::Write;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Time between two looks at the files. Chosen here: a person sees no delay, and a processor no load.
const LOOK: Duration = Duration::from_millis(250);

/// Looks without news after which the state is saved (one second), and new octets after which it is saved in any case;
/// it is also saved after each output. Chosen here: after a power cut at most 64 MiB are read again, which takes
/// moments, and the disk is asked seldom.
const SAVE_LOOKS: u32 = 4;
const SAVE_OCTETS: u64 = 64 << 20;

/// `watch`
#[derive(clap::Args, Debug)]
#[command(mut_arg("files", |files| files.help("Capture as pcap or pcapng, or a folder of them, in which they come. `-`: standard input")))]
pub struct WatchArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Rule of an alert (repeatable): `needless > 20% for 5min`, `timer-changed`,
    /// `parent-changed then storm within 10min`. docs/watch.md has the grammar.
    #[arg(long = "alert", value_name = "RULE")]
    pub alerts: Vec<String>,
    /// Such rules in a TOML file, as `[[alert]]` with `when` and `name`.
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// Form of what is said: lines of text, or an object on each line.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextFormat,
    /// Say each exchange too, when it is over.
    #[arg(long)]
    pub exchanges: bool,
    /// Serve sums and alerts to Prometheus at this address of this machine.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = serve::address)]
    pub prometheus: Option<SocketAddr>,
    /// Run this program for each alert, which is on its standard input as a JSON object. It gets no arguments.
    #[arg(long, value_name = "PROGRAM")]
    pub exec: Option<OsString>,
    /// State file, read at the start, so that a watch goes on after a restart.
    #[arg(long, value_name = "FILE")]
    pub state: Option<OutFile>,
    /// Time after its start at which an exchange is counted, in seconds or with a unit; in less than 247 s late replies
    /// and copies are missed.
    #[arg(long, value_name = "TIME", default_value = "247s", value_parser = api::read_span)]
    pub delay: Span,
    /// End at the end of the file instead of waiting for more.
    #[arg(long)]
    pub to_end: bool,
}

/// Watches until Ctrl-C, or with `--to-end` until the end. Fails on wrong options or rules, a state of another capture,
/// files that cannot be read, and output that cannot be written.
pub fn watch(args: &WatchArgs) -> anyhow::Result<()> {
    let [path] = &args.capture.files[..] else {
        return Err(Misuse("watch takes one capture, or one folder of them".to_owned()).into());
    };
    let state = match &args.state {
        Some(place) => Some(place.path().ok_or_else(|| Misuse("the state is kept in a file".to_owned()))?),
        None => None,
    };
    if args.to_end && path.as_os_str() != "-" {
        // Nothing would be said of a name that was mistyped, which reads as if nothing were wrong.
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    if state.is_some() && path.as_os_str() == "-" {
        return Err(Misuse("standard input cannot be read again: --state needs a file".to_owned()).into());
    }
    if state.and_then(Path::parent).is_some_and(|folder| path.is_dir() && api::is_same_file(folder, path)) {
        return Err(Misuse("the state is kept in another folder than the one that is watched".to_owned()).into());
    }
    let (options, rules) = (options(args)?, rules(args)?);
    let saved = state.map(|state| Saved::read(state, path)).transpose()?.flatten();
    let (files, watch) = match saved {
        Some(Saved { files, watch, .. }) => {
            (Files::resume(path, files, watch.place())?, Watch::resume(options, rules, watch)?)
        }
        None => (Files::new(path)?, Watch::new(options, rules)),
    };
    let endpoint = args.prometheus.map(Endpoint::open).transpose()?;
    if let Some(endpoint) = endpoint.as_ref().filter(|_| !args.capture.quiet) {
        output::say(&format!("metrics at http://{}/metrics", endpoint.address()));
    }
    let hook = args.exec.clone().map(Hook::new);
    if !path.exists() && path.as_os_str() != "-" && !args.capture.quiet {
        output::say(&format!("waiting for {}, which is not there yet", path.display()));
    }
    let asked = stop::asked()?;
    output::octets(None, |sink| {
        let mut run = Run { args, sink, watch, files, endpoint, hook, asked: &asked, unsaved: 0, idle: 0 };
        run.run()
    })
}

fn options(args: &WatchArgs) -> anyhow::Result<Options> {
    let reading = captures::reading(&args.capture)?;
    let mut assumptions = Assumptions::default();
    let of_one = || Misuse("watch assumes of all clients, not of one: they come and go".to_owned());
    for assumed in &args.capture.vantages {
        assumptions.all.vantage = Some(assumed.value.vantage());
        assumed.client.is_none().then_some(()).ok_or_else(of_one)?;
    }
    for assumed in &args.capture.workloads {
        assumptions.all.workload = assumed.value.workload();
        assumed.client.is_none().then_some(()).ok_or_else(of_one)?;
    }
    Ok(Options {
        import: reading.import,
        decode: reading.decode,
        assumptions,
        delay: args.delay,
        lists_exchanges: args.exchanges,
        ..Options::default()
    })
}

fn rules(args: &WatchArgs) -> anyhow::Result<Vec<Rule>> {
    let misuse = |error: api::watch::RuleError| Misuse(error.to_string());
    let mut rules = Vec::new();
    if let Some(path) = &args.rules {
        let of_file = rules_of_file(&captures::read_text(path)?);
        rules.extend(of_file.map_err(|error| Misuse(format!("{}: {error}", path.display())))?);
    }
    for text in &args.alerts {
        rules.push(Rule::read(text).map_err(misuse)?);
    }
    if let Err((at, error)) = api::watch::distinct(&rules) {
        let text = rules.get(at).map_or("", |rule| rule.text.as_str());
        return Err(Misuse(format!("`{text}`: {error}")).into());
    }
    Ok(rules)
}

/// A watch and everything that it speaks to.
struct Run<'a> {
    args: &'a WatchArgs,
    sink: &'a mut dyn Write,
    watch: Watch,
    files: Files,
    endpoint: Option<Endpoint>,
    hook: Option<Hook>,
    asked: &'a AtomicBool,
    /// Octets read since the state was saved.
    unsaved: u64,
    /// Number of looks since the state was saved in which nothing was new.
    idle: u32,
}

impl Run<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let mut buffer = vec![0; 1 << 18];
        let mut is_end = false;
        while !is_end && !self.asked.load(Ordering::Relaxed) {
            match self.files.look(&mut buffer)? {
                Look::Octets(n) => {
                    self.unsaved += n as u64;
                    let octets = buffer.get(..n).unwrap_or_default();
                    self.go_on(|watch, progress| watch.push(octets, progress))?;
                }
                Look::File { is_known } => {
                    if !is_known {
                        self.watch.forget_known();
                    }
                    self.watch.begin_file();
                }
                Look::Nothing if self.args.to_end => is_end = true,
                Look::Nothing => {
                    self.idle += 1;
                    thread::sleep(LOOK);
                }
                Look::End => is_end = true,
            }
            for line in self.files.take_words() {
                output::say(&line);
            }
            if self.say()? || self.unsaved >= SAVE_OCTETS || self.unsaved > 0 && self.idle >= SAVE_LOOKS {
                self.save()?;
            }
            self.show();
            if let Some(hook) = &mut self.hook {
                hook.look();
            }
        }
        // A saved state goes on: exchanges that are open wait for the next start.
        if is_end || self.args.state.is_none() {
            self.watch.finish(&mut api::Silent)?;
        }
        self.say()?;
        self.save()?;
        self.show();
        if let Some(hook) = &mut self.hook {
            hook.end(LOOK);
            hook.failures().iter().for_each(|line| output::say(line));
        }
        if !self.args.capture.quiet {
            output::say_lines(&form::closing(&self.watch));
        }
        Ok(())
    }

    /// Runs one step of the watch, which Ctrl-C may stop; a stopped step is no error. Fails where the octets are no
    /// capture.
    fn go_on(
        &mut self,
        step: impl FnOnce(&mut Watch, &mut dyn api::Progress) -> Result<(), WatchError>,
    ) -> anyhow::Result<()> {
        let asked = self.asked;
        let mut progress = |_, _| match asked.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        match step(&mut self.watch, &mut progress) {
            Ok(()) | Err(WatchError::Cancelled) => Ok(()),
            Err(WatchError::Import(error)) => Err(anyhow::anyhow!("{}: {error}", self.files.name())),
        }
    }

    /// Prints new exchanges, alerts and notes, and hands alerts to the program of `--exec`; returns whether there were
    /// exchanges or alerts.
    fn say(&mut self) -> anyhow::Result<bool> {
        let is_json = self.args.format == TextFormat::Json;
        let mut is_new = false;
        for exchange in self.watch.take_exchanges() {
            let object = form::exchange_object(&exchange);
            let line = if is_json { form::line(&object) } else { form::exchange_line(&exchange) };
            writeln!(self.sink, "{line}")?;
            is_new = true;
        }
        for alert in self.watch.take_alerts() {
            let object = form::line(&form::alert_object(&alert));
            let line = if is_json { object.clone() } else { form::alert_line(&alert) };
            writeln!(self.sink, "{line}")?;
            if let Some(hook) = &mut self.hook {
                hook.tell(object);
            }
            is_new = true;
        }
        if is_new {
            self.sink.flush()?;
        }
        for note in self.watch.take_notes() {
            if !self.args.capture.quiet {
                output::say(&format!("note: {note}"));
            }
        }
        Ok(is_new)
    }

    fn save(&mut self) -> anyhow::Result<()> {
        (self.unsaved, self.idle) = (0, 0);
        let Some(place) = self.args.state.as_ref().and_then(OutFile::path) else { return Ok(()) };
        let state = self.watch.state();
        self.files.forget_before(state.place().file);
        Saved::write(place, &self.args.capture.files, self.files.known(), state)
    }

    fn show(&self) {
        if let Some(endpoint) = &self.endpoint {
            let failures = self.hook.as_ref().map_or(0, Hook::failed);
            endpoint.show(form::metrics(&self.watch, failures));
        }
    }
}
