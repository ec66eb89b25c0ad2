//! The allowed imports among the top-level modules of each crate, lowest layer first: a module may import only modules above
//! its own line. A new edge is a decision and goes here.

/// Module and the modules it may import.
pub type Layer = (&'static str, &'static [&'static str]);

/// Every crate that keeps layers.
pub const CRATES: &[(&str, &[Layer])] = &[("base", BASE), ("wire", WIRE), ("live", LIVE), ("table", TABLE)];

const BASE: &[Layer] = &[
    ("id", &[]),
    ("note", &["id"]),
    ("time", &[]),
    ("progress", &[]),
    ("shared_progress", &["progress"]),
    ("cancellable_once", &["progress"]),
];

const LIVE: &[Layer] = &[
    ("clock", &[]),
    ("stop", &[]),
    ("decode", &[]),
    ("fuzz", &["decode"]),
    ("device", &["clock", "decode"]),
    ("recording", &["decode"]),
    ("capture", &["clock", "decode", "device", "recording"]),
];

const WIRE: &[Layer] = &[
    ("error", &[]),
    ("reader", &["error"]),
    ("coap", &["error", "reader"]),
    ("dtls", &["error", "reader"]),
    ("ethernet", &["error", "reader"]),
    ("sll", &["error", "reader"]),
    ("ipv4", &["error", "reader"]),
    ("ipv6", &["error", "reader"]),
    ("udp", &["error", "reader"]),
    ("ieee802154", &["error", "reader"]),
    ("security", &["error", "ieee802154", "reader"]),
    ("tap", &["error", "reader"]),
    ("lowpan", &["error", "ieee802154", "ipv6", "reader"]),
    ("icmpv6", &["error", "lowpan", "reader"]),
    ("rpl", &["error", "icmpv6", "lowpan", "reader"]),
    (
        "tree",
        &[
            "coap",
            "dtls",
            "error",
            "ethernet",
            "icmpv6",
            "ieee802154",
            "ipv4",
            "ipv6",
            "lowpan",
            "rpl",
            "security",
            "sll",
            "tap",
            "udp",
        ],
    ),
    (
        "fuzz",
        &[
            "coap",
            "dtls",
            "error",
            "ethernet",
            "icmpv6",
            "ieee802154",
            "ipv4",
            "ipv6",
            "lowpan",
            "rpl",
            "security",
            "tap",
            "tree",
            "udp",
        ],
    ),
];

const TABLE: &[Layer] = &[
    ("cells", &[]),
    ("columns", &[]),
    ("frame", &["columns"]),
    ("paper", &["cells"]),
    ("export", &["cells", "frame", "paper"]),
    ("marks", &["columns"]),
    ("index", &["marks"]),
    ("timeline", &["columns", "index", "marks"]),
    ("event", &["marks", "timeline"]),
    ("density", &["columns", "frame", "timeline"]),
    ("filter", &["timeline"]),
    ("listing", &["cells"]),
    ("ladder", &["cells", "listing"]),
    ("network", &["cells", "columns", "frame"]),
    ("lanes", &["columns", "frame", "index", "marks", "timeline"]),
    ("page", &["columns", "frame", "marks", "timeline"]),
    ("packets", &["cells", "columns", "filter", "frame", "timeline"]),
    ("rto", &["columns", "frame", "marks", "timeline"]),
];
