//! Suggestion of the nearest valid name for a misspelt one.

/// Returns the one of `names` that is nearest to `name`; `None` where more than one letter in four, and one, would have
/// to change.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names
        .into_iter()
        .map(|known| (edits(name, known), known))
        .min_by_key(|&(edits, known)| (edits, known.len()))?;
    (near.0 <= 1 + name.chars().count() / 4).then_some(near.1)
}

/// Number of letters to change, add or remove to make `a` of `b` (Levenshtein).
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // A name longer than any field is near none; this bounds the work.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.iter().enumerate() {
            let (left, above) = (row.get(j).copied().unwrap_or(0), row.get(j + 1).copied().unwrap_or(0));
            let change = diagonal + usize::from(x != *y);
            diagonal = above;
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = change.min(left + 1).min(above + 1);
            }
        }
    }
    row.last().copied().unwrap_or(0) + a.chars().count().saturating_sub(64)
}
