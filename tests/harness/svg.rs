//! A terminal's screen as a picture. Every character has its place, and lines and blocks are drawn, so it looks the same with every font.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// The size of a cell and of the frame around them.
const CELL: (f32, f32) = (8.4, 18.0);
const MARGIN: f32 = 14.0;
const BAR: f32 = 34.0;
const INK: &str = "#d3d7e0";
const PAPER: &str = "#14161b";
/// The sixteen colours, for a dark background.
const PALETTE: [&str; 16] = [
    "#20242c", "#f7768e", "#8fd18a", "#e6c07b", "#7aa2f7", "#c792ea", "#62d0d8", "#c8ccd6", "#6b7385", "#ff8fa3", "#a6e3a1",
    "#f3d28f", "#97b8ff", "#d8aef5", "#89e2e8", "#ffffff",
];

/// How a cell looks.
#[derive(Clone, PartialEq)]
struct Look {
    ink: String,
    paper: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Idx(index) if index < 16 => Some(PALETTE[usize::from(index)].to_owned()),
        Color::Idx(index) if index >= 232 => {
            let grey = 8 + 10 * (index - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
        Color::Idx(index) => {
            let part = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
            let cube = index - 16;
            Some(format!("#{:02x}{:02x}{:02x}", part(cube / 36), part(cube / 6 % 6), part(cube % 6)))
        }
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
    }
}

fn look(cell: &Cell) -> Look {
    let (ink, paper) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
    let (ink, paper) = if cell.inverse() {
        (paper.unwrap_or_else(|| PAPER.to_owned()), Some(ink.unwrap_or_else(|| INK.to_owned())))
    } else {
        (ink.unwrap_or_else(|| INK.to_owned()), paper)
    };
    Look { ink, paper, bold: cell.bold(), dim: cell.dim(), italic: cell.italic(), underline: cell.underline() }
}

/// Draws `screen`, in which `texts` are the characters of each row. `title` is what the window is called.
pub fn draw(screen: &Screen, texts: &[String], title: &str) -> String {
    let (rows, columns) = (texts.len(), usize::from(screen.size().1.get()));
    let (width, height) = (columns as f32 * CELL.0 + 2.0 * MARGIN, rows as f32 * CELL.1 + BAR + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
         font-family=\"ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\">\n<title>{}</title>\n<desc>\n{}\n</desc>\n",
        escaped(title),
        escaped(&texts.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")),
    );
    let _ = writeln!(
        svg,
        "<rect x=\".5\" y=\".5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"10\" fill=\"{PAPER}\" stroke=\"#363b47\"/>",
        width - 1.0,
        height - 1.0
    );
    for (x, fill) in [(20, "#f7768e"), (40, "#e6c07b"), (60, "#8fd18a")] {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"17\" r=\"6\" fill=\"{fill}\"/>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.0}\" y=\"22\" fill=\"#8b93a5\" text-anchor=\"middle\" font-size=\"13\">{}</text>",
        width / 2.0,
        escaped(title)
    );
    for (y, text) in texts.iter().enumerate() {
        row(&mut svg, screen, (y, text));
    }
    svg + "</svg>\n"
}

/// One row: backgrounds, then what is drawn, then what is written, each in runs of the same look.
fn row(svg: &mut String, screen: &Screen, (y, text): (usize, &str)) {
    let looks: Vec<Look> = (0..text.chars().count())
        .map(|x| {
            let cell = screen.cell(u16::try_from(y).unwrap(), u16::try_from(x).unwrap());
            look(cell.unwrap())
        })
        .collect();
    let cells: Vec<(usize, char)> = text.chars().enumerate().collect();
    for run in cells.chunk_by(|before, after| looks[before.0] == looks[after.0]) {
        let look = &looks[run[0].0];
        let (left, top) = (MARGIN + run[0].0 as f32 * CELL.0, BAR + y as f32 * CELL.1);
        if let Some(paper) = &look.paper {
            let wide = run.len() as f32 * CELL.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{paper}\" shape-rendering=\"crispEdges\"/>",
                CELL.1
            );
        }
        lines(svg, run, (top, look));
        written(svg, run, (top, look));
    }
}

fn opacity(look: &Look) -> &'static str {
    if look.dim { " opacity=\".62\"" } else { "" }
}

