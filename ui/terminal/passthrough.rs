//! Control sequences for the terminal behind a multiplexer, which keeps to itself what it is not told to pass on.

/// What stands between this program and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Multiplexer {
    None,
    /// Passes on only when its `allow-passthrough` is on.
    Tmux,
    Screen,
}

/// GNU screen drops a device control string that is longer than its buffer, so a long one is sent in parts.
const SCREEN_PART: usize = 240;

impl Multiplexer {
    /// `sequence`, wrapped so that it is passed on. It must end with BEL: the other end of a sequence would end the wrapping.
    pub(super) fn wrap(self, sequence: &[u8]) -> Vec<u8> {
        match self {
            Multiplexer::None => sequence.to_vec(),
            Multiplexer::Tmux => {
                let doubled = sequence.iter().flat_map(|byte| if *byte == 0x1b { vec![0x1b, 0x1b] } else { vec![*byte] });
                b"\x1bPtmux;".iter().copied().chain(doubled).chain(*b"\x1b\\").collect()
            }
            Multiplexer::Screen => {
                sequence.chunks(SCREEN_PART).flat_map(|part| [b"\x1bP".as_slice(), part, b"\x1b\\".as_slice()].concat()).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_multiplexer_has_its_own_wrapping() {
        let sequence = b"\x1b]9;x\x07";
        assert_eq!(Multiplexer::None.wrap(sequence), sequence);
        assert_eq!(Multiplexer::Tmux.wrap(sequence), b"\x1bPtmux;\x1b\x1b]9;x\x07\x1b\\");
        assert_eq!(Multiplexer::Screen.wrap(sequence), b"\x1bP\x1b]9;x\x07\x1b\\");
    }

    #[test]
    fn screen_gets_a_long_sequence_in_parts() {
        let wrapped = Multiplexer::Screen.wrap(&[b'x'; 500]);
        let wrapped = String::from_utf8(wrapped).unwrap();
        let parts: Vec<_> = wrapped.split_terminator("\x1b\\").map(|part| part.strip_prefix("\x1bP").unwrap().len()).collect();
        assert_eq!(parts, [240, 240, 20]);
    }
}
