//! The themes in the binary.

/// By name.
pub(super) const SHIPPED: [(&str, &str); 3] = [
    ("light", include_str!("../../assets/themes/light.toml")),
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("high-contrast", include_str!("../../assets/themes/high-contrast.toml")),
];

/// The text of the theme of this name.
pub(super) fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}
