//! The built-in algorithms and the user's presets in one set.

use crate::registry::user::{UserError, UserErrors, UserPreset};
use crate::registry::{algorithms, preset};
use crate::{AlgorithmSpec, Estimator, Pacer, ParamError};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// All algorithms to choose from: the registry's, then those of preset files.
///
/// ```
/// let mine = rto::user::parse_toml(r#"
///     [[preset]]
///     id = "plant_cocoa"
///     name = "CoCoA, plant"
///     base = "cocoa_plus"
///     params = { rto_max = 20 }
/// "#)?;
/// let mut set = rto::AlgorithmSet::default();
/// set.add(mine)?;
/// assert!(set.build("plant_cocoa", &serde_json::json!({ "alpha": 0.25 })).is_ok());
/// assert_eq!(set.algorithms().len(), rto::algorithms().len() + 1);
/// # Ok::<(), rto::user::UserErrors>(())
/// ```
#[derive(Clone, Debug)]
pub struct AlgorithmSet {
    specs: Vec<AlgorithmSpec>,
    user: Vec<UserPreset>,
}

impl Default for AlgorithmSet {
    /// Returns the registry without presets of the user's.
    fn default() -> Self {
        Self { specs: algorithms().to_vec(), user: Vec::new() }
    }
}

impl AlgorithmSet {
    /// Adds the presets of a file: all of them or, with a mistake, none.
    ///
    /// # Errors
    /// An `id` or `name` that is taken, by a built-in algorithm or another preset.
    pub fn add(&mut self, presets: Vec<UserPreset>) -> Result<(), UserErrors> {
        let mut specs = self.specs.clone();
        let mut errors = Vec::new();
        for preset in &presets {
            let mut taken = |key: &str, text: &str, by: Option<&AlgorithmSpec>| {
                if let Some(by) = by {
                    let problem = format!("`{text}` is taken by {} ({})", by.id, by.name);
                    errors.push(UserError { at: preset.at, key: format!("{}.{key}", preset.id), problem });
                }
                by.is_none()
            };
            let free = taken("id", &preset.id, specs.iter().find(|spec| spec.id == preset.id))
                & taken("name", &preset.name, specs.iter().find(|spec| spec.name == preset.name));
            match describe(preset) {
                Ok(spec) if free => specs.push(spec),
                Ok(_) => {}
                Err(error) => {
                    errors.push(UserError { at: preset.at, key: preset.id.clone(), problem: error.to_string() });
                }
            }
        }
        if !errors.is_empty() {
            return Err(UserErrors(errors));
        }
        self.specs = specs;
        self.user.extend(presets);
        Ok(())
    }

    /// Returns the user's presets, in the order in which they were added.
    #[must_use]
    pub fn user(&self) -> &[UserPreset] {
        &self.user
    }

    /// Returns every algorithm, in display order: the registry's first.
    #[must_use]
    pub fn algorithms(&self) -> &[AlgorithmSpec] {
        &self.specs
    }

    /// Returns the algorithm called `id`, built-in or a user's; `None` where there is none.
    #[must_use]
    pub fn spec(&self, id: &str) -> Option<&AlgorithmSpec> {
        self.specs.iter().find(|spec| spec.id == id)
    }

    /// Returns `id` with `params` in terms of the registry alone: the name and the overrides for
    /// [`crate::build`], [`crate::model::outlook`] and replays. An unknown `id` passes through.
    ///
    /// # Errors
    /// [`ParamError::Syntax`] when `params` is neither an object nor null.
    pub fn resolve<'a>(&'a self, id: &'a str, params: &Value) -> Result<(&'a str, Value), ParamError> {
        let Some(mine) = self.user.iter().find(|mine| mine.id == id) else {
            return Ok((id, params.clone()));
        };
        let mut merged = mine.params.clone();
        match params {
            Value::Null => {}
            Value::Object(overrides) => merged.extend(overrides.clone()),
            other => return Err(ParamError::Syntax { text: other.to_string() }),
        }
        Ok((&mine.base, Value::Object(merged)))
    }

    /// Builds the estimator of a built-in or user's algorithm.
    ///
    /// # Errors
    /// The same as [`crate::build`].
    pub fn build(&self, id: &str, params: &Value) -> Result<Box<dyn Estimator>, ParamError> {
        let (base, params) = self.resolve(id, params)?;
        crate::build(base, &params)
    }

    /// Builds the pacer of a built-in or user's algorithm; `None` where it has none.
    ///
    /// # Errors
    /// The same as [`crate::build`].
    pub fn build_pacer(&self, id: &str, params: &Value) -> Result<Option<Box<dyn Pacer>>, ParamError> {
        let (base, params) = self.resolve(id, params)?;
        crate::build_pacer(base, &params)
    }
}

/// The description of a user's preset: its base's, with its own texts and values, and shown by default, because
/// its owner asked for it.
fn describe(mine: &UserPreset) -> Result<AlgorithmSpec, ParamError> {
    let base = preset(&mine.base)?;
    let mut spec = base.spec(&mine.params)?;
    let or = |text: &str, instead: &str| intern(if text.is_empty() { instead } else { text });
    let citation = or(&mine.citation, &format!("user preset {}, based on {}", mine.id, base.id));
    for param in spec.params.iter_mut().filter(|param| mine.params.contains_key(param.name)) {
        param.citation = citation;
        param.reading = false;
    }
    Ok(AlgorithmSpec {
        id: intern(&mine.id),
        name: intern(&mine.name),
        summary: or(&mine.description, base.summary),
        citation,
        default: true,
        ..spec
    })
}

/// Interns `text` for as long as the program runs: descriptions are `&'static str`, since all but the user's are
/// constants. Equal texts are stored once, so that reading a file again takes no memory.
fn intern(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    match texts.get(text) {
        Some(text) => text,
        None => {
            let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
            texts.insert(text);
            text
        }
    }
}
