//! The theme's file is read again when it is saved. The system says when; nobody looks at it in between.

use std::ffi::OsString;
use std::path::Path;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::error::ThemeError;
use super::{Theme, Themes};

/// Ends with this value.
pub(crate) struct Watch(#[expect(dead_code, reason = "held for its end")] RecommendedWatcher);

impl Themes {
    /// Calls `changed`, on a thread of its own, with the theme or what is wrong with it whenever its file was saved. Nothing is watched when
    /// the theme has no file and its folder does not exist.
    pub(crate) fn watch(&self, changed: impl Fn(Result<Theme, String>) + Send + 'static) -> Option<Watch> {
        let file = self.file()?.to_owned();
        // Of a link the file it leads to is saved, elsewhere.
        let files = [Some(file.clone()), file.canonicalize().ok()];
        let files: Vec<_> = files.into_iter().flatten().collect();
        let names: Vec<OsString> = files.iter().filter_map(|file| file.file_name()).map(Into::into).collect();
        let themes = self.clone();
        let heard = move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_saved(event.kind) && event.paths.iter().any(|path| is_one(path, &names))) {
                themes.tell(&changed);
            }
        };
        let mut watcher = notify::recommended_watcher(heard).ok()?;
        // The folder, not the file: editors put a new file in the place of the old one.
        let folders = files.iter().filter_map(|file| file.parent());
        let watched = folders.filter(|folder| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok()).count();
        (watched > 0).then_some(Watch(watcher))
    }

    /// A file that is gone is about to be replaced, or its owner wants something else at the next start: no reason to change the colours.
    fn tell(&self, changed: &impl Fn(Result<Theme, String>)) {
        match self.load() {
            Err(ThemeError::Missing(_)) => {}
            Ok(theme) => changed(Ok(theme)),
            Err(error) => changed(Err(format!("{error}; the colours stay as they were"))),
        }
    }
}

fn is_one(path: &Path, names: &[OsString]) -> bool {
    path.file_name().is_some_and(|name| names.iter().any(|one| one == name))
}

/// Where the system tells when a writer is done, a file is not read half written.
fn is_saved(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Modify(ModifyKind::Name(_)) => true,
        EventKind::Create(_) | EventKind::Modify(_) => !cfg!(target_os = "linux"),
        _ => false,
    }
}
