//! Requests and replies about figures: recipes, captures with their tags, marks, tables.
//!
//! A figure crosses as marks in data units; their place on the page and their look are decided by the plot layer. Times
//! are seconds here: figures are read in seconds. Shares are per cent on axes and in tables.

use crate::view::{AlgorithmChoice, CaptureId, ChannelKind, PartView, PolicyView, SessionNode, WorkloadKind};
use rto::ParamSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A figure that can be drawn, described as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecipeSpec {
    /// Name on the command line; it never changes.
    pub id: &'static str,
    /// Title of the figure, for people.
    pub title: &'static str,
    /// Content of the figure, in one sentence.
    pub about: &'static str,
    /// Figures of the literature that it reproduces, with their study.
    pub reproduces: &'static str,
    /// Switches of the figure, in the order of forms.
    pub params: Vec<ParamSpec>,
}

choice! {
    /// Scale of an axis.
    pub enum AxisKind {
        /// Names, at 0, 1, 2 …
        Category,
        /// Linear: equal steps.
        Linear,
        /// Logarithmic: equal ratios.
        Log,
    }
    /// Shape of a dot.
    pub enum DotShape {
        /// A small disc.
        Dot,
        /// A cross of two strokes.
        Cross,
        /// A triangle.
        Triangle,
        /// A hollow ring.
        Ring,
    }
    /// Dash pattern of a line. Lines of one series differ by it.
    pub enum LineLook {
        /// Colour and dash of the series.
        Series,
        /// Colour and dash of the series, in steps.
        Step,
        /// Solid ink: a share on the right axis, for example.
        Ink,
        /// Dashed ink.
        InkDashed,
        /// Thin and grey: joins points.
        Thin,
    }
}

