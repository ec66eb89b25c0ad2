//! Californium 3.14 in a Java virtual machine: the Maven project beside this file, compiled and run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Modes of `CoapConfig.CONGESTION_CONTROL_ALGORITHM` and our presets.
pub const MODES: [(&str, &str); 6] = [
    ("NULL", "coap_cf3"),
    ("COCOA", "cocoa_cf3"),
    ("COCOA_STRONG", "cocoa_strong_cf3"),
    ("BASIC_RTO", "basic_rto_cf3"),
    ("LINUX_RTO", "linux_rto_cf3"),
    ("PEAKHOPPER_RTO", "peak_hopper_cf3"),
];

/// Returns whether to run it; says so when not.
pub fn is_wanted() -> bool {
    let wanted = std::env::var_os("RTOSCOPE_CALIFORNIUM").is_some_and(|value| value == "1");
    if !wanted {
        needs::skip("optional: RTOSCOPE_CALIFORNIUM=1 with a JDK, Maven and the network");
    }
    wanted
}

/// The compiled project.
pub struct Java {
    class_path: String,
}

impl Java {
    /// Compiles it.
    pub fn compile() -> Self {
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("californium");
        let pom = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/californium/pom.xml");
        let maven = Command::new("mvn")
            .args(["--batch-mode", "--quiet", "--file"])
            .arg(pom)
            .arg(format!("-Ddriver.target={}", target.display()))
            .arg("compile")
            .output()
            .expect("Maven is installed");
        assert!(maven.status.success(), "mvn: {}", String::from_utf8_lossy(&maven.stdout));
        let libraries = std::fs::read_to_string(target.join("classpath")).expect("Maven wrote the class path");
        let separator = if cfg!(windows) { ';' } else { ':' };
        Self { class_path: format!("{}{separator}{}", target.join("classes").display(), libraries.trim()) }
    }

    /// Runs a class with its arguments on `input`; what it printed.
    pub fn run(&self, class: &[&str], input: String) -> String {
        let mut java = Command::new("java")
            .args(["-cp", &self.class_path])
            .args(class)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Java is installed");
        let mut stdin = java.stdin.take().expect("a pipe");
        // Both pipes fill up: write beside reading.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = java.wait_with_output().expect("Java ends");
        writer.join().expect("no panic").expect("Java reads everything");
        assert!(output.status.success(), "{class:?} failed: {}", output.status);
        String::from_utf8(output.stdout).expect("ASCII")
    }
}
