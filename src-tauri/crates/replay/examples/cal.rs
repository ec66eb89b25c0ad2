//! x
use replay::calibrate::{Calibration, Options, RealRun, SCORED};
use replay::*;
use serde_json::json;
fn algo(name: &str) -> (Algorithm, Option<u16>) {
    let (id, params) = match name {
        "default" => ("coap_default", json!({})),
        "contiki3s" => ("coap_contiki_ng", json!({})),
        "cocoa" => ("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 })),
        "rfc6298" => ("rfc6298_coap", json!({ "rto_min": 1, "rto_max": 60, "karn": "dropped" })),
        "linux" => ("linux_rto", json!({})),
        "fasor" => ("fasor", json!({})),
        "cocoa03" => ("cocoa_ietf_03", json!({})),
        x => panic!("{x}"),
    };
    (Algorithm::Preset { id: id.into(), params }, None)
}
fn open(path: &std::path::Path, name: &str) -> RealRun {
    let capture = trace::open(path, &Default::default(), &mut base::Silent).unwrap();
    let t = trace::analyse(capture, &Default::default(), &mut base::Silent).unwrap();
    let record = Record::from_trace(&t, &mut base::Silent).unwrap();
    let replay = Replay::new(record, &mut base::Silent).unwrap();
    let now = std::time::Instant::now();
    let c = replay.choose_channel(&t, &mut base::Silent).unwrap();
    eprintln!("{} {}", path.display(), c);
    eprintln!("   {:?}", c.bias.iter().map(|b| format!("{} {:.2}", b.0.name(), b.1)).collect::<Vec<_>>());
    if let Some(Err(e)) = replay.machine() {
        eprintln!("{}: {e}", path.display());
    }
    let _ = now;
    RealRun { name: name.into(), algorithm: algo(name).0, replay }
}
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let scenario = &args[0];
    let channels: Vec<ChannelSpec> = args[1].split(',').map(|c| ChannelSpec::from_name(c).unwrap()).collect();
    let names: Vec<&str> = args[2].split(',').collect();
    let reps: u32 = args.get(3).map_or(60, |r| r.parse().unwrap());
    let verbose = args.get(4).is_some();
    let root = std::path::Path::new("/work/shared/cooja").join(scenario);
    let mut cal = Calibration::default();
    for seed in 1..=2u32 {
        let runs: Vec<RealRun> = names
            .iter()
            .filter_map(|n| {
                let p = root.join(format!("{n}-seed{seed}")).join("radio.pcap.gz");
                p.exists().then(|| open(&p, n))
            })
            .collect();
        if runs.is_empty() {
            continue;
        }
        let now = std::time::Instant::now();
        cal.add(
            (scenario, seed),
            &runs,
            &Options { channels: channels.clone(), seed: 1, replicates: reps, ..Default::default() },
            &mut base::Silent,
        )
        .unwrap();
        // self replay
        for r in &runs {
            for &c in &channels {
                let s = Scenario {
                    replicates: reps,
                    another: AnotherRun::Compute,
                    bounds: Bounds::Skip,
                    ..Scenario::new(r.algorithm.clone(), c)
                };
                match r.replay.run(&s, &mut base::Silent) {
                    Ok(res) => {
                        print!("self {} s{} {:10} {:16}", scenario, seed, r.name, c.name());
                        for m in SCORED {
                            let d: Vec<f64> = res.another.iter().filter_map(|v| v.get(m)).collect();
                            let mut d = d;
                            d.sort_by(f64::total_cmp);
                            let q =
                                |p: f64| d.get((p * (d.len().max(1) - 1) as f64) as usize).copied().unwrap_or(f64::NAN);
                            let real = replay::calibrate::real(&r.replay).get(m).unwrap_or(f64::NAN);
                            print!(
                                " | {} {:.3} [{:.3} {:.3} {:.3}]{}",
                                m.name().replace("duration_", ""),
                                real,
                                q(0.05),
                                d.iter().sum::<f64>() / d.len() as f64,
                                q(0.95),
                                if real < q(0.05) || real > q(0.95) { "*" } else { " " }
                            );
                        }
                        println!();
                    }
                    Err(e) => println!("self {} {} {}", r.name, c.name(), e),
                }
            }
        }
        eprintln!("seed {seed}: {:?}", now.elapsed());
    }
    for c in &channels {
        print!("{scenario:22} {:24}", c.name());
        for m in SCORED {
            let rows: Vec<_> =
                cal.rows.iter().filter(|r| r.channel == c.name() && r.metric == m && !r.repeat).collect();
            let cover: Vec<bool> = rows
                .iter()
                .filter_map(|r| {
                    let p = r.another?.ninety;
                    let x = r.real?;
                    Some(p.lo <= x && x <= p.hi)
                })
                .collect();
            let mut err: Vec<f64> = rows
                .iter()
                .filter_map(|r| {
                    let p = r.predicted()?;
                    let x = r.real?;
                    (x > 0.0).then(|| (p - x).abs() / x)
                })
                .collect();
            err.sort_by(f64::total_cmp);
            let mean = err.iter().sum::<f64>() / err.len().max(1) as f64;
            let nf: Vec<f64> = rows
                .iter()
                .filter_map(|r| {
                    let p = r.trace_driven?;
                    let x = r.real?;
                    (x > 0.0).then(|| (p - x).abs() / x)
                })
                .collect();
            print!(
                " | {} cov {:.0} err {:.0} med {:.0} naive {:.0}",
                m.name().replace("duration_", ""),
                100.0 * cover.iter().filter(|c| **c).count() as f64 / cover.len().max(1) as f64,
                mean * 100.0,
                err.get(err.len() / 2).copied().unwrap_or(f64::NAN) * 100.0,
                100.0 * nf.iter().sum::<f64>() / nf.len().max(1) as f64
            );
        }
        println!();
        if verbose {
            for r in cal.rows.iter().filter(|r| r.channel == c.name()) {
                if let (Some(p), Some(x)) = (r.another, r.real) {
                    println!(
                        "   s{} {:10}->{:10} {:16} real {:.3} pred {:.3} [{:.3} {:.3}]{}",
                        r.seed,
                        r.from,
                        r.to,
                        r.metric.name(),
                        x,
                        r.predicted().unwrap_or(f64::NAN),
                        p.ninety.lo,
                        p.ninety.hi,
                        if p.ninety.lo <= x && x <= p.ninety.hi { "" } else { " MISS" }
                    );
                }
            }
        }
    }
}
