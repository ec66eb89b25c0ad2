//! The transmission rate of Lee, Kim & Youn 2016, eq. 12–24, with default CoAP's timer and with theirs.
//!
//! The equations are images that did not survive; this is a reconstruction from the prose around them. Where
//! it leaves a choice: n is MAX_RETRANSMIT ("not fixed in the proposed scheme", 4 in the experiment); the
//! sums over retransmissions stop at n and drop the tail qⁿ⁺¹; expectations are per loss episode, not per
//! packet; the `i` packets of normal time count themselves (S_n = i).

/// Transmission rate of a sender on a path, by the model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// Packets a second (R_b, R_p; eq. 20 and 24).
    pub rate: f64,
    /// Expected number of packets sent in timeout periods, E[S_to] (eq. 17).
    pub retransmissions: f64,
    /// Seconds spent in timeout periods, E[T_to] (eq. 19 and 23).
    pub waiting: f64,
}

/// Returns the rate with default CoAP's timer (eq. 12–20): success probability `p` of one transmission, `packets`
/// answered without loss after `rtt` seconds each, first timeout `rto` seconds, at most `n` retransmissions.
#[must_use]
pub fn base(p: f64, rtt: f64, packets: u32, rto: f64, n: u8) -> Rate {
    model(p, rtt, packets, rto, 2.0, n)
}

/// Returns the rate with their scheme (eq. 21–24): as [`base`], with the back-off factor 3, 2 or 1.5 that `rto` chooses
/// (eq. 11).
#[must_use]
pub fn proposed(p: f64, rtt: f64, packets: u32, rto: f64, n: u8) -> Rate {
    let factor = if rto < 1.0 {
        3.0
    } else if rto <= 3.0 {
        2.0
    } else {
        1.5
    };
    model(p, rtt, packets, rto, factor, n)
}

fn model(p: f64, rtt: f64, packets: u32, rto: f64, factor: f64, n: u8) -> Rate {
    let (mut retransmissions, mut waiting) = (0.0, 0.0);
    // Before retransmission k: q^k, and W_k, the sum of the timeouts so far (eq. 18, 22).
    let (mut lost, mut waited, mut timeout) = (1.0, 0.0, rto);
    for k in 1..=n {
        lost *= 1.0 - p;
        waited += timeout;
        timeout *= factor;
        // P(k) = p·q^k (eq. 16).
        retransmissions += f64::from(k) * p * lost;
        waiting += waited * p * lost;
    }
    let normal = f64::from(packets);
    Rate { rate: (normal + retransmissions) / (normal * rtt + waiting), retransmissions, waiting }
}
