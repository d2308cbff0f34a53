//! Audit records as a file: JSON Lines, or CSV a spreadsheet can open without running anything.
//!
//! The file is for the owner only and appears whole: rows are written beside it and the finished file is given its name, which must be
//! free. What goes wrong on the way leaves nothing behind.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use quarterdeck::control::{AuditFilter, AuditRow, Client, Connection};

use crate::reading::{Forward, ReadError};

/// The columns of the CSV form; `detail` is JSON.
const COLUMNS: [&str; 10] = ["seq", "at", "actor", "kind", "object", "outcome", "reason", "grant", "took_ms", "detail"];

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    JsonLines,
    /// RFC 4180, with a line of names first.
    Csv,
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Something has this name.
    #[error("{} exists already: choose another name", .0.display())]
    Exists(PathBuf),
    /// It cannot be made or finished: its folder is not there, the disk is full.
    #[error("{}: {cause}", .path.display())]
    File {
        /// The file that was wanted.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The audit could not be read to its end.
    #[error(transparent)]
    Reading(#[from] ReadError),
}

impl Format {
    /// CSV when it is asked for or the file is called so, else JSON Lines.
    pub fn of(path: &Path, csv: bool) -> Format {
        let called = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        if csv || called { Format::Csv } else { Format::JsonLines }
    }

    /// What stands before the first row.
    pub fn head(self) -> String {
        match self {
            Format::JsonLines => String::new(),
            Format::Csv => csv_line(&COLUMNS.map(str::to_owned)),
        }
    }

    /// A row with its line break.
    pub fn row(self, row: &AuditRow) -> String {
        match self {
            // A row always has a JSON form: its keys are texts and it holds no number that JSON lacks.
            Format::JsonLines => serde_json::to_string(row).map(|json| format!("{json}\n")).unwrap_or_default(),
            Format::Csv => csv_line(&cells(row)),
        }
    }
}

fn cells(row: &AuditRow) -> [String; 10] {
    let given = |text: &Option<String>| text.clone().unwrap_or_default();
    let detail = if row.detail.is_empty() { String::new() } else { serde_json::Value::from(row.detail.clone()).to_string() };
    [
        row.seq.to_string(),
        row.at.clone(),
        row.actor.clone(),
        row.kind.clone(),
        given(&row.object),
        row.outcome.clone(),
        given(&row.reason),
        given(&row.grant),
        row.took_ms.map(|ms| ms.to_string()).unwrap_or_default(),
        detail,
    ]
}

fn csv_line(cells: &[String]) -> String {
    format!("{}\r\n", cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(","))
}

/// A cell that would be a formula begins with an apostrophe: a spreadsheet then shows it and runs nothing.
fn csv_cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    match text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{guard}{}\"", text.replace('"', "\"\"")),
        false => format!("{guard}{text}"),
    }
}

/// The file that was meant by what was typed on a screen, where no shell reads it: `~` is the owner's home directory `home`, and anything
/// that does not begin at the root is below the folder the program was started in.
pub fn place(typed: &Path, home: Option<PathBuf>) -> PathBuf {
    let meant = match (typed.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => typed.to_owned(),
    };
    std::path::absolute(&meant).unwrap_or(meant)
}

/// Writes the records that fit `filter`, oldest first, to the new file `path`, and answers how many there are. Those that are added
/// meanwhile are not in it.
///
/// # Errors
/// [`ExportError`]: there is no file.
pub async fn export(client: Client, filter: AuditFilter, path: &Path, format: Format) -> Result<u64, ExportError> {
    let mut file = Export::create(path, format)?;
    let mut reading = Forward::from(client, filter, 0);
    while let Some(rows) = reading.next().await? {
        file.add(&rows)?;
    }
    file.finish()
}

/// The columns of the CSV form of connections.
const CONNECTION_COLUMNS: [&str; 9] =
    ["name", "grant", "client_id", "client_name", "scopes", "created_at", "last_used_at", "calls_24h", "state"];

