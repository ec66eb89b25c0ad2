//! TypeScript declarations of the types that cross the bridge.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by name: those of the types asked for and of every type that they refer to.
#[derive(Default, Debug)]
pub struct Types {
    seen: BTreeSet<TypeId>,
    declarations: BTreeMap<String, String>,
}

impl Types {
    /// Declares `T` with every type that it refers to, and returns its name: `StepView | null`, `Array<TagView>`.
    pub fn declare<T: TS + 'static>(&mut self) -> String {
        self.visit::<T>();
        T::visit_generics(self);
        T::name(&Config::default())
    }

    /// Returns names and declarations, each with its documentation, in the order of names.
    pub fn declarations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.declarations.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Numbers, texts, lists and maps have no declaration of their own.
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        let config = Config::default();
        let docs = T::docs().unwrap_or_default();
        self.declarations.insert(T::ident(&config), format!("{docs}export {}\n", T::decl(&config)));
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}
