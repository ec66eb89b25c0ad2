//! Presets of a user as the text of a file.

use super::UserPreset;
use serde_json::Value;
use std::fmt::Write as _;

/// Returns the TOML file of `presets`, which [`super::parse_toml`] reads back; empty texts are left out.
#[must_use]
pub fn to_toml(presets: &[UserPreset]) -> String {
    let mut text = String::new();
    for (number, preset) in presets.iter().enumerate() {
        let break_before = if number == 0 { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{break_before}[[preset]]");
        let UserPreset { id, name, base, description, citation, params, at: _ } = preset;
        let texts = [("id", id), ("name", name), ("base", base), ("description", description), ("citation", citation)];
        for (key, value) in texts.into_iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(text, "{key} = {}", literal(&Value::from(value.as_str())));
        }
        if !params.is_empty() {
            let params: Vec<String> =
                params.iter().map(|(name, value)| format!("{name} = {}", literal(value))).collect();
            let _ = writeln!(text, "params = {{ {} }}", params.join(", "));
        }
    }
    text
}

/// Text, number or truth value as TOML has it: JSON's form, but for DEL, which JSON does not escape (TOML 1.0,
/// "String").
fn literal(value: &Value) -> String {
    value.to_string().replace('\u{7f}', "\\u007F")
}