/// Writes the connections to the new file `path`, and answers how many there are.
///
/// # Errors
/// [`ExportError::File`]: there is no file.
pub fn connections(all: &[Connection], path: &Path, format: Format) -> Result<u64, ExportError> {
    let head = if format == Format::Csv { csv_line(&CONNECTION_COLUMNS.map(str::to_owned)) } else { String::new() };
    let mut file = Export::begin(path, (format, &head))?;
    for one in all {
        let line = match format {
            Format::JsonLines => serde_json::to_string(one).map(|json| format!("{json}\n")).unwrap_or_default(),
            Format::Csv => csv_line(&connection_cells(one)),
        };
        file.write(&line)?;
        file.rows += 1;
    }
    file.finish()
}

fn connection_cells(one: &Connection) -> [String; 9] {
    let state = serde_json::to_value(one.state).ok().and_then(|state| state.as_str().map(str::to_owned));
    [
        one.name.clone(),
        one.grant.clone(),
        one.client_id.clone(),
        one.client_name.clone().unwrap_or_default(),
        one.scopes.join(" "),
        one.created_at.clone(),
        one.last_used_at.clone().unwrap_or_default(),
        one.calls_24h.to_string(),
        state.unwrap_or_default(),
    ]
}

/// A file that is being written. Dropping it unfinished leaves nothing.
pub struct Export {
    path: PathBuf,
    beside: PathBuf,
    out: BufWriter<File>,
    format: Format,
    rows: u64,
}

impl Export {
    /// Begins it. Nothing is at `path` until [`Export::finish`].
    ///
    /// # Errors
    /// [`ExportError::Exists`] and [`ExportError::File`].
    pub fn create(path: &Path, format: Format) -> Result<Export, ExportError> {
        Export::begin(path, (format, &format.head()))
    }

