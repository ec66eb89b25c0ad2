//! The page of a report: its data is written into the built page, and read back.

use crate::Error;
use serde::Serialize;
use serde_json::Value;

/// Opening tag of the element of the page whose content is the data.
const OPENING: &str = "<script type=\"application/json\" id=\"rtoscope-report\">";
const CLOSING: &str = "</script>";

/// Writes `view`, a report or a document about a study, into the page `template`, which is built from ui/report.html.
///
/// # Errors
/// [`crate::Code::Internal`] where this program was built without that page.
pub fn page(template: &str, view: &impl Serialize) -> Result<String, Error> {
    let missing = || Error::internal("This program was built without its report page (`npm start` builds it).");
    let (before, rest) = template.split_once(OPENING).ok_or_else(missing)?;
    let (_, after) = rest.split_once(CLOSING).ok_or_else(missing)?;
    // In a script element only `<` could end it; in JSON it only stands in texts, where it may be escaped.
    let text = serde_json::to_string(view).map_err(Error::internal)?;
    let text = base::printable_json(&text).replace('<', "\\u003c");
    Ok([before, OPENING, &text, CLOSING, after].concat())
}

/// Returns the data in the page of a report, as JSON; `None` where the text is no such page.
#[must_use]
pub fn data_of(html: &str) -> Option<&str> {
    html.split_once(OPENING)?.1.split_once(CLOSING).map(|(text, _)| text)
}

/// Returns the session in the page of a report; errs ([`crate::Code::Request`]) where the text is no such page.
pub(crate) fn embedded(html: &str) -> Result<Value, Error> {
    let refuse = || Error::request("This is no session file, and no report of RTOscope either.");
    let mut data: Value = serde_json::from_str(data_of(html).ok_or_else(refuse)?).map_err(|_| refuse())?;
    let session = data.get_mut("session").ok_or_else(refuse)?.take();
    Ok(session)
}
