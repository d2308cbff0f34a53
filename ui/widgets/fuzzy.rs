//! Ranking.
pub(crate) fn rank(query: &str, texts: &[String]) -> Vec<usize> {
    (0..texts.len()).filter(|place| texts.get(*place).is_some_and(|text| text.contains(query))).collect()
}
