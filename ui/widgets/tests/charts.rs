//! Sparklines and bars.

use proptest::prelude::*;

use super::theme;
use crate::widgets::{bar, sparkline, width};

#[test]
fn a_sparkline_is_as_high_as_its_own_maximum_allows() {
    let numbers: Vec<u64> = (0..=8).collect();
    assert_eq!(sparkline(&theme(false), &numbers, 9), " ▁▂▃▄▅▆▇█");
    assert_eq!(sparkline(&theme(true), &numbers, 9), " .__-==##");
    assert_eq!(sparkline(&theme(false), &[100, 800], 2), "▁█");
}

#[test]
fn a_little_beside_very_much_can_still_be_seen() {
    assert_eq!(sparkline(&theme(false), &[1, 0, u64::MAX], 3), "▁ █");
    assert_eq!(sparkline(&theme(true), &[1, 0, u64::MAX], 3), ". #");
}

#[test]
fn hours_are_added_up_when_there_are_fewer_cells() {
    let mut hours = [0; 24];
    (hours[0], hours[2], hours[23]) = (1, 1, 2);
    assert_eq!(sparkline(&theme(false), &hours, 8), "█      █");
    assert_eq!(sparkline(&theme(false), &hours, 12), "▄▄         █");
    assert_eq!(sparkline(&theme(false), &hours, 24), "▄ ▄                    █");
}

#[test]
fn nothing_is_drawn_as_nothing() {
    assert_eq!(sparkline(&theme(false), &[0; 24], 8), " ".repeat(8));
    assert_eq!(sparkline(&theme(false), &[], 3), "   ");
    assert_eq!(sparkline(&theme(false), &[1; 24], 0), "");
}

#[test]
fn a_bar_is_exact_to_an_eighth_of_a_cell() {
    let unicode = theme(false);
    assert_eq!(bar(&unicode, 8, 8, 4), "████");
    assert_eq!(bar(&unicode, 17, 32, 4), "██▏");
    assert_eq!(bar(&unicode, 18, 64, 4), "█▏");
    assert_eq!(bar(&theme(true), 17, 32, 4), "##");
}

#[test]
fn a_bar_shows_a_little_and_never_more_than_all() {
    for (ascii, least, full) in [(false, "▏", "███"), (true, "#", "###")] {
        let theme = theme(ascii);
        assert_eq!(bar(&theme, 1, u64::MAX, 3), least);
        assert_eq!(bar(&theme, u64::MAX, 1, 3), full);
        assert_eq!(bar(&theme, 0, 9, 3), "");
        assert_eq!(bar(&theme, 3, 0, 3), "");
        assert_eq!(bar(&theme, 3, 9, 0), "");
    }
}

proptest! {
    #[test]
    fn charts_keep_to_their_cells(numbers in prop::collection::vec(any::<u64>(), 0..40), cells in 0_usize..60, ascii: bool) {
        let line = sparkline(&theme(ascii), &numbers, cells);
        prop_assert_eq!(width(&line), cells);
        prop_assert!(!ascii || line.is_ascii());
        let part = numbers.first().copied().unwrap_or(0);
        let whole = numbers.last().copied().unwrap_or(0);
        prop_assert!(width(&bar(&theme(ascii), part, whole, cells)) <= cells);
    }
}