view! {
    /// A capture of a figure, with its name and tags there.
    pub struct FigureCapture {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Name in the figure.
        pub name: String,
        /// Values of tags by key: `nodes`, `load`, `topology`, `mac`, `preset`, and free keys.
        pub tags: BTreeMap<String, String>,
        /// Clients that are replayed, and the time from which the figure measures; absent: all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Names that the reader gave nodes; places in it have no effect.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<SessionNode>>", optional))]
        pub nodes: Vec<SessionNode>,
    }

    /// Request: draw a figure.
    pub struct FigureRequest {
        /// Name of the recipe ([`RecipeSpec::id`]).
        pub recipe: String,
        /// Captures, at most 64.
        pub captures: Vec<FigureCapture>,
        /// Algorithms to replay beside the recorded behaviour, at most 64.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Values of switches that are not at their defaults, by name.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
        /// Channel model, which decides the fates of copies.
        pub channel: ChannelKind,
        /// Workload model, which decides when applications would have sent.
        pub workload: WorkloadKind,
        /// Seed of every random draw.
        pub seed: u32,
        /// Number of replicates, 1..=10000.
        pub replicates: u32,
        /// Other rules of the sender and the server.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Command line that writes the numbers of a figure again.
    pub struct FigureLine {
        /// Line for a POSIX shell, to be run beside the captures; null where no line says all of the request.
        pub command: Option<String>,
        /// Files that have to lie beside the captures; or the reason why there is no line. A sentence each.
        pub notes: Vec<String>,
    }

    /// Request: write a figure's table to a file.
    pub struct FigureTableRequest {
        /// Figure whose table is written.
        pub figure: FigureRequest,
        /// Format of the file: `csv`, `parquet`, `json`, `latex` or `markdown`.
        pub format: String,
        /// Path of the file; an existing one is replaced, unless the session has read it.
        pub path: String,
    }

    /// Request: write a picture that the page drew.
    pub struct PictureRequest {
        /// Path of the file, `*.svg` or `*.png`; an existing one is replaced, unless the session has read it.
        pub path: String,
        /// Content: SVG as text, PNG as hexadecimal digits, two an octet.
        pub content: String,
    }

    /// A proposed tag of a capture.
    pub struct TagView {
        /// Key of the tag: `nodes`, `load`, `topology`, `mac` or `preset`.
        pub key: String,
        /// Value of the tag; of `load`, exchanges started per second with two significant digits.
        pub value: String,
        /// Source of the value, for people.
        pub why: String,
    }

    /// A series: one behaviour of one group of captures.
    pub struct FigureSeries {
        /// Name for people: behaviour, and group where there are several.
        pub name: String,
        /// Name of the behaviour alone.
        pub behaviour: String,
        /// Name of the group of captures alone.
        pub captures: String,
        /// Preset id of the algorithm; null for the recorded behaviour.
        pub algorithm: Option<String>,
        /// Position in the list of all algorithms, from 0, which decides the colour; null for the recorded behaviour.
        pub order: Option<u32>,
        /// 0 for a preset as published; settings of one preset with other parameters count from 1. In figures of
        /// studies the settings of one algorithm count from 0.
        pub variant: u32,
        /// Position of the group, from 0: the first is solid, others are fainter.
        pub group: u32,
        /// Hatched or dashed: a reading of an incomplete source (rank C).
        pub reading: bool,
    }

    /// An axis of a panel: quantity, unit, scale and ends.
    pub struct AxisView {
        /// Name of the quantity, for people.
        pub label: String,
        /// Unit of the axis: `s`, `%`, `1/s`, …; empty: none.
        pub unit: String,
        /// Scale of the axis.
        pub kind: AxisKind,
        /// Names along a category axis, from position 0; else empty.
        pub categories: Vec<String>,
        /// Lower end, in the unit of the axis; null: that of the data.
        pub low: Option<f64>,
        /// Upper end, in the unit of the axis; null: that of the data.
        pub high: Option<f64>,
    }

    /// A panel of a figure.
    pub struct PanelView {
        /// Title of the panel, for people.
        pub title: String,
        /// Definition of what is drawn, as a subtitle: statistic, intervals, captures.
        pub rule: String,
        /// Horizontal axis of the marks.
        pub x: AxisView,
        /// Vertical axis of the marks.
        pub y: AxisView,
        /// Second vertical axis, for lines with `right`; null: none.
        pub right: Option<AxisView>,
        /// Marks in drawing order.
        pub marks: Vec<MarkView>,
        /// Entries for shapes and lines that no series explains.
        pub key: Vec<KeyView>,
        /// Number of a set of panels that have the same axes, to be compared by eye; null: axes of its own.
        pub axes: Option<u32>,
    }

    /// Entry of a panel's key: a text with a dot or a line.
    pub struct KeyView {
        /// Meaning of the dot or line.
        pub text: String,
        /// Shape of the dot; null: a line.
        pub dot: Option<DotShape>,
        /// Look of the line; null: a dot.
        pub line: Option<LineLook>,
    }

    /// Numbers of a figure as a table.
    pub struct FigureTable {
        /// Headings of the columns.
        pub columns: Vec<String>,
        /// Columns of numbers: one entry per column, true where it has numbers.
        pub numeric: Vec<bool>,
        /// Rows of cells, one cell per column, numbers with every digit; null where one does not apply.
        pub rows: Vec<Vec<Option<String>>>,
    }

    /// A figure: series, panels, caption, table.
    pub struct FigureView {
        /// Name of the recipe.
        pub recipe: String,
        /// Title of the figure, for people.
        pub title: String,
        /// Series; marks name them by position, from 0.
        pub series: Vec<FigureSeries>,
        /// Panels (small multiples), in reading order.
        pub panels: Vec<PanelView>,
        /// Caption: captures, presets, settings, support, conventions; a sentence each.
        pub caption: Vec<String>,
        /// Unusual rules and parts of captures, as the caption has them, for files without a caption; absent where all
        /// is as usual.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub settings: Option<String>,
        /// Data that the figure needs and these captures lack; a sentence each.
        pub missing: Vec<String>,
        /// Numbers of the figure.
        pub table: FigureTable,
    }
}

/// Something drawn in a panel, in units of its axes. Positions of series count from 0; slot `slot`, from 0, of `slots`
/// equal ones shares the width of a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum MarkView {
    /// A box with whiskers (box plot).
    Box {
        /// Series: position in [`FigureView::series`].
        series: u32,
        /// Position of the category on the horizontal axis, from 0.
        x: f64,
        /// Slot in the category, from 0.
        slot: u32,
        /// Number of slots in the category.
        slots: u32,
        /// Number of values behind the box.
        n: u32,
        /// Lower whisker, lower end of the box, median, upper end of the box, upper whisker, in the unit of the axis.
        five: [f64; 5],
        /// Values beyond the whiskers, in the unit of the axis, at most 200 of them, evenly chosen.
        outliers: Vec<f64>,
        /// Letters written above; null: none.
        label: Option<String>,
    },
    /// A bar from zero.
    Bar {
        /// Series: position in [`FigureView::series`].
        series: u32,
        /// Position of the category on the horizontal axis, from 0.
        x: f64,
        /// Slot in the category, from 0.
        slot: u32,
        /// Number of slots in the category.
        slots: u32,
        /// Value at which the bar ends, in the unit of the axis.
        value: f64,
        /// Lower and upper end of the interval of the value, in its unit; null: none.
        interval: Option<[f64; 2]>,
        /// Greatest single value, in the unit of the axis, drawn as a hollow square; null: none.
        most: Option<f64>,
        /// Text written at its end; null: none.
        label: Option<String>,
    },
    /// A line through points.
    Line {
        /// Series: position in [`FigureView::series`].
        series: u32,
        /// Points as x and y, in drawing order, in the units of the axes.
        points: Vec<[f64; 2]>,
        /// Band as lower and upper end at each point, in the unit of the vertical axis; empty: none.
        band: Vec<[f64; 2]>,
        /// Look of the line.
        look: LineLook,
        /// Drawn on the second vertical axis.
        right: bool,
        /// Drawn with the marker of its series at each point.
        markers: bool,
        /// Letters written at each point; absent or empty: none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
        labels: Vec<String>,
    },
    /// Dots of one shape.
    Dots {
        /// Series: position in [`FigureView::series`].
        series: u32,
        /// Points as x and y, in the units of the axes.
        points: Vec<[f64; 2]>,
        /// Shape of the dots.
        shape: DotShape,
    },
    /// Marker of a series with an interval along each axis.
    Point {
        /// Series: position in [`FigureView::series`].
        series: u32,
        /// Position as x and y.
        at: [f64; 2],
        /// Lower and upper end of the interval of x, in the unit of its axis; null: none.
        across: Option<[f64; 2]>,
        /// Lower and upper end of the interval of y, in the unit of its axis; null: none.
        along: Option<[f64; 2]>,
    },
    /// A cell of a matrix of two category axes.
    Cell {
        /// Series whose colour it has: position in [`FigureView::series`].
        series: u32,
        /// Position of the category on the horizontal axis, from 0.
        x: f64,
        /// Position of the category on the vertical axis, from 0.
        y: f64,
        /// Strength of the colour, 0 to 1.
        fill: f64,
        /// Text written in it.
        label: String,
    },
    /// A line across the panel, at an x or a y.
    Rule {
        /// Position of an upright line; null: a level one.
        x: Option<f64>,
        /// Position of a level line; null: an upright one.
        y: Option<f64>,
        /// Text written at it.
        label: String,
    },
}
