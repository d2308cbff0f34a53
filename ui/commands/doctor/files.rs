//! The state directory: whose it is, who else can look into it, and whether there is room.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::finding::Finding;

const SUBJECT: &str = "files";
/// Below this the host will not get far; below that it is time to look.
const NO_ROOM: u64 = 50 * 1024 * 1024;
const LITTLE_ROOM: u64 = 1024 * 1024 * 1024;
/// What everybody but the owner may do.
const OTHERS: u32 = 0o077;

pub(super) fn check(state_dir: &Path) -> Vec<Finding> {
    let mut found = match std::fs::metadata(state_dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            vec![Finding::note(SUBJECT, &format!("{} is not there yet: the first start makes it", state_dir.display()), "")]
        }
        Err(error) => vec![Finding::fail(SUBJECT, &format!("{}: {error}", state_dir.display()), "name another --state-dir")],
        Ok(facts) if !facts.is_dir() => {
            vec![Finding::fail(SUBJECT, &format!("{} is not a directory", state_dir.display()), "name another --state-dir")]
        }
        Ok(facts) => private(state_dir, &facts),
    };
    found.extend(room(state_dir));
    found
}

/// The directory and what is in it directly; what is deeper is behind the directory's own mode.
fn private(state_dir: &Path, facts: &Metadata) -> Vec<Finding> {
    let mut wrong: Vec<Finding> = owned(state_dir, facts, "700").into_iter().collect();
    match std::fs::read_dir(state_dir) {
        Ok(entries) => {
            for entry in entries.flatten() {
                // Of a link, the link itself: where it leads is not ours to judge.
                let Ok(facts) = entry.metadata() else { continue };
                let mode = if facts.is_dir() { "700" } else { "600" };
                wrong
                    .extend(Some(facts).filter(|facts| !facts.is_symlink()).and_then(|facts| owned(&entry.path(), &facts, mode)));
            }
        }
        Err(error) => {
            wrong.push(Finding::fail(SUBJECT, &format!("{} cannot be read: {error}", state_dir.display()), "see who owns it"))
        }
    }
    if wrong.is_empty() {
        wrong.push(Finding::ok(SUBJECT, &format!("{} and what is in it are yours alone", state_dir.display())));
    }
    wrong
}

/// What is wrong with the owner or the mode of `path`.
fn owned(path: &Path, facts: &Metadata, mode: &str) -> Option<Finding> {
    let shown = path.display();
    let us = rustix::process::geteuid().as_raw();
    if facts.uid() != us {
        let says = format!("{shown} belongs to user {}, and you are user {us}", facts.uid());
        return Some(Finding::fail(SUBJECT, &says, &format!("sudo chown {us} {shown}, if it is yours")));
    }
    let others = facts.mode() & OTHERS != 0;
    others.then(|| {
        let says = format!("{shown} is open to other users (mode {:03o})", facts.mode() & 0o777);
        Finding::fail(SUBJECT, &says, &format!("chmod {mode} {shown}"))
    })
}

/// The room on the disk, also of a directory that is still to be made.
fn room(state_dir: &Path) -> Option<Finding> {
    let there = state_dir.ancestors().find(|path| path.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    Some(enough(disk.f_bavail.saturating_mul(disk.f_frsize), there))
}

fn enough(free: u64, on: &Path) -> Finding {
    const MIB: u64 = 1024 * 1024;
    let free_is = if free < 10 * 1024 * MIB { format!("{} MiB", free / MIB) } else { format!("{} GiB", free / (1024 * MIB)) };
    let says = format!("{free_is} are free at {}", on.display());
    match free {
        0..NO_ROOM => {
            Finding::fail("disk", &says, "make room: without it calls are refused, because nothing can be written down")
        }
        NO_ROOM..LITTLE_ROOM => Finding::note("disk", &says, "make room before it is full: the audit grows with every call"),
        _ => Finding::ok("disk", &says),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_key_others_can_read_is_named_with_the_command_that_closes_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).unwrap();
        let key = dir.path().join("audit.key");
        std::fs::write(&key, "").unwrap();
        std::fs::set_permissions(&key, Permissions::from_mode(0o640)).unwrap();
        let found = check(dir.path());
        assert_eq!(found[0].next.as_deref(), Some(format!("chmod 600 {}", key.display()).as_str()));
        std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(check(dir.path())[0].level, Level::Ok);
    }

    #[test]
    fn a_directory_that_is_still_to_be_made_is_no_failure_and_one_that_cannot_be_is() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(check(&dir.path().join("new"))[0].level, Level::Note);
        std::fs::write(dir.path().join("file"), "").unwrap();
        assert_eq!(check(&dir.path().join("file"))[0].level, Level::Fail);
    }

    #[test]
    fn little_room_is_told_before_there_is_none() {
        let levels = [0, NO_ROOM, LITTLE_ROOM].map(|free| enough(free, Path::new("/")).level);
        assert_eq!(levels, [Level::Fail, Level::Note, Level::Ok]);
        assert_eq!(enough(9 << 30, Path::new("/")).says, "9216 MiB are free at /");
        assert_eq!(enough(68 << 30, Path::new("/")).says, "68 GiB are free at /");
    }
}
