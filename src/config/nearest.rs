//! Which known name somebody meant.

/// Most characters of a name that is compared: nothing longer was meant to be one of ours.
const LONGEST: usize = 80;

/// The name among `known` that `given` most likely stands for: at most a third differs. A name may be given without its section.
pub fn nearest<'n>(given: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if given.chars().count() > LONGEST {
        return None;
    }
    let given = given.to_lowercase();
    known.filter_map(|name| Some((apart(&given, name)?, name))).min_by_key(|(apart, _)| *apart).map(|(_, name)| name)
}

/// Edits between the two when they are few enough for a slip.
fn apart(given: &str, name: &str) -> Option<usize> {
    let slip = |to: &str| {
        let most = given.chars().count().max(to.chars().count()).div_ceil(3);
        Some(edits(given, &to.to_lowercase())).filter(|edits| *edits <= most)
    };
    let last = name.rsplit_once('.').filter(|_| !given.contains('.'));
    slip(name).or_else(|| last.and_then(|(_section, last)| slip(last)))
}

/// The Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in (1..).zip(a.chars()) {
        let mut next = vec![i];
        for (window, y) in row.windows(2).zip(&b) {
            let &[diagonal, above] = window else { continue };
            let left = next.last().copied().unwrap_or(i);
            next.push((diagonal + usize::from(x != *y)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
