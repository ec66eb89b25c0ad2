//! `study run` on a cluster. The workers are those of Dask, which is Python: the package `rtoscope` for Python runs the
//! study, with the same core.

use super::RunArgs;
use crate::args::{Ended, Misuse};
use crate::numbers::whole;
use anyhow::Context as _;
use api::live::stop;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

/// Workers of a study, if not this process.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub struct ClusterArgs {
    /// Run on so many processes of this machine, one thread each: needs the package `rtoscope[cluster]` for Python.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1), conflicts_with = "threads")]
    pub local_cluster: Option<u16>,
    /// Run on the workers of a scheduler of Dask, such as tcp://10.0.0.1:8786.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "threads")]
    pub scheduler: Option<String>,
    /// Run on workers that Slurm starts; FILE is YAML with their number, memory and queue.
    #[arg(long, value_name = "FILE", conflicts_with = "threads")]
    pub slurm: Option<PathBuf>,
}

/// Environment variable that names the interpreter of Python.
const PYTHON: &str = "RTOSCOPE_PYTHON";
/// Name of the interpreter without that variable.
const USUAL: &str = if cfg!(windows) { "python" } else { "python3" };
/// Program that prints the version of the package's core.
const VERSION: &str = "import rtoscope._core as core; print(core.PROGRAM)";
/// Time between two looks for Ctrl-C. Chosen here: a person sees no delay.
const LOOK: Duration = Duration::from_millis(50);
/// Looks until a process that was to end is ended: ten seconds. Chosen here: Dask gives workers five to close.
const LOOKS: u32 = 200;

impl ClusterArgs {
    /// Words for the package, where one of the options is given.
    fn words(&self) -> Option<[OsString; 2]> {
        let word = |name: &str, value: OsString| Some([name.into(), value]);
        match self {
            Self { local_cluster: Some(workers), .. } => word("--local-cluster", workers.to_string().into()),
            Self { scheduler: Some(address), .. } => word("--scheduler", address.into()),
            Self { slurm: Some(file), .. } => word("--slurm", file.into()),
            _ => None,
        }
    }
}

/// Runs a study on a cluster, where `args` name one; returns whether they do. Fails where Python or the package is
/// missing, is of another version, and as the package does ([`Ended`]).
pub fn run(args: &RunArgs, out: &OsStr, program: &str) -> anyhow::Result<bool> {
    let Some(words) = args.cluster.words() else { return Ok(false) };
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| USUAL.into());
    check(&python, program)?;
    let asked = stop::asked().context("cannot wait for Ctrl-C")?;
    let mut command = Command::new(&python);
    command.args(["-m", "rtoscope.cluster", "--out"]).arg(out).args(words);
    command.args(args.again.then_some("--again")).args(args.quiet.then_some("--quiet"));
    let mut child = command.arg("--").arg(&args.study).spawn().context("the package rtoscope does not start")?;
    let status = wait(&mut child, || asked.load(Ordering::Relaxed))?;
    if status.success() {
        return Ok(true);
    }
    // The package has said why, if anything could.
    Err(Ended(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)).into())
}

/// Fails unless `python` has the package, in the version of this `program`: rows of two programs are not one study.
fn check(python: &OsStr, program: &str) -> anyhow::Result<()> {
    let shown = python.display();
    let remedy = format!(
        "`npm run python` makes the wheel, `{shown} -m pip install 'WHEEL[cluster]'` installs it; {PYTHON} names another Python"
    );
    let output = Command::new(python).args(["-c", VERSION]).output();
    let output = output
        .map_err(|error| Misuse(format!("a cluster needs Python, and {shown} does not start ({error}); {remedy}")))?;
    if !output.status.success() {
        return Err(Misuse(format!("a cluster needs the package rtoscope, which {shown} has not; {remedy}")).into());
    }
    let found = String::from_utf8_lossy(&output.stdout);
    if found.trim_end() != program {
        let found = found.trim_end();
        return Err(Misuse(format!(
            "{shown} has {found}, and this is {program}: install the wheel of the same commit; {remedy}"
        ))
        .into());
    }
    Ok(())
}

/// Waits for the end of `child`. Ctrl-C reaches it, too, as one of the terminal's group; where only this process is to
/// stop it has ten seconds.
fn wait(child: &mut Child, is_asked: impl Fn() -> bool) -> std::io::Result<ExitStatus> {
    let mut left = LOOKS;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if is_asked() {
            left = left.saturating_sub(1);
            if left == 0 {
                child.kill()?;
            }
        }
        thread::sleep(LOOK);
    }
}
