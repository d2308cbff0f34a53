//! Fuzzy search for the palette and for choosing an id: the letters in their order, with gaps. Lists are filtered by plain words instead.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A sentence that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its place among the sentences that were given.
    pub(crate) index: usize,
    /// Which of its characters matched, ascending: for drawing them differently.
    pub(crate) positions: Vec<usize>,
}

/// The sentences in which each word of `query` is found, the best first and equally good ones in the order they came.
/// Without a word, all of them. No character of the query has a special meaning.
pub(crate) fn rank(query: &str, sentences: &[&str]) -> Vec<Found> {
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut found: Vec<(u32, Found)> = sentences
        .iter()
        .enumerate()
        .filter_map(|(index, sentence)| {
            let (score, positions) = matched(&mut matcher, &pattern, sentence)?;
            Some((score, Found { index, positions }))
        })
        .collect();
    found.sort_by_key(|(score, _)| Reverse(*score));
    found.into_iter().map(|(_, found)| found).collect()
}

fn matched(matcher: &mut Matcher, pattern: &Pattern, sentence: &str) -> Option<(u32, Vec<usize>)> {
    let (mut letters, mut positions) = (Vec::new(), Vec::new());
    let score = pattern.indices(Utf32Str::new(sentence, &mut letters), matcher, &mut positions)?;
    positions.sort_unstable();
    positions.dedup();
    Some((score, positions.into_iter().filter_map(|at| usize::try_from(at).ok()).collect()))
}
