use trace::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    for rc in [65002u16, 65535] {
        let c = open(std::path::Path::new(&a[1]), &ImportOptions::default(), &mut base::Silent).unwrap();
        let t = analyse(c, &DecodeOptions { rc_option: rc, ..Default::default() }, &mut base::Silent).unwrap();
        for e in t.exchanges.iter().filter(|e| e.mid.to_string() == a[2]) {
            println!("{rc} {:?} {:?} {:?}", t.associations[e.association.index()].client_name, e.outcome, e.end);
            for (i, c) in e.copies.iter().enumerate() {
                let m = &t.messages[c.message.index()];
                println!(" copy {i} rc{:?} {:?} {:?} {:?} reply{:?}", m.rc, c.sent, c.fate, c.evidence, c.reply);
                for h in m.hops.iter() {
                    println!(
                        "    {} {}->{} {:?} {:?} {:?}",
                        h.frames[0].0, h.src, h.dst, h.sent, h.arrived, h.delivery
                    );
                }
            }
            for (i, r) in e.replies.iter().enumerate() {
                let m = &t.messages[r.message.index()];
                println!(" reply {i} rc{:?} {:?} {:?} ans{:?}", m.rc, r.sent, r.arrived, r.answers);
                for h in m.hops.iter() {
                    println!(
                        "    {} {}->{} {:?} {:?} {:?}",
                        h.frames[0].0, h.src, h.dst, h.sent, h.arrived, h.delivery
                    );
                }
            }
        }
    }
}
