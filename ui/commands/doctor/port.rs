//! Who listens on a port: the kernel's tables, where they are files.

use std::path::Path;

/// A socket that listens, in the kernel's tables.
const LISTENS: &str = "0A";

/// The program and its process. `None` when it cannot be known: another system, or another user's program.
pub(super) fn holder(port: u16) -> Option<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].into_iter().filter_map(|table| std::fs::read_to_string(table).ok());
    let inodes: Vec<String> = tables.flat_map(|table| listening(&table, port)).collect();
    if inodes.is_empty() {
        return None;
    }
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    // Not `self`, which is one of them under another name.
    let numbered = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    processes
        .filter(|process| numbered(&process.file_name()))
        .map(|process| process.path())
        .find(|process| holds(process, &inodes))
        .and_then(|process| name(&process))
}

/// The inodes of the sockets that listen on `port`.
fn listening(table: &str, port: u16) -> Vec<String> {
    let suffix = format!(":{port:04X}");
    let of = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, local, _, state, _, _, _, _, _, inode, ..] = fields.as_slice() else { return None };
        (local.ends_with(&suffix) && *state == LISTENS).then(|| format!("socket:[{inode}]"))
    };
    table.lines().skip(1).filter_map(of).collect()
}

fn holds(process: &Path, inodes: &[String]) -> bool {
    let Ok(files) = std::fs::read_dir(process.join("fd")) else { return false };
    files
        .flatten()
        .filter_map(|file| std::fs::read_link(file.path()).ok())
        .any(|to| inodes.iter().any(|inode| to.as_os_str() == inode.as_str()))
}

fn name(process: &Path) -> Option<String> {
    let id = process.file_name()?.to_str()?;
    let name = std::fs::read_to_string(process.join("comm")).ok()?;
    Some(format!("{} (process {id})", name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_that_listen_on_the_port_count() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1CFC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0\n\
            1: 0100007F:1CFC 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 20 4 30 10 -1\n\
            2: 0100007F:1CFD 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 333 1 0 100 0 0 10 0\n";
        assert_eq!(listening(table, 7420), ["socket:[111]"]);
    }
}
