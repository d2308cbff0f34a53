//! The configuration: that it is right is known by now; which file it is, and what comes from where.

use super::finding::Finding;
use crate::settings::Settings;

const SUBJECT: &str = "configuration";

pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let file = settings.file.display();
    let first = match settings.file.is_file() {
        true => Finding::ok(SUBJECT, &format!("{file} is right")),
        false => Finding::ok(SUBJECT, &format!("the defaults count: {file} does not exist")),
    };
    let set = settings.set.iter().map(|set| Finding::ok(SUBJECT, &format!("{} = {} from {}", set.key, set.value, set.place)));
    std::iter::once(first).chain(set).collect()
}
