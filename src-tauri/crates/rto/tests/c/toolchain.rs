//! C compilers of this machine, and the folder that they work in.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of one test, removed with it.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rtoscope-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0);
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The host's gcc.
pub struct Gcc {
    /// True where it has the sanitizer for undefined behaviour.
    sanitizes: bool,
}

/// The host's gcc; skips the test without.
pub fn gcc() -> Option<Gcc> {
    let runs = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !runs(Command::new("gcc").arg("--version")) {
        needs::skip("gcc (Debian: apt install gcc)");
        return None;
    }
    let folder = Folder::new("c-sanitizer");
    folder.write("main.c", "int main(void) { return 0; }\n");
    let sanitizes = runs(folder.command("gcc").args(["-fsanitize=undefined", "main.c"]));
    Some(Gcc { sanitizes })
}

impl Gcc {
    /// Compiles `main.c` with `name.c`, and returns what the program prints when it reads `script`.
    pub fn run(&self, folder: &Folder, name: &str, ticks: u32, script: &str) -> String {
        let mut command = folder.command("gcc");
        command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o", "timer"]);
        command.arg(format!("-D{}_TICKS_PER_SECOND={ticks}", name.to_uppercase()));
        if self.sanitizes {
            command.args(["-fsanitize=undefined", "-fno-sanitize-recover=all"]);
        }
        let compiled = command.args(["main.c", &format!("{name}.c")]).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let mut child = Command::new(folder.0.join("timer"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A child that ends early closes the pipe; its output says why.
            scope.spawn(move || drop(input.write_all(script.as_bytes())));
            child.wait_with_output().unwrap()
        });
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// A compiler whose code is measured.
#[derive(Clone, Copy)]
pub struct Compiler {
    pub name: &'static str,
    program: &'static str,
    package: &'static str,
    args: &'static [&'static str],
    sizes: Sizes,
}

/// Source of the octets of code.
#[derive(Clone, Copy)]
enum Sizes {
    /// This program of binutils, asked for an object file.
    Binutils(&'static str),
    /// Areas of sdcc's own object files.
    Areas,
}

/// The compiler of this machine, as small as the others make it.
pub const HOST: Compiler = Compiler {
    name: "gcc of this machine",
    program: "gcc",
    package: "gcc",
    args: &["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Os", "-c"],
    sizes: Sizes::Binutils("size"),
};

pub const ARM: Compiler = Compiler {
    name: "arm-none-eabi-gcc, Cortex-M0",
    program: "arm-none-eabi-gcc",
    package: "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    args: &["-mcpu=cortex-m0", "-mthumb", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Os", "-c"],
    sizes: Sizes::Binutils("arm-none-eabi-size"),
};

pub const SDCC: Compiler = Compiler {
    name: "sdcc, STM8",
    program: "sdcc",
    package: "sdcc",
    // 110 and 126: a condition on a constant, of which the optimizer took out a branch.
    args: &[
        "-mstm8",
        "--std-c11",
        "--Werror",
        "--disable-warning",
        "110",
        "--disable-warning",
        "126",
        "--opt-code-size",
        "-c",
    ],
    sizes: Sizes::Areas,
};

impl Compiler {
    /// The compiler where it is installed; skips the test without.
    pub fn find(self) -> Option<Self> {
        if Command::new(self.program).arg("--version").output().is_ok() {
            return Some(self);
        }
        needs::skip(format_args!("{} (Debian: apt install {})", self.program, self.package));
        None
    }

    /// Compiles `name.c`; returns the octets of code and constants.
    pub fn compile(self, folder: &Folder, name: &str) -> usize {
        let output = folder.command(self.program).args(self.args).arg(format!("{name}.c")).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let object = |ending: &str| folder.0.join(format!("{name}.{ending}"));
        match self.sizes {
            Sizes::Binutils(program) => {
                // Columns text, data, bss; constants are in text.
                let sizes = Command::new(program).arg(object("o")).output().unwrap();
                let table = String::from_utf8(sizes.stdout).unwrap();
                table.lines().nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap()
            }
            Sizes::Areas => {
                // `A CODE size 2A4 flags 0 addr 0`, one line an area.
                let text = fs::read_to_string(object("rel")).unwrap();
                let size = |line: &str| {
                    let words: Vec<&str> = line.split(' ').collect();
                    let code = words.first() == Some(&"A") && matches!(words.get(1), Some(&("CODE" | "CONST")));
                    code.then(|| usize::from_str_radix(words[3], 16).unwrap())
                };
                text.lines().filter_map(size).sum()
            }
        }
    }
}
