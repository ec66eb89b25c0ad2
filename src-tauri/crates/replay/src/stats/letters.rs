//! Compact letter displays of pairwise comparisons.

use std::collections::BTreeSet;

/// Compact letter display of groups with these `means`, of which the pairs `differ` (positions) are significantly
/// different: two groups share a letter exactly when they are not. One string of letters per group, in their order. By
/// insertion and absorption (Piepho, J. Comput. Graph. Stat. 13, 2004); `a` goes to the greatest mean.
#[must_use]
pub fn letters(means: &[f64], differ: &[(usize, usize)]) -> Vec<String> {
    let mut columns: Vec<BTreeSet<usize>> = vec![(0..means.len()).collect()];
    for &(a, b) in differ {
        let mut split = Vec::new();
        for column in columns {
            if column.contains(&a) && column.contains(&b) {
                for gone in [a, b] {
                    let mut without = column.clone();
                    without.remove(&gone);
                    split.push(without);
                }
            } else {
                split.push(column);
            }
        }
        columns = absorb(split);
    }
    let greatest = |column: &BTreeSet<usize>| {
        column.iter().filter_map(|&i| means.get(i)).copied().max_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY)
    };
    columns
        .sort_by(|a, b| greatest(b).total_cmp(&greatest(a)).then_with(|| b.len().cmp(&a.len())).then_with(|| a.cmp(b)));
    let of = |group: usize| {
        let holds = columns.iter().enumerate().filter(|(_, column)| column.contains(&group));
        holds.map(|(index, _)| name(index)).collect()
    };
    (0..means.len()).map(of).collect()
}

/// Removes columns that are subsets of another one.
fn absorb(columns: Vec<BTreeSet<usize>>) -> Vec<BTreeSet<usize>> {
    let mut maximal: Vec<BTreeSet<usize>> = Vec::new();
    for column in columns {
        if maximal.iter().any(|other| column.is_subset(other)) {
            continue;
        }
        maximal.retain(|other| !other.is_subset(&column));
        maximal.push(column);
    }
    maximal
}

/// The name of a column: `a` to `z`, then `a2` to `z2`, and so on.
fn name(index: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    if index < 26 { letter.to_string() } else { format!("{letter}{}", index / 26 + 1) }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn groups_share_a_letter_exactly_where_they_do_not_differ() {
        assert_eq!(letters(&[1.0, 2.0, 3.0], &[]), ["a", "a", "a"]);
        assert_eq!(letters(&[1.0, 2.0, 3.0], &[(0, 2)]), ["b", "ab", "a"]);
        assert_eq!(letters(&[1.0, 2.0, 3.0], &[(0, 1), (0, 2), (1, 2)]), ["c", "b", "a"]);
        // Every set of differing pairs among five groups, 2^10 of them.
        let pairs: Vec<(usize, usize)> = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j))).collect();
        for mask in 0_u32..1 << pairs.len() {
            let differ: Vec<_> =
                pairs.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, p)| *p).collect();
            let got = letters(&[5.0, 4.0, 3.0, 2.0, 1.0], &differ);
            for &(i, j) in &pairs {
                let shared = got[i].chars().any(|letter| got[j].contains(letter));
                assert_eq!(shared, !differ.contains(&(i, j)), "{differ:?}: {got:?}");
            }
            assert!(got.iter().all(|text| !text.is_empty()));
        }
    }
}
