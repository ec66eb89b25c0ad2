//! COBS, consistent overhead byte stuffing (S. Cheshire and M. Baker, IEEE/ACM Transactions on Networking 7(2), 1999).

/// Undoes the stuffing of `stuffed`, which is without its delimiter; `None` where it is not COBS. A code n stands
/// before n − 1 octets, and for a zero behind them, unless it is 255 or the last one.
#[must_use]
pub fn unstuff(stuffed: &[u8]) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(stuffed.len());
    let mut rest = stuffed;
    while let Some((&code, behind)) = rest.split_first() {
        let (run, next) = behind.split_at_checked(usize::from(code.checked_sub(1)?))?;
        octets.extend(run);
        // A run of 254 octets has no zero behind it, and neither has the last.
        if code != u8::MAX && !next.is_empty() {
            octets.push(0);
        }
        rest = next;
    }
    Some(octets)
}

#[cfg(test)]
mod tests {
    use super::unstuff;

    #[test]
    fn examples_of_the_paper() {
        // Figure 2 of the paper: the packet "0x45 0x00 0x00 0x2c 0x4c 0x79 0x00 0x00 0x40 0x06 0x4f 0x37".
        let stuffed = [2, 0x45, 1, 4, 0x2c, 0x4c, 0x79, 1, 5, 0x40, 6, 0x4f, 0x37];
        let packet = [0x45, 0, 0, 0x2c, 0x4c, 0x79, 0, 0, 0x40, 6, 0x4f, 0x37];
        assert_eq!(unstuff(&stuffed), Some(packet.to_vec()));
        assert_eq!(unstuff(&[1]), Some(Vec::new()));
        assert_eq!(unstuff(&[]), Some(Vec::new()));
        let run: Vec<u8> = (1..=254).collect();
        assert_eq!(unstuff(&[&[255][..], &run].concat()), Some(run));
    }

    #[test]
    fn what_is_not_cobs() {
        assert_eq!(unstuff(&[0]), None);
        assert_eq!(unstuff(&[3, 1]), None);
        assert_eq!(unstuff(&[1, 2]), None);
    }
}