    fn begin(path: &Path, (format, head): (Format, &str)) -> Result<Export, ExportError> {
        let failed = |cause| failed(path, cause);
        let name = path.file_name().ok_or_else(|| failed(ErrorKind::InvalidFilename.into()))?;
        if path.symlink_metadata().is_ok() {
            return Err(failed(ErrorKind::AlreadyExists.into()));
        }
        let beside = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside).map_err(failed)?;
        let mut export = Export { path: path.to_owned(), beside, out: BufWriter::new(file), format, rows: 0 };
        export.write(head)?;
        Ok(export)
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::File`].
    pub fn add(&mut self, rows: &[AuditRow]) -> Result<(), ExportError> {
        for row in rows {
            self.write(&self.format.row(row))?;
            self.rows = self.rows.saturating_add(1);
        }
        Ok(())
    }

    /// Gives the file its name, when that is still free, and answers how many rows it has.
    ///
    /// # Errors
    /// [`ExportError::Exists`] and [`ExportError::File`]; nothing is left then.
    pub fn finish(mut self) -> Result<u64, ExportError> {
        let named = self.out.flush().and_then(|()| self.out.get_ref().sync_all()).and_then(|()| name(&self.beside, &self.path));
        named.map_err(|cause| failed(&self.path, cause))?;
        Ok(self.rows)
    }

    fn write(&mut self, text: &str) -> Result<(), ExportError> {
        self.out.write_all(text.as_bytes()).map_err(|cause| failed(&self.path, cause))
    }
}

fn failed(path: &Path, cause: io::Error) -> ExportError {
    match cause.kind() {
        ErrorKind::AlreadyExists => ExportError::Exists(path.to_owned()),
        _ => ExportError::File { path: path.to_owned(), cause },
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let _named_already = std::fs::remove_file(&self.beside);
    }
}

/// A second name never replaces a file; where a file can have only one (some network and memory-card file systems), a rename that refuses
/// to replace one.
fn name(beside: &Path, path: &Path) -> io::Result<()> {
    match std::fs::hard_link(beside, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            renameat_with(CWD, beside, CWD, path, RenameFlags::NOREPLACE).map_err(io::Error::from)
        }
        linked => linked,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use proptest::prelude::*;

    use super::*;

    fn row(object: &str) -> AuditRow {
        let json = serde_json::json!({ "seq": 7, "at": "2026-12-01T09:30:00.000Z", "actor": "connection:dots", "kind": "tool.called",
            "object": object, "outcome": "ok", "reason": null, "grant": null, "took_ms": 3, "detail": { "tool": "a, \"b\"" } });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_row_is_a_line_of_json_or_of_csv() {
        assert_eq!(Format::JsonLines.head(), "");
        let line = Format::JsonLines.row(&row("x"));
        assert_eq!((serde_json::from_str::<AuditRow>(&line).unwrap(), line.matches('\n').count()), (row("x"), 1));
        assert_eq!(Format::Csv.head(), "seq,at,actor,kind,object,outcome,reason,grant,took_ms,detail\r\n");
        assert_eq!(
            Format::Csv.row(&row("x")),
            "7,2026-12-01T09:30:00.000Z,connection:dots,tool.called,x,ok,,,3,\"{\"\"tool\"\":\"\"a, \\\"\"b\\\"\"\"\"}\"\r\n"
        );
    }

    #[test]
    fn a_cell_is_quoted_when_it_must_be_and_is_never_a_formula() {
        for (text, cell) in [
            ("plain", "plain"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("a\nb", "\"a\nb\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("=HYPERLINK(\"http://a\",\"b\")", "\"'=HYPERLINK(\"\"http://a\"\",\"\"b\"\")\""),
            ("1-1=0", "1-1=0"),
        ] {
            assert_eq!(csv_cell(text), cell, "{text}");
        }
    }

    #[test]
    fn the_form_follows_the_name_or_the_flag() {
        for (name, csv, format) in [
            ("a.csv", false, Format::Csv),
            ("a.CSV", false, Format::Csv),
            ("a.jsonl", false, Format::JsonLines),
            ("csv", false, Format::JsonLines),
            ("a", true, Format::Csv),
        ] {
            assert_eq!(Format::of(Path::new(name), csv), format, "{name}");
        }
    }

    #[test]
    fn a_place_is_whole_and_begins_at_home_where_it_says_so() {
        let home = || Some(PathBuf::from("/home/sam"));
        let here = std::env::current_dir().unwrap();
        for (typed, meant) in [
            ("~/a.csv", PathBuf::from("/home/sam/a.csv")),
            ("/tmp/a.csv", PathBuf::from("/tmp/a.csv")),
            ("a.csv", here.join("a.csv")),
            ("~sam/a.csv", here.join("~sam/a.csv")),
            ("b/~/a.csv", here.join("b/~/a.csv")),
        ] {
            assert_eq!(place(Path::new(typed), home()), meant, "{typed}");
        }
        assert_eq!(place(Path::new("~/a.csv"), None), here.join("~/a.csv"), "without a home it is a name like any other");
    }

    #[test]
    fn the_file_is_private_appears_whole_and_replaces_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.csv");
        let mut export = Export::create(&path, Format::Csv).unwrap();
        export.add(&[row("a"), row("b")]).unwrap();
        assert!(!path.exists());
        assert_eq!(export.finish().unwrap(), 2);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_to_string(&path).unwrap().matches("\r\n").count(), 3);
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
        assert!(matches!(Export::create(&path, Format::Csv), Err(ExportError::Exists(_))));
    }

    #[test]
    fn what_is_not_finished_or_comes_too_late_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        drop(Export::create(&path, Format::JsonLines).unwrap());
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
        let late = Export::create(&path, Format::JsonLines).unwrap();
        std::fs::write(&path, "mine").unwrap();
        assert!(matches!(late.finish(), Err(ExportError::Exists(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
        assert!(Export::create(&dir.path().join("no/folder"), Format::Csv).is_err());
    }

    proptest! {
        /// A reader of RFC 4180 gets the text back, with at most the apostrophe before it.
        #[test]
        fn a_cell_is_read_back_as_it_was(text in "[a=+@\\-,\"'\r\n ]{0,12}") {
            let cell = csv_cell(&text);
            let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).map(|cell| cell.replace("\"\"", "\""));
            let read = inner.unwrap_or_else(|| cell.clone());
            prop_assert!(!read.starts_with(['=', '+', '-', '@']));
            let marked = ["'", &text].concat();
            prop_assert!(read == text || read == marked, "{}", read);
        }
    }
}
