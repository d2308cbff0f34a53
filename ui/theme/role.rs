//! What a piece of text means, and what a theme's file calls it.

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Text,
    Muted,
    Accent,
    Ok,
    Warn,
    Danger,
    Title,
    Selected,
    DiffAdd,
    DiffDel,
}

/// Every role by its name in a file, in the order of [`Role`].
pub(super) const ROLES: [(&str, Role); 10] = [
    ("text", Role::Text),
    ("muted", Role::Muted),
    ("accent", Role::Accent),
    ("ok", Role::Ok),
    ("warn", Role::Warn),
    ("danger", Role::Danger),
    ("title", Role::Title),
    ("selected", Role::Selected),
    ("diff_add", Role::DiffAdd),
    ("diff_del", Role::DiffDel),
];
