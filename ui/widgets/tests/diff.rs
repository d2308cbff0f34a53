//! Differences are complete: whoever decides by one sees every line.

use proptest::prelude::*;

use crate::widgets::{Diff, Sign};

#[test]
fn what_went_stands_before_what_came_instead() {
    let diff = Diff::of("read\nwrite\nlist", "read\nsearch\nlist");
    let signed = [(Sign::Same, "read"), (Sign::Gone, "write"), (Sign::New, "search"), (Sign::Same, "list")];
    assert_eq!(diff.lines(), signed);
    assert_eq!(Diff::of("", "a").lines(), [(Sign::New, "a")]);
    assert_eq!(Diff::of("a\n", "a").lines(), [(Sign::Same, "a"), (Sign::Gone, "")], "a line feed at the end is one");
    assert_eq!(Diff::of("", "").lines(), []);
}

proptest! {
    #[test]
    fn both_texts_can_be_read_out_of_their_difference(before in "([ab]{0,2}\n){0,9}", after in "([ab]{0,2}\n){0,9}") {
        let diff = Diff::of(&before, &after);
        let side = |not: Sign| diff.lines().iter().filter(|(sign, _)| *sign != not).map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
        prop_assert_eq!(side(Sign::New), before);
        prop_assert_eq!(side(Sign::Gone), after);
    }
}
