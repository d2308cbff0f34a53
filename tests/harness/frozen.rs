//! A screen as it is published: what differs from run to run (times, dates, ids, ports, who runs it and where) is replaced by something of
//! the same width that is always the same.

/// What the clock shows in the first row that has a time; each row below is some seconds earlier.
const NOW: i64 = 9 * 3600 + 41 * 60 + 52;
const ROW: i64 = 17;
const DATE: &str = "2026-12-01";
const HEX: &str = "7c41e09b5d2f86a3f0b9143ed87a625c";

/// Replaces in one row what differs; `known` are texts of this run and what stands for them. The number of characters stays.
pub fn row(text: &str, y: i64, known: &[(String, String)]) -> String {
    let text =
        known.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, &format!("{to:<0$}", from.chars().count())));
    clock(&hash(&id(&date(&text))), y)
}

/// Calls `change` with each place where `fits` holds for so many characters, and puts what it answers there.
fn each(text: &str, cells: usize, fits: impl Fn(&[char]) -> bool, mut change: impl FnMut(&[char]) -> String) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        match chars.get(at..at + cells).filter(|found| fits(found)) {
            Some(found) => {
                out.push_str(&change(found));
                at += cells;
            }
            None => {
                out.push(chars[at]);
                at += 1;
            }
        }
    }
    out
}

/// Whether `found` is like `form`, in which `0` stands for any digit.
fn like(found: &[char], form: &str) -> bool {
    found.iter().zip(form.chars()).all(|(is, should)| if should == '0' { is.is_ascii_digit() } else { *is == should })
}

fn date(text: &str) -> String {
    each(text, 10, |found| like(found, "0000-00-00"), |_| DATE.to_owned())
}

/// The beginning of a hash, in groups of four.
fn hash(text: &str) -> String {
    let hex = |c: &char| c.is_ascii_digit() || ('a'..='f').contains(c);
    let fits = |found: &[char]| found.iter().enumerate().all(|(at, c)| if at % 5 == 4 { *c == ' ' } else { hex(c) });
    each(text, 14, fits, |_| "5c1e 9a40 77d2".to_owned())
}

/// Ids: hexadecimal digits and letters mixed, eight or more.
fn id(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(rest.len(), |end| start + end);
        let word = &rest[start..end];
        let hex = word.len() >= 8 && word.len() <= 64 && word.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
        let mixed = word.contains(|c: char| c.is_ascii_digit());
        out.push_str(&rest[..start]);
        out.push_str(&if hex && mixed { HEX.repeat(2)[..word.len()].to_owned() } else { word.to_owned() });
        rest = &rest[end..];
    }
    out + rest
}

fn clock(text: &str, y: i64) -> String {
    let mut first = None;
    let change = |found: &[char]| {
        let number = |at: usize| i64::from(found[at].to_digit(10).unwrap()) * 10 + i64::from(found[at + 1].to_digit(10).unwrap());
        let seconds = number(0) * 3600 + number(3) * 60 + number(6);
        // A second time in the row is as much later as it was.
        let later = (seconds - *first.get_or_insert(seconds)).rem_euclid(24 * 3600);
        let shown = NOW - ROW * y + if later >= 60 { later } else { 0 };
        format!("{:02}:{:02}:{:02}", shown / 3600, shown / 60 % 60, shown % 60)
    };
    each(text, 8, |found| like(found, "00:00:00"), change)
}
