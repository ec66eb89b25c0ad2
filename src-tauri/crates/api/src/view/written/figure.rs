//! Requests and replies about figures: recipes, captures with their tags, marks, tables.
//!
//! A figure crosses as marks in data units; where they stand on the page and how they look is the plot layer's
//! business. Times are seconds here: figures are read in seconds.

use crate::view::{AlgorithmChoice, CaptureId, ChannelKind, PartView, PolicyView, WorkloadKind};
use rto::ParamSpec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A figure that can be drawn, described as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RecipeSpec {
    /// Name on the command line; stable.
    pub id: &'static str,
    /// For people.
    pub title: &'static str,
    /// One sentence about what it shows.
    pub about: &'static str,
    /// Figures of the literature that it draws, with their study.
    pub reproduces: &'static str,
    /// Its switches.
    pub params: Vec<ParamSpec>,
}

choice! {
    /// Scale of an axis.
    pub enum AxisKind {
        /// Names at 0, 1, 2 …
        Category,
        /// Equal steps.
        Linear,
        /// Equal ratios.
        Log,
    }
    /// The shape of a dot.
    pub enum DotShape {
        /// A small disc.
        Dot,
        /// A cross.
        Cross,
        /// A triangle.
        Triangle,
        /// A hollow ring.
        Ring,
    }
    /// Dash pattern of a line. Lines of one series differ by it.
    pub enum LineLook {
        /// As the series.
        Series,
        /// In steps, as the series.
        Step,
        /// Solid ink: a share on the right axis.
        Ink,
        /// Dashed ink.
        InkDashed,
        /// Thin and grey: what joins points.
        Thin,
    }
}

