//! Figures: a declared registry of recipes, each a function from captures and runs to marks and a table.
//!
//! A recipe never draws: it gives marks in data units ([`crate::view::FigureView`]). Adding one is a file
//! here and a line in [`RECIPES`]; form, command line, caption and export follow.

mod cells;
mod layout;
mod line;
pub(crate) mod measure;
mod recipes;
mod settings;
pub(crate) mod shape;
mod tags;
mod timers;
mod write;

pub(crate) use settings::percent;
pub use write::write;
pub(crate) use write::{format_of, picture, table_file};

use crate::view::{CaptureRequest, FigureRequest, FigureTable, FigureView, PanelView, RecipeSpec, TagView};
use crate::{Error, Opened, Progress, Session};
use cells::Figure;
use recipes::{boxes, change, clients, distribution, factor, lines, plane, rate, timer, trace};
use rto::ParamSpec;
use settings::Settings;
use table::Listing;

/// A recipe: its declaration, and the function that makes its marks.
struct Recipe {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    /// True for a figure of the effect of timers on exchanges, whose caption says the verdict on them.
    compares: bool,
    reproduces: &'static str,
    params: fn() -> Vec<ParamSpec>,
    draw: fn(&Figure<'_>) -> Drawn,
}

/// Output of a recipe: panels, sentences and table.
#[derive(Default)]
struct Drawn {
    panels: Vec<PanelView>,
    /// Sentences for the caption, after those that every figure has.
    caption: Vec<String>,
    missing: Vec<String>,
    table: Listing,
}

/// Every recipe, in display order.
const RECIPES: &[Recipe] = &[
    boxes::RTO,
    distribution::COMPLETION,
    clients::EARLY,
    boxes::RTT,
    trace::TIME,
    change::CHANGE,
    trace::INDEX,
    rate::MODEL,
    lines::LOAD,
    factor::FACTOR,
    plane::PLANE,
    timer::TIMER,
];

/// Returns every figure that can be drawn, with its switches, in display order.
#[must_use]
pub fn recipes() -> Vec<RecipeSpec> {
    let spec = |recipe: &Recipe| RecipeSpec {
        id: recipe.id,
        title: recipe.title,
        about: recipe.about,
        reproduces: recipe.reproduces,
        params: (recipe.params)(),
    };
    RECIPES.iter().map(spec).collect()
}

/// Proposes tags of a capture, from its name, its folder and its content.
#[must_use]
pub fn proposed_tags(opened: &Opened) -> Vec<TagView> {
    tags::propose(opened)
}

/// Greatest number of captures, and of algorithms, of one figure. Chosen here: nobody can read more. It bounds the
/// replays of a figure, too: their product.
const MOST: usize = 64;

impl Session {
    /// Draws a figure from open captures and their replays; returns it with its table. `progress` counts replays.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for an unknown recipe, switch or algorithm, a value out of range or too many captures;
    /// [`crate::Code::Gone`] where a capture is not open, [`crate::Code::Cancelled`].
    pub fn figure(&self, request: &FigureRequest, progress: &mut dyn Progress) -> Result<(FigureView, Listing), Error> {
        let recipe = recipe(&request.recipe)?;
        if request.captures.len() > MOST || request.algorithms.len() > MOST {
            return Err(Error::request(format!("At most {MOST} captures and {MOST} algorithms are possible.")));
        }
        let settings = Settings::read((recipe.params)(), &request.params)?;
        let figure = Figure::gather(self, request, settings, progress)?;
        let mut missing = Vec::new();
        if request.captures.is_empty() {
            missing.push("Open a capture, or choose one in the library.".to_owned());
        }
        let drawn = (recipe.draw)(&figure);
        missing.extend(drawn.missing);
        if missing.is_empty() && drawn.table.rows() == 0 {
            missing.push("Nothing to draw: no exchange in these captures has what this figure counts.".to_owned());
        }
        let mut caption = figure.caption();
        if recipe.compares {
            caption.extend(figure.verdicts());
        }
        caption.extend(drawn.caption);
        let view = FigureView {
            recipe: recipe.id.to_owned(),
            title: recipe.title.to_owned(),
            series: figure.series(),
            panels: drawn.panels,
            caption,
            settings: Some(figure.unusual().join(" ")).filter(|said| !said.is_empty()),
            missing,
            table: table_view(&drawn.table),
        };
        Ok((view, drawn.table))
    }
}

fn recipe(id: &str) -> Result<&'static Recipe, Error> {
    let known = || RECIPES.iter().map(|r| r.id).collect::<Vec<_>>().join(", ");
    let wrong = || Error::request(format!("There is no figure `{id}`; there are: {}.", known()));
    RECIPES.iter().find(|recipe| recipe.id == id).ok_or_else(wrong)
}

/// Returns the table of a figure as it crosses the bridge.
pub(crate) fn table_view<N: AsRef<str>>(listing: &Listing<N>) -> FigureTable {
    let row = |row: usize| listing.columns.iter().map(|(_, cells)| cells.text(row)).collect();
    FigureTable {
        columns: listing.columns.iter().map(|(name, _)| name.as_ref().to_owned()).collect(),
        numeric: listing.columns.iter().map(|(_, cells)| cells.is_number()).collect(),
        rows: (0..listing.rows()).map(row).collect(),
    }
}

/// Answers `recipes`; it never fails.
pub(crate) fn all(_: &Session, _: &()) -> Result<Vec<RecipeSpec>, Error> {
    Ok(recipes())
}

/// Answers `proposed_tags`; errs where the capture is not open.
pub(crate) fn tags_of(session: &Session, request: &CaptureRequest) -> Result<Vec<TagView>, Error> {
    Ok(tags::propose(&*session.capture(request.capture)?))
}

/// Answers `figure`; errs as [`Session::figure`].
pub(crate) fn figure(
    session: &Session,
    request: &FigureRequest,
    progress: &mut dyn Progress,
) -> Result<FigureView, Error> {
    Ok(session.figure(request, progress)?.0)
}
