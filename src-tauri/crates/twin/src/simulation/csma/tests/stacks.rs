//! Laws of the stacks: back-offs, attempts, queues and pauses of each, against what its code says.

use super::*;
use crate::model::{AfterBusy, AfterMiss, Queueing, Stack, Window};
use crate::simulation::csma::queues::Verdict;

/// The contention MAC of `stack` with a radio that acknowledges.
fn of(stack: &Stack) -> Option<Csma> {
    let known = stack.csma?;
    Some(Csma {
        unit: known.unit,
        tick: known.tick,
        min_exponent: known.min_exponent,
        max_exponent: known.max_exponent,
        max_backoffs: known.max_backoffs,
        max_attempts: known.max_attempts,
        turnaround: known.turnaround,
        ack_wait: known.ack_wait,
        ack_delay: Span::from_micros(192),
        rules: known.rules,
        ..csma(Acknowledger::Radio)
    })
}

fn all() -> impl Iterator<Item = (&'static str, Csma)> {
    Stack::all().iter().filter_map(|stack| Some((stack.id.as_str(), of(stack)?)))
}

/// Waits, in seconds, from the `misses`-th missing acknowledgement to the end of the back-off, each as likely as the
/// others; `passed`: time since a tick of the clock when it begins. As the code of `id` computes them.
fn waits(id: &str, misses: u32, passed: f64) -> Vec<f64> {
    let ticks =
        |from: i64, until: i64, tick: f64| (from..until).map(move |n| (n as f64 * tick - passed).max(0.0)).collect();
    let units = |exponent: u32| (0..1 << exponent).map(|n| f64::from(n) * 320e-6).collect::<Vec<_>>();
    match id {
        // rand % (7 * 6 ms), whatever failed before.
        "contiki-ng-cooja" => ticks(0, 42, 1e-3),
        "contiki-ng-128hz" => ticks(0, 7, 7.8125e-3),
        "contiki-ng-1khz" => ticks(0, 7, 1e-3),
        // collisions = 0, so that 2^0 - 1 periods are none.
        "contiki-3.x" => ticks(0, 1, 1e-3),
        // time + rand % (2^transmissions * time), with 125 ms and at most 8 of them.
        "contiki-3.0" => ticks(125, 125 + (125 << misses.min(3)), 1e-3),
        "ieee802154" => units(3),
        // (mask & random) with a mask of 7, then of 15, for good.
        "riot" => units(4),
        // 0 .. 2^k - 1 periods for k = 0, 1, 2 .. 5, then 0 .. 7.
        "openthread" => {
            let delays = units((misses - 1).min(5));
            delays.iter().flat_map(|delay| units(3).into_iter().map(move |own| own + delay)).collect()
        }
        other => panic!("no law for {other}"),
    }
}

/// Starts of the frames to a neighbour that never answers, of one packet.
fn attempts(csma: &Csma, trial: u32) -> Vec<Instant> {
    let machine = chain(2, Evidence::NEVER, csma.clone());
    let mut drawn = Realisation::draw(&machine, 1, 1);
    drawn.draws = Draws::new(9, trial);
    let mut mac = CsmaMac::new(csma, 2);
    assert!(mac.enqueue(at(0), 0, Packet::new(Some(1), OCTETS, Cargo::Nothing), &drawn));
    let events = step_all(&mut mac, &drawn, |_| {});
    assert_eq!(mac.waiting(), 0, "it gives up");
    let starts = events.iter().filter_map(|event| if let Event::Sent { at, .. } = event { Some(*at) } else { None });
    starts.collect()
}

#[test]
fn waits_after_missing_acknowledgements_have_the_mean_of_the_code() {
    const TRIALS: u32 = 2_000;
    for (id, csma) in all() {
        let mut gaps = vec![Vec::new(); usize::from(csma.max_attempts) - 1];
        for trial in 0..TRIALS {
            let starts = attempts(&csma, trial);
            assert_eq!(starts.len(), usize::from(csma.max_attempts), "{id}: attempts before it is given up");
            for (gap, pair) in gaps.iter_mut().zip(starts.windows(2)) {
                gap.push((pair[1] - pair[0]).secs_f64());
            }
        }
        let fixed = AIRTIME + csma.ack_wait + csma.turnaround;
        for (misses, gaps) in (1..).zip(&gaps) {
            // The wait ends a while after the tick on which the frame began, and that was on one but for the
            // turnaround.
            let since = (AIRTIME + csma.ack_wait + csma.turnaround).nanos().rem_euclid(csma.tick.nanos());
            let waits = waits(id, misses, since as f64 / 1e9);
            let mean = waits.iter().sum::<f64>() / waits.len() as f64;
            let square = waits.iter().map(|wait| (wait - mean).powi(2)).sum::<f64>() / waits.len() as f64;
            let seen = gaps.iter().sum::<f64>() / f64::from(TRIALS) - fixed.secs_f64();
            let error = (square / f64::from(TRIALS)).sqrt();
            assert!((seen - mean).abs() < 4.0 * error + 1e-6, "{id}, {misses} misses: {seen} for {mean} ± {error}");
        }
    }
}

