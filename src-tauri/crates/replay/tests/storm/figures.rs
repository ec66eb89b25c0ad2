//! Figures of the page as SVG, in the colours of the reader's theme.

use std::fmt::Write;

/// Exchanges of one behaviour: beginning in minutes, duration in seconds.
pub struct Series {
    pub name: &'static str,
    pub dots: Vec<(f64, f64)>,
}

/// A mean with its 90 % interval.
pub struct Bar {
    pub label: &'static str,
    pub mean: f64,
    pub range: (f64, f64),
}

/// Replicates of one timer, and the mean without a mechanism where that was asked.
pub struct Column {
    pub label: String,
    pub dots: Vec<f64>,
    pub without: Option<f64>,
}

const WIDTH: f64 = 720.0;
/// Classes of series, in order: vermillion, blue and bluish green of Okabe and Ito's palette (2008), which colour-blind
/// people tell apart.
const CLASSES: [&str; 3] = ["a", "b", "c"];

/// A drawing of `height` with `title` as its heading and text for readers of screens.
fn svg(title: &str, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" \
         font-family=\"Inter, sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"{title}\">\n\
         <style>\n\
         text {{ fill: #222 }} .grid {{ stroke: #ccc; fill: none }} .whisker {{ stroke: #222; stroke-width: 1.5; fill: none }}\n\
         path.a, path.b, path.c {{ stroke-linecap: round; stroke-width: 3.4; fill: none }}\n\
         .a {{ stroke: #d55e00; fill: #d55e00 }} .b {{ stroke: #0072b2; fill: #0072b2 }} .c {{ stroke: #009e73; fill: #009e73 }}\n\
         @media (prefers-color-scheme: dark) {{\n\
         text {{ fill: #ddd }} .grid {{ stroke: #444 }} .whisker {{ stroke: #ddd }} .b {{ stroke: #56b4e9; fill: #56b4e9 }}\n\
         }}\n\
         </style>\n\
         <text x=\"8\" y=\"18\" font-weight=\"600\">{title}</text>\n{body}</svg>\n"
    )
}

/// Places of `dots` as one path.
fn path(class: &str, dots: impl Iterator<Item = (f64, f64)>) -> String {
    let mut line = format!("<path class=\"{class}\" d=\"");
    for (x, y) in dots {
        write!(line, "M{x:.1} {y:.1}h0").unwrap();
    }
    line + "\"/>\n"
}

/// Horizontal lines with their numbers, every `step` up to `most`.
fn grid(most: f64, step: f64, (left, right): (f64, f64), y: impl Fn(f64) -> f64) -> String {
    let mut out = String::new();
    let mut value = 0.0;
    while value <= most {
        let at = y(value);
        writeln!(out, "<path class=\"grid\" d=\"M{left:.0} {at:.1}H{right:.0}\"/>").unwrap();
        writeln!(out, "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value:.0}</text>", left - 6.0, at + 4.0)
            .unwrap();
        value += step;
    }
    out
}

/// Durations over time, one panel a series, all with one scale.
pub fn course(title: &str, series: &[Series]) -> String {
    const PANEL: f64 = 120.0;
    const MINUTES: f64 = 30.0;
    let most = series.iter().flat_map(|one| &one.dots).map(|dot| dot.1).fold(0.0, f64::max);
    let (left, right) = (40.0, WIDTH - 10.0);
    let x = |minute: f64| left + (right - left) * minute / MINUTES;
    let mut body = String::new();
    for (number, (one, class)) in series.iter().zip(CLASSES).enumerate() {
        let bottom = 40.0 + (number as f64 + 1.0) * (PANEL + 24.0);
        let y = |seconds: f64| bottom - PANEL * seconds / most;
        body += &grid(most, 20.0, (left, right), y);
        body += &path(class, one.dots.iter().map(|&(minute, seconds)| (x(minute), y(seconds))));
        writeln!(body, "<text x=\"{left:.0}\" y=\"{:.0}\">{}, s</text>", bottom - PANEL - 8.0, one.name).unwrap();
    }
    let bottom = 40.0 + series.len() as f64 * (PANEL + 24.0);
    for minute in [0.0, 10.0, 20.0, 30.0] {
        let anchor = if minute < MINUTES { "middle" } else { "end" };
        writeln!(
            body,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"{anchor}\">{minute:.0} min</text>",
            x(minute),
            bottom + 18.0
        )
        .unwrap();
    }
    svg(title, bottom + 28.0, &body)
}

/// Bars with whiskers from 5 % to 95 % of replicates.
pub fn bars(title: &str, all: &[Bar]) -> String {
    const ROW: f64 = 26.0;
    let most = all.iter().map(|bar| bar.range.1).fold(0.0, f64::max);
    let left = 270.0;
    let x = |value: f64| left + (WIDTH - left - 50.0) * value / most;
    let mut body = String::new();
    for (number, Bar { label, mean, range }) in all.iter().enumerate() {
        let middle = 44.0 + ROW * number as f64;
        let class = if number == 0 { "a" } else { "b" };
        writeln!(body, "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{label}</text>", left - 8.0, middle + 4.0)
            .unwrap();
        let (top, width) = (middle - 8.0, x(*mean) - left);
        writeln!(body, "<rect class=\"{class}\" x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.1}\" height=\"16\" stroke=\"none\"/>").unwrap();
        writeln!(body, "<path class=\"whisker\" d=\"M{:.1} {middle:.0}H{:.1}\"/>", x(range.0), x(range.1)).unwrap();
        writeln!(body, "<text x=\"{:.1}\" y=\"{:.0}\">{mean:.1}</text>", x(range.1.max(*mean)) + 6.0, middle + 4.0)
            .unwrap();
    }
    svg(title, 44.0 + ROW * all.len() as f64, &body)
}

/// Strips of replicates, and dashes for the mean without a mechanism.
pub fn columns(title: &str, all: &[Column]) -> String {
    const HEIGHT: f64 = 240.0;
    let most = all.iter().flat_map(|column| &column.dots).copied().fold(0.0, f64::max);
    let (left, right, bottom) = (40.0, WIDTH - 10.0, 40.0 + HEIGHT);
    let y = |value: f64| bottom - HEIGHT * value / most;
    let width = (right - left) / all.len() as f64;
    let mut body = grid(most, 5.0, (left, right), y);
    for (number, column) in all.iter().enumerate() {
        let middle = left + width * (number as f64 + 0.5);
        // Spread sideways by number, so that equal ones are seen.
        let spread = |at: usize| middle + ((at * 7) % 15) as f64 * 1.6 - 11.2;
        let class = if column.without.is_some() { "a" } else { "c" };
        body += &path(class, column.dots.iter().enumerate().map(|(at, &value)| (spread(at), y(value))));
        if let Some(without) = column.without {
            let at = y(without);
            writeln!(body, "<path class=\"b\" d=\"M{:.1} {at:.1}h32\"/>", middle - 16.0).unwrap();
        }
        writeln!(
            body,
            "<text x=\"{middle:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            column.label
        )
        .unwrap();
    }
    svg(title, bottom + 28.0, &body)
}
