fn main() {
    let path = std::env::args().nth(1).unwrap();
    let capture = trace::open(std::path::Path::new(&path), &Default::default(), &mut base::Silent).unwrap();
    let t = trace::analyse(capture, &Default::default(), &mut base::Silent).unwrap();
    let now = std::time::Instant::now();
    let m = twin::infer(&t, &mut base::Silent).unwrap();
    eprintln!("infer {:?}", now.elapsed());
    let m = match m {
        Ok(m) => m,
        Err(e) => {
            println!("refused: {e}");
            return;
        }
    };
    for p in &m.parameters {
        println!("{p:?}");
    }
    println!("{:?}", m.nodes);
    println!("{:?}", m.mac);
    for (a, b, e) in m.reception.iter() {
        if e.weight() > 0.0 {
            println!("prr {} {} {:.4} {:.0}", a + 1, b + 1, e.mean(), e.weight());
        }
    }
    for (a, b, e) in m.disturbance.iter() {
        if e.mean() > 0.3 || e.weight() > 3.0 {
            println!("hears {} {} {:.3} {:.1}", a + 1, b + 1, e.mean(), e.weight());
        }
    }
    println!("{:?}", m.ends);
    println!("shapes {}", m.shapes.len());
    for s in m.shapes.iter().take(4) {
        println!("{s:?}");
    }
    println!("background {} processing {:?} limits {:?}", m.background.len(), m.processing, m.limits);
    let mut n = std::collections::BTreeMap::new();
    for (a, d, l) in m.routes.iter() {
        n.insert((a + 1, d + 1), l.iter().map(|h| h.1 + 1).collect::<Vec<_>>());
    }
    println!("{n:?}");
}