#[test]
fn a_busy_channel_counts_as_the_stack_says() {
    for (id, csma) in all() {
        let mut queue = Queue::new(1, 0);
        let after = (1..=5_000).find(|_| queue.collide(&csma, csma.max_attempts) == Verdict::Dropped);
        let in_a_row = u32::from(csma.max_backoffs) + 1;
        let expected = match csma.rules.after_busy {
            AfterBusy::Attempt => Some(in_a_row * u32::from(csma.max_attempts)),
            AfterBusy::Drop => Some(in_a_row),
            AfterBusy::Forever => None,
        };
        assert_eq!(after, expected, "{id}");
    }
}

#[test]
fn exponents_grow_with_what_the_stack_counts() {
    let exponents = |id: &str, causes: &[Cause]| {
        let (_, csma) = all().find(|(other, _)| *other == id).unwrap();
        let machine = chain(2, Evidence::ALWAYS, csma.clone());
        let mut longest = Vec::new();
        let mut queue = Queue::new(1, 0);
        queue.backs_off();
        for &cause in causes {
            match cause {
                Cause::Missed => queue.miss(csma.max_attempts),
                _ => queue.collide(&csma, csma.max_attempts),
            };
            let longest_of = |trial| {
                let mut drawn = Realisation::draw(&machine, 1, 1);
                drawn.draws = Draws::new(4, trial);
                (queue.back_off(&csma, &drawn, (0, cause), at(0)) - at(0)).nanos() / csma.unit.nanos()
            };
            longest.push((0..4_000).map(longest_of).max().unwrap());
            queue.backs_off();
        }
        longest
    };
    use Cause::{Busy, Missed};
    let causes = [Busy, Busy, Missed, Busy, Busy, Busy];
    assert_eq!(exponents("ieee802154", &causes), [15, 31, 7, 15, 31, 31], "a miss begins anew");
    assert_eq!(exponents("riot", &causes), [15; 6], "one step, and no miss takes it back");
    assert_eq!(exponents("openthread", &[Busy, Missed, Missed, Missed]), [15, 7, 7 + 1, 7 + 3], "a delay that grows");
    assert_eq!(exponents("contiki-3.0", &[Busy, Missed, Missed, Busy]), [1, 2, 4, 4], "misses alone");
}

#[test]
fn one_queue_sends_one_packet_at_a_time() {
    for (id, csma) in all() {
        let mut machine = chain(3, Evidence::ALWAYS, csma.clone());
        machine.reception = machine.reception.map(|_, _, _: Evidence| Evidence::NEVER);
        machine.sensing = machine.reception.clone();
        let (mut together, trials) = (0, 50);
        for trial in 0..trials {
            let mut drawn = Realisation::draw(&machine, 1, 1);
            drawn.draws = Draws::new(9, trial);
            let mut mac = CsmaMac::new(&csma, 3);
            for to in [0, 2] {
                assert!(mac.enqueue(at(0), 1, Packet::new(Some(to), OCTETS, Cargo::Nothing), &drawn), "{id}");
            }
            let mut events = Vec::new();
            while mac.next() < Instant::MAX {
                mac.step(&drawn, &mut events);
            }
            let first_gone = events.iter().position(|event| matches!(event, Event::Gone { .. })).unwrap();
            let sent = events[..first_gone].iter().filter(|event| matches!(event, Event::Sent { .. })).count();
            together += u32::from(sent > usize::from(csma.max_attempts));
        }
        match csma.rules.queues {
            Queueing::One => assert_eq!(together, 0, "{id}"),
            Queueing::PerNeighbour => assert!(together > trials / 2, "{id}: {together}"),
        }
    }
}

#[test]
fn a_node_pauses_after_what_its_neighbour_forwards() {
    let (_, csma) = all().find(|(id, _)| *id == "openthread").unwrap();
    let machine = chain(2, Evidence::ALWAYS, csma.clone());
    let gap = |is_forwarded, trial| {
        let mut drawn = Realisation::draw(&machine, 1, 1);
        drawn.draws = Draws::new(3, trial);
        let mut mac = CsmaMac::new(&csma, 2);
        for _ in 0..2 {
            let packet = Packet { is_forwarded, ..Packet::new(Some(1), OCTETS, Cargo::Nothing) };
            assert!(mac.enqueue(at(0), 0, packet, &drawn));
        }
        let events = step_all(&mut mac, &drawn, |_| {});
        let starts: Vec<Instant> =
            events.iter().filter_map(|e| if let Event::Sent { at, .. } = e { Some(*at) } else { None }).collect();
        assert_eq!(starts.len(), 2);
        starts[1] - starts[0]
    };
    for trial in 0..200 {
        assert!(gap(true, trial) > gap(false, trial));
        assert!(gap(true, trial) >= AIRTIME + csma.rules.pause && gap(false, trial) < Span::from_millis(8));
    }
    assert_eq!(csma.rules.pause, Span::from_millis(8));
    assert!(
        matches!(csma.rules.after_miss, AfterMiss::Delay { max_exponent: 5 }) && csma.rules.window == Window::Units
    );
}