/// The characters that are written, each at its place.
fn written(svg: &mut String, run: &[(usize, char)], (top, look): (f32, &Look)) {
    let shown: Vec<&(usize, char)> = run.iter().filter(|(_, c)| *c != ' ' && shape(*c).is_none()).collect();
    if shown.is_empty() {
        return;
    }
    let places: Vec<String> = shown.iter().map(|(x, _)| format!("{:.1}", MARGIN + *x as f32 * CELL.0)).collect();
    let text: String = shown.iter().map(|(_, c)| c).collect();
    let bold = if look.bold { " font-weight=\"700\"" } else { "" };
    let italic = if look.italic { " font-style=\"italic\"" } else { "" };
    let underline = if look.underline { " text-decoration=\"underline\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{:.1}\" fill=\"{}\"{bold}{italic}{underline}{}>{}</text>",
        places.join(" "),
        top + 13.5,
        look.ink,
        opacity(look),
        escaped(&text)
    );
}

/// The characters that are drawn as shapes, in one path for each kind.
fn lines(svg: &mut String, run: &[(usize, char)], (top, look): (f32, &Look)) {
    for (stroke, fill) in [(1.2, false), (2.4, false), (0.0, true)] {
        let mut path = String::new();
        for (x, c) in run {
            if let Some(shape) = shape(*c).filter(|shape| shape.stroke == stroke) {
                path.push_str(&shape.at(MARGIN + *x as f32 * CELL.0, top));
            }
        }
        if path.is_empty() {
            continue;
        }
        let ink = &look.ink;
        let how =
            if fill { format!("fill=\"{ink}\"") } else { format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{stroke}\"") };
        let _ = writeln!(svg, "<path d=\"{path}\" {how}{}/>", opacity(look));
    }
}

/// A line or a block: how wide it is drawn (0: filled), and what it is.
struct Shape {
    stroke: f32,
    parts: Parts,
}

enum Parts {
    /// Arms from the middle: left, right, up, down.
    Arms([bool; 4]),
    /// A rounded corner with these arms.
    Corner([bool; 4]),
    /// A filled part of the cell: x, y, width, height, each of 1.
    Block([f32; 4]),
}

#[rustfmt::skip]
fn shape(c: char) -> Option<Shape> {
    let arms = |stroke, arms: [u8; 4]| Some(Shape { stroke, parts: Parts::Arms(arms.map(|arm| arm == 1)) });
    let corner = |arms: [u8; 4]| Some(Shape { stroke: 1.2, parts: Parts::Corner(arms.map(|arm| arm == 1)) });
    match c {
        '─' => arms(1.2, [1, 1, 0, 0]), '│' => arms(1.2, [0, 0, 1, 1]),
        '━' => arms(2.4, [1, 1, 0, 0]), '┃' => arms(2.4, [0, 0, 1, 1]),
        '┏' => arms(2.4, [0, 1, 0, 1]), '┓' => arms(2.4, [1, 0, 0, 1]),
        '┗' => arms(2.4, [0, 1, 1, 0]), '┛' => arms(2.4, [1, 0, 1, 0]),
        '╭' => corner([0, 1, 0, 1]), '╮' => corner([1, 0, 0, 1]),
        '╰' => corner([0, 1, 1, 0]), '╯' => corner([1, 0, 1, 0]),
        '▌' => Some(Shape { stroke: 0.0, parts: Parts::Block([0.0, 0.0, 0.5, 1.0]) }),
        '▁'..='█' => {
            let part = f32::from(u8::try_from(u32::from(c) - 0x2580).ok()?) / 8.0;
            // Bars of neighbouring rows do not touch.
            Some(Shape { stroke: 0.0, parts: Parts::Block([0.06, 0.12 + (1.0 - part) * 0.8, 0.88, part * 0.8]) })
        }
        _ => None,
    }
}

impl Shape {
    fn at(&self, x: f32, y: f32) -> String {
        let (middle_x, middle_y) = (x + CELL.0 / 2.0, y + CELL.1 / 2.0);
        let (right, bottom) = (x + CELL.0, y + CELL.1);
        match self.parts {
            Parts::Arms([true, true, _, _]) => format!("M{x:.1} {middle_y:.1}H{right:.1}"),
            Parts::Arms([_, _, true, true]) => format!("M{middle_x:.1} {y:.1}V{bottom:.1}"),
            Parts::Arms([left, _, up, _]) => {
                let (side, end) = (if left { x } else { right }, if up { y } else { bottom });
                format!("M{side:.1} {middle_y:.1}H{middle_x:.1}V{end:.1}")
            }
            Parts::Corner([left, _, up, _]) => {
                let (side, end) = (if left { x } else { right }, if up { y } else { bottom });
                format!("M{side:.1} {middle_y:.1}Q{middle_x:.1} {middle_y:.1} {middle_x:.1} {end:.1}")
            }
            Parts::Block([from_x, from_y, wide, high]) => {
                let (left, top) = (x + from_x * CELL.0, y + from_y * CELL.1);
                format!("M{left:.1} {top:.1}h{:.1}v{:.1}h-{:.1}z", wide * CELL.0, high * CELL.1, wide * CELL.0)
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
