//! An empty program. Cargo selects a library by its package, which changes the features of what is below; a program it
//! selects by name. Building this one builds the module, and nothing that the module does not need.

fn main() {}
