use std::io::Read;
use trace::*;
fn main() {
    for run in std::env::args().skip(1) {
        let p = std::path::Path::new(&run);
        let mut s = String::new();
        flate2::read::MultiGzDecoder::new(std::fs::File::open(p.join("exchanges.tsv.gz")).unwrap())
            .read_to_string(&mut s)
            .unwrap();
        let mut t0 = String::new();
        flate2::read::MultiGzDecoder::new(std::fs::File::open(p.join("radio-truth.tsv.gz")).unwrap())
            .read_to_string(&mut t0)
            .unwrap();
        let zero: i64 = t0.lines().nth(1).unwrap().split('\t').next().unwrap().parse().unwrap();
        let c = open(&p.join("radio.pcap.gz"), &ImportOptions::default(), &mut base::Silent).unwrap();
        let t = analyse(c, &DecodeOptions { rc_option: 65002, ..Default::default() }, &mut base::Silent).unwrap();
        let mut m = std::collections::HashMap::new();
        for l in s.lines().skip(1) {
            let f: Vec<&str> = l.split('\t').collect();
            m.insert(
                (f[0].parse::<u16>().unwrap(), f[1].parse::<u16>().unwrap()),
                f[4].split(',').map(|x| x.parse::<i64>().unwrap() - zero).collect::<Vec<_>>(),
            );
        }
        for a in &t.associations {
            let mut d = vec![];
            let q = a.queueing;
            let (mut inn, mut low, mut high) = (0, 0, 0);
            for id in &a.exchanges {
                let e = &t.exchanges[id.index()];
                let n = a.client.addr.segments()[7];
                let Some(v) = m.get(&(n, e.mid)) else { continue };
                if v.len() != e.copies.len() {
                    continue;
                }
                for (c, s) in e.copies.iter().zip(v) {
                    let x = c.sent.nanos() / 1000 - s;
                    d.push(x);
                    if let Some(q) = q {
                        if x < q.low.nanos() / 1000 {
                            low += 1
                        } else if x > q.high.nanos() / 1000 {
                            high += 1
                        } else {
                            inn += 1
                        }
                    }
                }
            }
            d.sort();
            let g = |p: usize| d[(d.len() - 1) * p / 100] as f64 / 1e3;
            println!(
                "{} {} n{} true {:.1} {:.1} {:.1} est {:?} cover {:.2} low {} high {}",
                run.split("cooja/").last().unwrap(),
                a.client_name,
                d.len(),
                g(5),
                g(50),
                g(95),
                q.map(|q| (q.low.secs_f64() * 1e3, q.median.secs_f64() * 1e3, q.high.secs_f64() * 1e3, q.samples)),
                inn as f64 / d.len() as f64,
                low,
                high
            );
        }
    }
}
