//! x
use replay::*;
fn main() {
    for path in std::env::args().skip(1) {
        let path = std::path::Path::new(&path);
        let capture = trace::open(path, &Default::default(), &mut base::Silent).unwrap();
        let t = trace::analyse(capture, &Default::default(), &mut base::Silent).unwrap();
        let replay = Replay::new(Record::from_trace(&t, &mut base::Silent).unwrap(), &mut base::Silent).unwrap();
        replay.learn_network(&t, &mut base::Silent).unwrap();
        let now = std::time::Instant::now();
        let c = replay.choose_channel(&t, &mut base::Silent).unwrap();
        println!("{} {} ({:?})", path.parent().unwrap().display(), c, now.elapsed());
        if let Ok(t) = replay::trust::Trust::of(&replay, &t, &mut base::Silent) {
            print!("   {:?}", t.algorithm);
            for c in &t.checks {
                print!(
                    "   {} {:.3} [{:.3} {:.3} {:.3}] {:?}",
                    c.measure.name(),
                    c.recorded,
                    c.ninety.lo,
                    c.mean,
                    c.ninety.hi,
                    c.agreement
                );
            }
            println!();
        }
    }
}
