//! RPL control messages (RFC 6550 §6), which announce prefixes, parents and topology.

use crate::ip::icmpv6::read_prefix;
use crate::ip::lowpan::Prefix;
use crate::{ByteRange, Error, Reader};
use base::Layer;

/// A RPL control message, by the code of its ICMPv6 header (RFC 6550 §6).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rpl {
    /// 0x00, DODAG Information Solicitation.
    Dis,
    /// 0x01, DODAG Information Object.
    Dio(Dio),
    /// 0x02, Destination Advertisement Object.
    Dao(Dao),
    /// 0x03, acknowledgement of a DAO.
    DaoAck(DaoAck),
    /// Any other code, which is the number: secured messages, consistency checks, P2P.
    Other(u8),
}

/// DODAG Information Object (RFC 6550 §6.3).
///
/// ```text
/// +-------------+---------+------------+---+---+-----+-----+------+-------+---+----------------+
/// | RPLInstance | version | rank (16)  | G | 0 | MOP | Prf | DTSN | flags | 0 | DODAGID (128)  |
/// +-------------+---------+------------+---+---+-----+-----+------+-------+---+----------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dio {
    /// RPLInstanceID, an identifier of 8 bits (RFC 6550 §5.1).
    pub instance: u8,
    /// Version of the DODAG, counted by its root.
    pub version: u8,
    /// Rank of the sender, a number without unit; 65535 is infinite (RFC 6550 §17).
    pub rank: u16,
    /// True if the DODAG is grounded (G): it serves the goal of its objective function.
    pub grounded: bool,
    /// Mode of operation, 0 to 7: 0 no downward routes, 1 non-storing, 2 storing, 3 storing with multicast.
    pub mode_of_operation: u8,
    /// Preference of the DODAG among others, 0 to 7, as its root says it.
    pub preference: u8,
    /// Destination advertisement trigger sequence number.
    pub dtsn: u8,
    /// Address of the root, by which the DODAG is known.
    pub dodag_id: [u8; 16],
    /// Prefix Information options, in order.
    pub prefixes: Vec<PrefixInformation>,
    /// DODAG Configuration option, the last one if there are several.
    pub configuration: Option<Configuration>,
}

/// DODAG Configuration option (RFC 6550 §6.7.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// Longest Trickle interval, as a number of doublings of the shortest.
    pub interval_doublings: u8,
    /// Shortest Trickle interval, as an exponent: 2 to this power, ms.
    pub interval_min: u8,
    /// Redundancy constant of Trickle, a count of consistent messages (RFC 6206 §4.1).
    pub redundancy: u8,
    /// Largest increase of a node's rank above the lowest that it had, in ranks; 0 disables local repair by it
    /// (RFC 6550 §6.7.6).
    pub max_rank_increase: u16,
    /// Least increase of rank per hop, in ranks: ranks divided by it are hops of a kind (RFC 6550 §3.5.1).
    pub min_hop_rank_increase: u16,
    /// Objective Code Point: 0 OF0 (RFC 6552), 1 MRHOF (RFC 6719).
    pub objective: u16,
    /// Lifetime of routes, in units of `lifetime_unit` seconds.
    pub default_lifetime: u8,
    /// Unit of lifetimes, seconds.
    pub lifetime_unit: u16,
}

impl Configuration {
    fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let [_, interval_doublings, interval_min, redundancy] = r.array()?;
        let (max_rank_increase, min_hop_rank_increase, objective) = (r.u16_be()?, r.u16_be()?, r.u16_be()?);
        let [_, default_lifetime] = r.array()?;
        Ok(Self {
            interval_doublings,
            interval_min,
            redundancy,
            max_rank_increase,
            min_hop_rank_increase,
            objective,
            default_lifetime,
            lifetime_unit: r.u16_be()?,
        })
    }
}

/// Prefix Information option (RFC 6550 §6.7.10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrefixInformation {
    /// Prefix of the network. Its octets past the length hold the sender's interface identifier when
    /// `router_address` is set.
    pub prefix: Prefix,
    /// L: prefix is on-link.
    pub on_link: bool,
    /// A: prefix may be used for address autoconfiguration.
    pub autonomous: bool,
    /// R: the octets are the sender's whole address.
    pub router_address: bool,
}

/// Destination Advertisement Object (RFC 6550 §6.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dao {
    /// RPLInstanceID, an identifier of 8 bits (RFC 6550 §5.1).
    pub instance: u8,
    /// K: an acknowledgement is expected.
    pub ack_request: bool,
    /// Sequence number, echoed by the acknowledgement.
    pub sequence: u8,
    /// DODAGID, the root's IPv6 address; present for local instances, else `None`.
    pub dodag_id: Option<[u8; 16]>,
    /// Target options, in order: prefixes that are reached (RFC 6550 §6.7.7).
    pub targets: Vec<Prefix>,
    /// Transit Information options, in order: the parents by which they are reached (RFC 6550 §6.7.8).
    pub transits: Vec<Transit>,
}

/// Transit Information option (RFC 6550 §6.7.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transit {
    /// Range of [`Dao::targets`] that it applies to, end excluded: the Target options that came
    /// before it and behind the group of Transit Information options before that (RFC 6550 §6.7.8).
    pub targets: (usize, usize),
    /// E: the target is outside the RPL network.
    pub external: bool,
    /// Path Control: bits of preference among the parents of a target.
    pub path_control: u8,
    /// Path sequence number, by which the newest route is told.
    pub path_sequence: u8,
    /// Lifetime of the path, in units of [`Configuration::lifetime_unit`]; 0 withdraws it, 255 is infinite.
    pub path_lifetime: u8,
    /// Address of the parent, in non-storing mode; else `None`.
    pub parent: Option<[u8; 16]>,
}

