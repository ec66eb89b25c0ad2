//! Figures and reports of studies.

use crate::view::{FigureTable, FigureView};
use serde::{Deserialize, Serialize};

choice! {
    /// A figure over the rows of a study.
    pub enum StudyFigureKind {
        /// Each scenario under each timer: mean, interval, letters, and the value of real runs.
        Scenarios,
        /// The measure over a tag or a parameter, a line a timer.
        Factor,
        /// The timer that wins in each scenario, by paired differences.
        Winners,
    }

    /// Form of a report of a study.
    pub enum StudyReportForm {
        /// One page that needs no network.
        Html,
        /// Text; figures are their tables and captions.
        Markdown,
    }
}

view! {
    /// A document about a study: a report, or a figure alone.
    pub struct StudyView {
        /// Always `rtoscope-study`.
        pub format: String,
        /// Name of the study.
        pub title: String,
        /// Program that made its rows, with its commit; empty without rows.
        pub program: String,
        /// Sections, in reading order.
        pub sections: Vec<StudySection>,
    }

    /// A part of a document about a study.
    pub struct StudySection {
        /// Heading; empty for none.
        pub title: String,
        /// Paragraphs, in reading order.
        pub text: Vec<String>,
        /// Lines of a file or of commands; empty: none.
        pub code: String,
        /// Tables, after the text.
        pub tables: Vec<StudyTable>,
        /// Figures, after the tables.
        pub figures: Vec<FigureView>,
    }

    /// A table with its heading.
    pub struct StudyTable {
        /// Heading above the table.
        pub title: String,
        /// Headings and cells of the table.
        pub table: FigureTable,
    }
}
