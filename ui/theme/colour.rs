//! Colours: how a file writes them, how many a terminal must have for one, and the nearest one of 256.

use ratatui::style::Color;

use super::Depth;

/// The terminal's own sixteen, by their numbers. What ratatui calls gray is the plain white, its white is the bright one.
const NAMES: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];
/// The steps of red, green and blue in the cube of the colours 16 to 231.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// What a colour must be, as the rest of a sentence.
pub(super) const ALLOWED: &str = r##""#rrggbb", a name such as "red" or "bright-red", or a number from 0 to 255"##;

/// A colour in words: `#rrggbb` or one of the sixteen names.
pub(super) fn named(text: &str) -> Option<Color> {
    match text.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some(Color::Rgb(red, green, blue))
        }
        Some(_) => None,
        None => NAMES.iter().find(|(name, _)| *name == text).map(|(_, colour)| *colour),
    }
}

/// A colour by its number.
pub(super) fn numbered(number: u8) -> Color {
    NAMES.get(usize::from(number)).map_or(Color::Indexed(number), |(_, colour)| *colour)
}

/// How many colours a terminal must have to show this one.
pub(super) fn needs(colour: Color) -> Depth {
    match colour {
        Color::Rgb(..) => Depth::True,
        Color::Indexed(_) => Depth::Indexed,
        _ => Depth::Sixteen,
    }
}

/// The colour as a terminal with 256 can show it.
pub(super) fn indexed(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let apart = |number: &u8| {
        let (r, g, b) = rgb(*number);
        [(red, r), (green, g), (blue, b)].iter().map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>()
    };
    (16..=255).min_by_key(apart).map_or(colour, Color::Indexed)
}

/// What is behind the numbers from 16 on: a cube of colours, then grays. The sixteen before them are the owner's.
pub(super) fn rgb(number: u8) -> (u8, u8, u8) {
    if number >= 232 {
        let gray = 8 + 10 * (number - 232);
        return (gray, gray, gray);
    }
    let place = number.saturating_sub(16);
    let step = |at: u8| STEPS.get(usize::from(at % 6)).copied().unwrap_or(0);
    (step(place / 36), step(place / 6), step(place))
}