/// Acknowledgement of a DAO (RFC 6550 §6.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DaoAck {
    /// RPLInstanceID, an identifier of 8 bits (RFC 6550 §5.1).
    pub instance: u8,
    /// Sequence number of the DAO.
    pub sequence: u8,
    /// Status code: 0 accepted, below 128 accepted but unwilling, else rejected.
    pub status: u8,
    /// DODAGID, the root's IPv6 address; present for local instances, else `None`.
    pub dodag_id: Option<[u8; 16]>,
}

/// Option types (RFC 6550 §6.7).
pub(crate) mod kind {
    /// Pad1: one octet of padding, without a length.
    pub const PAD1: u8 = 0;
    /// Type of the DODAG Configuration option.
    pub const CONFIGURATION: u8 = 4;
    /// Type of the RPL Target option.
    pub const TARGET: u8 = 5;
    /// Type of the Transit Information option.
    pub const TRANSIT: u8 = 6;
    /// Type of the Prefix Information option.
    pub const PREFIX: u8 = 8;
}

/// Registered name of an option type (RFC 6550 §20.4, RFC 6997, RFC 9009); `None` for types that are not listed here.
#[must_use]
pub const fn option_name(kind: u8) -> Option<&'static str> {
    Some(match kind {
        0 => "Pad1",
        1 => "PadN",
        2 => "DAG Metric Container",
        3 => "Route Information",
        kind::CONFIGURATION => "DODAG Configuration",
        kind::TARGET => "RPL Target",
        kind::TRANSIT => "Transit Information",
        7 => "Solicited Information",
        kind::PREFIX => "Prefix Information",
        9 => "RPL Target Descriptor",
        10 => "P2P Route Discovery",
        _ => return None,
    })
}

impl Rpl {
    /// Reads the body of an ICMPv6 message of type 155, by the code of its header.
    ///
    /// # Errors
    /// The message or an option ends early, or a prefix is longer than 128 bits or than its option.
    pub fn parse(code: u8, body: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(body, Layer::Ipv6);
        match code {
            0 => Ok(Self::Dis),
            1 => Dio::read(&mut r, body).map(Self::Dio),
            2 => Dao::read(&mut r, body).map(Self::Dao),
            3 => {
                let [instance, flags, sequence, status] = r.array()?;
                let dodag_id = if flags & 0x80 != 0 { Some(r.array()?) } else { None };
                Ok(Self::DaoAck(DaoAck { instance, sequence, status, dodag_id }))
            }
            other => Ok(Self::Other(other)),
        }
    }
}

impl Dio {
    fn read(r: &mut Reader<'_>, body: &[u8]) -> Result<Self, Error> {
        let [instance, version] = r.array()?;
        let rank = r.u16_be()?;
        let [flags, dtsn, _, _] = r.array()?;
        let mut dio = Self {
            instance,
            version,
            rank,
            grounded: flags & 0x80 != 0,
            mode_of_operation: flags >> 3 & 7,
            preference: flags & 7,
            dtsn,
            dodag_id: r.array()?,
            prefixes: Vec::new(),
            configuration: None,
        };
        while let Some((kind, option)) = read_option(r)? {
            if kind == kind::CONFIGURATION {
                dio.configuration = Some(Configuration::read(&mut Reader::within(body, &option, Layer::Ipv6))?);
            }
            if kind == kind::PREFIX {
                let mut r = Reader::within(body, &option, Layer::Ipv6);
                let [len, flags] = r.array()?;
                // Valid and preferred lifetime, reserved.
                r.take(12)?;
                dio.prefixes.push(PrefixInformation {
                    prefix: read_prefix(&mut r, len)?,
                    on_link: flags & 0x80 != 0,
                    autonomous: flags & 0x40 != 0,
                    router_address: flags & 0x20 != 0,
                });
            }
        }
        Ok(dio)
    }
}

impl Dao {
    fn read(r: &mut Reader<'_>, body: &[u8]) -> Result<Self, Error> {
        let [instance, flags, _, sequence] = r.array()?;
        let dodag_id = if flags & 0x40 != 0 { Some(r.array()?) } else { None };
        let ack_request = flags & 0x80 != 0;
        let mut dao = Self { instance, ack_request, sequence, dodag_id, targets: Vec::new(), transits: Vec::new() };
        // Index of the first target of the current group, and whether a transit has followed the group.
        let (mut group, mut done) = (0, false);
        while let Some((kind, option)) = read_option(r)? {
            let mut r = Reader::within(body, &option, Layer::Ipv6);
            match kind {
                kind::TARGET => {
                    if done {
                        (group, done) = (dao.targets.len(), false);
                    }
                    let [_, len] = r.array()?;
                    dao.targets.push(read_prefix(&mut r, len)?);
                }
                kind::TRANSIT => {
                    let [flags, path_control, path_sequence, path_lifetime] = r.array()?;
                    let parent = if r.remaining() >= 16 { Some(r.array()?) } else { None };
                    let (targets, external) = ((group, dao.targets.len()), flags & 0x80 != 0);
                    dao.transits.push(Transit {
                        targets,
                        external,
                        path_control,
                        path_sequence,
                        path_lifetime,
                        parent,
                    });
                    done = true;
                }
                _ => {}
            }
        }
        Ok(dao)
    }
}

/// Reads the next option, Pad1 skipped: its type and the range of its content. `None` at the end.
fn read_option(r: &mut Reader<'_>) -> Result<Option<(u8, ByteRange)>, Error> {
    while !r.is_empty() {
        let kind = r.u8()?;
        if kind != kind::PAD1 {
            let len = r.u8()?;
            return Ok(Some((kind, r.span(usize::from(len))?)));
        }
    }
    Ok(None)
}
