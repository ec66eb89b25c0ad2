//! x
fn main() {
    for path in std::env::args().skip(1) {
        let capture = trace::open(std::path::Path::new(&path), &Default::default(), &mut base::Silent).unwrap();
        let t = trace::analyse(capture, &Default::default(), &mut base::Silent).unwrap();
        let r = replay::Record::from_trace(&t, &mut base::Silent).unwrap();
        let mut starts: Vec<(base::Instant, u32)> = r
            .associations()
            .iter()
            .flat_map(|a| a.exchanges.iter().map(|e| (e.start(), a.client)).collect::<Vec<_>>())
            .collect();
        starts.sort();
        for w in [120, 200, 400, 800] {
            let mut n = 0;
            for (at, _) in &starts {
                let mut c: Vec<u32> = starts
                    .iter()
                    .filter(|(b, _)| (*b - *at).abs() <= base::Span::from_millis(w))
                    .map(|x| x.1)
                    .collect();
                c.sort();
                c.dedup();
                n += usize::from(c.len() >= 3);
            }
            print!("{w} ms: {:.2}  ", n as f64 / starts.len() as f64);
        }
        println!("{path} clients {}", r.associations().len());
    }
}
