//! A selection: it holds an id, never a position, so a list that changes never puts the cursor on another row.

/// Which row of a list is selected, and which one is drawn first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection<Id> {
    chosen: Option<Id>,
    /// Where the chosen row was: where a movement goes on from when it is gone.
    place: usize,
    top: usize,
}

impl<Id: Clone + PartialEq> Selection<Id> {
    /// The selected id.
    pub(crate) fn chosen(&self) -> Option<&Id> {
        self.chosen.as_ref()
    }

    /// Nothing is selected, and the list is drawn from its start.
    pub(crate) fn clear(&mut self) {
        *self = Selection { chosen: None, place: 0, top: 0 };
    }

    /// Moves by `by` rows in a list of which `height` are visible. Without a selection, it takes the row where the last one was.
    pub(crate) fn step(&mut self, ids: &[Id], by: isize, height: usize) {
        let Some(last) = ids.len().checked_sub(1) else { return self.clear() };
        let here = self.chosen.as_ref().and_then(|id| ids.iter().position(|other| other == id));
        let target = match here {
            Some(here) => here.saturating_add_signed(by).min(last),
            None => self.place.min(last),
        };
        self.chosen = ids.get(target).cloned();
        self.place = target;
        self.top = top(self.top, Some(target), height);
    }

    /// Selects `id`, when there is one.
    pub(crate) fn choose(&mut self, id: Option<&Id>) {
        if let Some(id) = id {
            self.chosen = Some(id.clone());
        }
    }

    /// Takes the first row if nothing is selected yet.
    pub(crate) fn begin(&mut self, ids: &[Id]) {
        if self.chosen.is_none() && self.place == 0 {
            self.chosen = ids.first().cloned();
        }
    }

    /// Called when the list changed: a row that is gone is not selected any more, and no other row takes its place.
    pub(crate) fn keep(&mut self, ids: &[Id]) {
        match self.chosen.as_ref().map(|id| ids.iter().position(|other| other == id)) {
            Some(Some(place)) => self.place = place,
            Some(None) => self.chosen = None,
            None => {}
        }
        self.top = self.top.min(ids.len().saturating_sub(1));
    }

    /// The row to draw first when `height` are visible, and the place of the selected one.
    pub(crate) fn shown(&self, ids: &[Id], height: usize) -> (usize, Option<usize>) {
        let here = self.chosen.as_ref().and_then(|id| ids.iter().position(|other| other == id));
        (top(self.top.min(ids.len().saturating_sub(1)), here, height), here)
    }
}

/// `before`, moved as little as possible so that row `here` is visible.
fn top(before: usize, here: Option<usize>, height: usize) -> usize {
    match here {
        Some(here) if here < before => here,
        Some(here) if height > 0 && here >= before + height => here + 1 - height,
        _ => before,
    }
}
