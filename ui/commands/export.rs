//! `quarterdeck audit export FILE`

use std::path::Path;

use super::{Failure, Session, output, which};
use crate::args::Which;
use crate::export::{Format, export};

pub async fn run(session: &Session, path: &Path, which: Which, csv: bool) -> Result<(), Failure> {
    let filter = which::filter(which, &which::here())?;
    let records = export(session.host().await?, filter, path, Format::of(path, csv)).await?;
    match session.json {
        true => output::json(&serde_json::json!({ "path": path, "records": records })),
        false => output::line(&sentence(records, path)),
    }
}

pub fn sentence(records: u64, path: &Path) -> String {
    let count = if records == 1 { "1 record is".to_owned() } else { format!("{records} records are") };
    format!("{count} in {}.", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_many_there_are() {
        let said = [0, 1, 2].map(|records| sentence(records, Path::new("a.csv")));
        assert_eq!(said, ["0 records are in a.csv.", "1 record is in a.csv.", "2 records are in a.csv."]);
    }
}
