//! The fixed set of characters the chrome is drawn with, each one cell wide, and their ASCII twins.

/// One kind of border.
#[derive(Debug)]
pub(crate) struct Border {
    pub(crate) horizontal: &'static str,
    pub(crate) vertical: &'static str,
    /// Top left, top right, bottom left, bottom right.
    pub(crate) corners: [&'static str; 4],
}

/// A set of characters.
#[derive(Debug)]
pub(crate) struct Glyphs {
    /// Around a pane that does not have the focus.
    pub(crate) light: Border,
    /// Around the pane or overlay that has it: visible without colour.
    pub(crate) heavy: Border,
    /// In front of the selected row.
    pub(crate) mark: &'static str,
    pub(crate) product: &'static str,
    /// Connected to the host.
    pub(crate) on: &'static str,
    /// Not connected.
    pub(crate) off: &'static str,
    pub(crate) done: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) ellipsis: &'static str,
}

/// For terminals that show UTF-8.
pub(crate) const UNICODE: Glyphs = Glyphs {
    light: Border { horizontal: "─", vertical: "│", corners: ["╭", "╮", "╰", "╯"] },
    heavy: Border { horizontal: "━", vertical: "┃", corners: ["┏", "┓", "┗", "┛"] },
    mark: "▌",
    product: "◆",
    on: "●",
    off: "◌",
    done: "✓",
    failed: "✗",
    ellipsis: "…",
};

/// For all others.
pub(crate) const ASCII: Glyphs = Glyphs {
    light: Border { horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"] },
    heavy: Border { horizontal: "=", vertical: "#", corners: ["#", "#", "#", "#"] },
    mark: ">",
    product: "*",
    on: "*",
    off: "o",
    done: "+",
    failed: "x",
    ellipsis: "...",
};

/// The ASCII twin of a character in a sentence of ours; for text of others a question mark says that something is there.
pub(crate) fn twin(grapheme: &str) -> &'static str {
    match grapheme {
        "…" => "...",
        "·" => ".",
        "—" | "–" => "-",
        "→" => "->",
        "↓" => "down",
        "↑" => "up",
        "←" => "left",
        "↵" => "enter",
        "⟨" => "<",
        "⟩" => ">",
        "“" | "”" => "\"",
        "’" => "'",
        _ => "?",
    }
}
