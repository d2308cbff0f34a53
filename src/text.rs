//! Text from outside. [`Untrusted`] cannot be shown; [`Untrusted::safe`] makes it harmless and says where it was not.
//!
//! Control characters, bidirectional overrides, zero-width and tag characters become visible marks such as `⟨U+202E⟩`, so that what a
//! person reads is what is there (Unicode Technical Report 36). The one function serves the terminal, the pages and the command output.

use serde::{Deserialize, Serialize};
use unicode_general_category::{GeneralCategory, get_general_category};

/// Text somebody else chose: a client's name, a label, an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// Marks `text` as chosen by somebody else.
    pub fn new(text: impl Into<String>) -> Untrusted {
        Untrusted(text.into())
    }

    /// The text with every character that hides or steers made visible. Line breaks become marks too.
    pub fn safe(&self) -> String {
        safe(&self.0)
    }

    /// [`Untrusted::safe`], cut to `most` characters with `…` as the last one when something was cut.
    pub fn safe_line(&self, most: usize) -> String {
        shorten(&safe(&self.0), most)
    }
}

/// Text with every character that hides or steers made visible: see [`Untrusted::safe`]. Safe text comes back unchanged.
pub fn safe(text: &str) -> String {
    mark(text, false)
}

/// [`safe`] for text of several lines: line feeds and tabs stay.
pub fn safe_block(text: &str) -> String {
    mark(text, true)
}

/// Whether `text` holds a character that [`safe`] would mark.
pub fn has_hidden(text: &str) -> bool {
    text.chars().any(hides)
}

/// At most `most` characters; the last is `…` when something was cut.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// Words as a sentence of their own: with a capital letter and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).chain(['.']).collect()).unwrap_or_default()
}

