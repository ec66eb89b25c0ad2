//! Processor time and memory of the benchmark itself, as Linux tells them.

use std::fs;

/// Seconds of processor time of this process, all threads together.
pub fn processor() -> f64 {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let spent = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    spent.sum::<f64>() / 1e9
}

/// A line of `/proc/self/status`, in kB; 0 where there is none.
pub fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|l| l.strip_prefix(line)?.split_whitespace().next()?.parse().ok());
    value.unwrap_or(0)
}