view! {
    /// A capture of a figure's text, with what is said of it.
    pub struct FigureCapture {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Its name in the figure.
        pub name: String,
        /// Tags: `nodes`, `load`, `topology`, `mac`, and free keys.
        pub tags: BTreeMap<String, String>,
        /// The clients that are replayed and the time that is measured; without, all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
    }

    /// Draw a figure.
    pub struct FigureRequest {
        /// Name of the recipe.
        pub recipe: String,
        /// From what.
        pub captures: Vec<FigureCapture>,
        /// Replayed beside what was recorded.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Switches that are not at their defaults.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of every draw.
        pub seed: u32,
        /// Replicates.
        pub replicates: u32,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// The command that writes the numbers of a figure again.
    pub struct FigureLine {
        /// The line for a POSIX shell, to be called beside the captures; null where no line says all that the figure is made from.
        pub command: Option<String>,
        /// Files that have to lie beside it, or why there is no line. A sentence each.
        pub notes: Vec<String>,
    }

    /// Write a figure's table to a file.
    pub struct FigureTableRequest {
        /// The figure.
        pub figure: FigureRequest,
        /// `csv`, `parquet`, `json`, `latex` or `markdown`.
        pub format: String,
        /// The file; one that is there is replaced.
        pub path: String,
    }

    /// Write a picture that the page drew.
    pub struct PictureRequest {
        /// The file, `*.svg` or `*.png`; one that is there is replaced.
        pub path: String,
        /// SVG as text, PNG as hexadecimal digits.
        pub content: String,
    }

    /// A proposed tag of a capture.
    pub struct TagView {
        /// `nodes`, `load`, `topology`, `mac` or `preset`.
        pub key: String,
        /// Its value.
        pub value: String,
        /// Source of the value.
        pub why: String,
    }

    /// One behaviour of one group of captures, as it is drawn.
    pub struct FigureSeries {
        /// For people: behaviour, and group where there are several.
        pub name: String,
        /// The behaviour alone.
        pub behaviour: String,
        /// The group of captures alone.
        pub captures: String,
        /// Preset id; null for what was recorded.
        pub algorithm: Option<String>,
        /// Position of the algorithm in the registry; null for what was recorded.
        pub order: Option<u32>,
        /// 0 for a preset as published.
        pub variant: u32,
        /// Position of its group: the first is solid, others fainter.
        pub group: u32,
        /// Our reading of a source: hatched or dashed.
        pub reading: bool,
    }

    /// An axis.
    pub struct AxisView {
        /// Quantity and unit.
        pub label: String,
        /// `s`, `%`, `1/s`, …; empty without one.
        pub unit: String,
        /// Scale.
        pub kind: AxisKind,
        /// Names of a category axis.
        pub categories: Vec<String>,
        /// Its beginning; null: that of the data.
        pub low: Option<f64>,
        /// Its end; null: that of the data.
        pub high: Option<f64>,
    }

    /// A panel of a figure.
    pub struct PanelView {
        /// Title, for people.
        pub title: String,
        /// By which rule.
        pub rule: String,
        /// Horizontal axis.
        pub x: AxisView,
        /// Vertical axis.
        pub y: AxisView,
        /// Second vertical axis, of what is marked `right`.
        pub right: Option<AxisView>,
        /// Marks, in drawing order.
        pub marks: Vec<MarkView>,
        /// Meaning of every shape that is not named elsewhere.
        pub key: Vec<KeyView>,
        /// Panels with an equal number are compared by eye and have the same axes.
        pub axes: Option<u32>,
    }

    /// A line of a panel's key.
    pub struct KeyView {
        /// Its meaning.
        pub text: String,
        /// The shape of a dot.
        pub dot: Option<DotShape>,
        /// The look of a line.
        pub line: Option<LineLook>,
    }

    /// The numbers of a figure.
    pub struct FigureTable {
        /// Headings.
        pub columns: Vec<String>,
        /// For each column, whether it has numbers.
        pub numeric: Vec<bool>,
        /// Cells with every digit; null where one does not apply.
        pub rows: Vec<Vec<Option<String>>>,
    }

    /// A figure.
    pub struct FigureView {
        /// Name of the recipe.
        pub recipe: String,
        /// Title, for people.
        pub title: String,
        /// The series that are drawn.
        pub series: Vec<FigureSeries>,
        /// Small multiples.
        pub panels: Vec<PanelView>,
        /// Presets, exchanges, seeds, support, conventions: a sentence each.
        pub caption: Vec<String>,
        /// Rules and parts of captures that are not as usual, as the caption has them: for files that have no caption.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub settings: Option<String>,
        /// Data that the figure needs and these captures lack; a sentence each.
        pub missing: Vec<String>,
        /// Its numbers.
        pub table: FigureTable,
    }
}

/// Something drawn in a panel, in units of its axes. `slot` of `slots` shares the width of a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum MarkView {
    /// A box with whiskers.
    Box {
        /// Position in the figure's series.
        series: u32,
        /// Category.
        x: f64,
        /// Place in the category.
        slot: u32,
        /// Places in the category.
        slots: u32,
        /// Values.
        n: u32,
        /// Lower whisker, box, median, box, upper whisker.
        five: [f64; 5],
        /// Values beyond the whiskers.
        outliers: Vec<f64>,
        /// Written above: letters.
        label: Option<String>,
    },
    /// A bar from zero.
    Bar {
        /// Position in the figure's series.
        series: u32,
        /// Category.
        x: f64,
        /// Place in the category.
        slot: u32,
        /// Places in the category.
        slots: u32,
        /// Its end.
        value: f64,
        /// The interval of the value.
        interval: Option<[f64; 2]>,
        /// A hollow square: the greatest.
        most: Option<f64>,
        /// Written at its end.
        label: Option<String>,
    },
    /// A path.
    Line {
        /// Position in the figure's series.
        series: u32,
        /// x and y.
        points: Vec<[f64; 2]>,
        /// Low and high at each point, or nothing.
        band: Vec<[f64; 2]>,
        /// Dash pattern.
        look: LineLook,
        /// On the second vertical axis.
        right: bool,
        /// With the marker of its series at each point.
        markers: bool,
        /// Written at each point, or nothing: letters.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
        labels: Vec<String>,
    },
    /// Dots.
    Dots {
        /// Position in the figure's series.
        series: u32,
        /// x and y.
        points: Vec<[f64; 2]>,
        /// Their shape.
        shape: DotShape,
    },
    /// The marker of a series with intervals both ways.
    Point {
        /// Position in the figure's series.
        series: u32,
        /// x and y.
        at: [f64; 2],
        /// The interval of x.
        across: Option<[f64; 2]>,
        /// The interval of y.
        along: Option<[f64; 2]>,
    },
    /// A cell of a matrix of two category axes.
    Cell {
        /// Position in the figure's series.
        series: u32,
        /// Category across.
        x: f64,
        /// Category down.
        y: f64,
        /// Share of its series' colour, 0 to 1.
        fill: f64,
        /// Written in it.
        label: String,
    },
    /// A line across the panel, at an x or a y.
    Rule {
        /// Upright at this x.
        x: Option<f64>,
        /// Level at this y.
        y: Option<f64>,
        /// Written at it.
        label: String,
    },
}