fn mark(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) && !(lines && matches!(c, '\n' | '\t')) {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Control, format, surrogate, private-use, unassigned, line and paragraph separators, variation selectors and other characters
/// that draw nothing (`Default_Ignorable_Code_Point`).
fn hides(c: char) -> bool {
    use GeneralCategory as G;
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let category = matches!(
        get_general_category(c),
        G::Control | G::Format | G::Surrogate | G::PrivateUse | G::Unassigned | G::LineSeparator | G::ParagraphSeparator
    );
    let ignorable = matches!(
        u32::from(c),
        0x034F | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F | 0xFFA0 | 0xE0000..=0xE0FFF
    );
    let odd_space = c != ' ' && get_general_category(c) == G::SpaceSeparator && c != '\u{3000}';
    category || ignorable || odd_space
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Untrusted, has_hidden, safe, safe_block, sentence, shorten};

    #[test]
    fn everything_that_hides_or_steers_becomes_a_mark() {
        for (what, text, shown) in [
            ("an ANSI colour", "\u{1b}[31mred", "⟨U+001B⟩[31mred"),
            ("a one-byte CSI", "\u{9b}31m", "⟨U+009B⟩31m"),
            ("an OSC 52 clipboard write", "\u{1b}]52;c;eA==\u{7}", "⟨U+001B⟩]52;c;eA==⟨U+0007⟩"),
            ("a line break", "a\r\nb", "a⟨U+000D⟩⟨U+000A⟩b"),
            ("a backspace and a delete", "a\u{8}b\u{7f}", "a⟨U+0008⟩b⟨U+007F⟩"),
            ("a null", "\0", "⟨U+0000⟩"),
            ("a right-to-left override", "\u{202e}gpj.exe", "⟨U+202E⟩gpj.exe"),
            ("bidirectional isolates", "\u{2066}a\u{2069}", "⟨U+2066⟩a⟨U+2069⟩"),
            ("an Arabic letter mark", "\u{61c}", "⟨U+061C⟩"),
            ("zero-width space, joiner and non-joiner", "a\u{200b}b\u{200d}c\u{200c}", "a⟨U+200B⟩b⟨U+200D⟩c⟨U+200C⟩"),
            ("a byte order mark", "\u{feff}a", "⟨U+FEFF⟩a"),
            ("a soft hyphen", "a\u{ad}b", "a⟨U+00AD⟩b"),
            ("a word joiner", "a\u{2060}b", "a⟨U+2060⟩b"),
            ("tag characters", "\u{e0001}\u{e0041}", "⟨U+E0001⟩⟨U+E0041⟩"),
            ("the emoji variation selector", "\u{2764}\u{fe0f}", "\u{2764}⟨U+FE0F⟩"),
            ("a supplementary variation selector", "a\u{e0100}", "a⟨U+E0100⟩"),
            ("a Mongolian variation selector", "\u{180b}", "⟨U+180B⟩"),
            ("fillers that draw nothing", "\u{115f}\u{3164}\u{ffa0}\u{2800}", "⟨U+115F⟩⟨U+3164⟩⟨U+FFA0⟩⟨U+2800⟩"),
            ("a combining grapheme joiner", "a\u{34f}", "a⟨U+034F⟩"),
            ("a no-break space", "a\u{a0}b", "a⟨U+00A0⟩b"),
            ("thin and hair spaces", "a\u{2009}b\u{200a}", "a⟨U+2009⟩b⟨U+200A⟩"),
            ("line and paragraph separators", "\u{2028}\u{2029}", "⟨U+2028⟩⟨U+2029⟩"),
            ("private use", "\u{e000}\u{f8ff}", "⟨U+E000⟩⟨U+F8FF⟩"),
            ("a character that does not exist", "\u{378}", "⟨U+0378⟩"),
        ] {
            assert!(has_hidden(text), "{what}");
            assert_eq!(safe(text), shown, "{what}");
            assert_eq!(Untrusted::new(text).safe(), shown, "{what}");
        }
    }

    #[test]
    fn what_a_person_can_read_stays_as_it_is() {
        for text in [
            "",
            "Claude Code 2.0",
            "Ünïcödé",
            "日本語　テスト",
            "שלום",
            "مرحبا",
            "नमस्ते",
            "e\u{301}",
            "🦀 ⟨U+202E⟩",
            "<b>&amp;</b>",
        ] {
            assert!(!has_hidden(text), "{text}");
            assert_eq!(safe(text), text);
        }
    }

    #[test]
    fn a_block_keeps_its_lines_and_tabs_and_nothing_else() {
        assert_eq!(safe_block("a\n\tb\r\u{1b}[2J"), "a\n\tb⟨U+000D⟩⟨U+001B⟩[2J");
    }

    #[test]
    fn a_cut_is_marked_and_counts_characters() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äö…");
        assert_eq!((shorten("ab", 1).as_str(), shorten("ab", 0).as_str()), ("…", "…"));
        assert_eq!(Untrusted::new("\u{202e}abc").safe_line(9), "⟨U+202E⟩…");
    }

    #[test]
    fn words_become_a_sentence() {
        assert_eq!((sentence("no passkey is enrolled").as_str(), sentence("").as_str()), ("No passkey is enrolled.", ""));
    }

    #[test]
    fn untrusted_text_is_carried_as_it_came() {
        let text = Untrusted::new("\u{202e}x");
        let json = serde_json::to_string(&text).unwrap();
        assert_eq!(serde_json::from_str::<Untrusted>(&json).unwrap(), text);
    }

    /// Text in which every second character is one that may have to be marked.
    fn hostile() -> impl Strategy<Value = String> {
        let low = (0_u32..0x3000).prop_filter_map("a surrogate", char::from_u32);
        prop::collection::vec(prop_oneof![any::<char>(), low], 0..60).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_and_doing_it_again_changes_nothing(text in hostile()) {
            let once = safe(&text);
            prop_assert!(!has_hidden(&once));
            prop_assert!(!once.chars().any(char::is_control));
            prop_assert_eq!(&safe(&once), &once);
            prop_assert_eq!(has_hidden(&text), once != text, "safe text comes back unchanged, and only safe text does");
        }

        #[test]
        fn a_block_differs_from_a_line_only_in_breaks_and_tabs(text in hostile()) {
            let block = safe_block(&text);
            prop_assert_eq!(block.replace('\n', "⟨U+000A⟩").replace('\t', "⟨U+0009⟩"), safe(&text));
        }

        #[test]
        fn a_line_is_never_longer_than_asked(text in hostile(), most in 1_usize..40) {
            prop_assert!(Untrusted::new(text).safe_line(most).chars().count() <= most);
        }
    }
}
