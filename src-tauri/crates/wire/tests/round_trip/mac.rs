//! 802.15.4 headers: versions, addressing modes, PAN IDs, security, information elements.

use crate::Choices;
use proptest::prelude::*;
use wire::ieee802154::{AuxSecurity, FrameType, MacHeader};
use wire::{Kind, MacAddr};

fn address(mode: u8, octets: [u8; 8]) -> MacAddr {
    match mode {
        0 => MacAddr::None,
        2 => MacAddr::Short(u16::from_be_bytes([octets[6], octets[7]])),
        _ => MacAddr::Extended(octets),
    }
}

/// On the air, addresses come least significant octet first.
fn push_address(out: &mut Vec<u8>, address: MacAddr) {
    match address {
        MacAddr::None => {}
        MacAddr::Short(short) => out.extend(short.to_le_bytes()),
        MacAddr::Extended(octets) => out.extend(octets.iter().rev()),
    }
}

/// PAN IDs that IEEE 802.15.4-2015 Table 7-2 puts into a frame (destination, source), written as the
/// table's prose; `None` for a combination older versions do not have.
fn pan_ids(version: u8, dst: u8, src: u8, compression: bool) -> Option<(bool, bool)> {
    let (has_dst, has_src) = (dst != 0, src != 0);
    if version < 2 {
        return if compression { (has_dst && has_src).then_some((true, false)) } else { Some((has_dst, has_src)) };
    }
    Some(match (has_dst, has_src) {
        (false, false) => (compression, false),
        (true, false) => (!compression, false),
        (false, true) => (false, !compression),
        (true, true) if dst == 3 && src == 3 => (!compression, false),
        (true, true) => (true, !compression),
    })
}

#[derive(Clone, Debug)]
struct Ies {
    header: Vec<(u8, Vec<u8>)>,
    payload: Vec<(u8, Vec<u8>)>,
}

fn ies() -> impl Strategy<Value = Ies> {
    let content = || prop::collection::vec(any::<u8>(), 0..12);
    let header = prop::collection::vec((0u8..0x7e, content()), 0..3);
    let payload = prop::collection::vec((0u8..0xf, content()), 0..3);
    (header, payload).prop_map(|(header, payload)| Ies { header, payload })
}

/// Lists with the terminations they need when `more` octets follow; returns what a reader will list.
fn push_ies(out: &mut Vec<u8>, ies: &Ies, more: bool, choices: &mut Choices) -> (Vec<u8>, Vec<u8>) {
    let mut push = |descriptor: u16, content: &[u8]| {
        out.extend(descriptor.to_le_bytes());
        out.extend(content);
    };
    let mut header: Vec<u8> = ies.header.iter().map(|(id, _)| *id).collect();
    let mut payload: Vec<u8> = ies.payload.iter().map(|(id, _)| *id).collect();
    for (id, content) in &ies.header {
        push(u16::from(*id) << 7 | content.len() as u16, content);
    }
    if !ies.payload.is_empty() {
        push(0x7e << 7, &[]);
        header.push(0x7e);
        for (id, content) in &ies.payload {
            push(0x8000 | u16::from(*id) << 11 | content.len() as u16, content);
        }
        if more || choices.yes() {
            push(0x8000 | 0xf << 11, &[]);
            payload.push(0xf);
        }
    } else if more || choices.yes() {
        push(0x7f << 7, &[]);
        header.push(0x7f);
    }
    (header, payload)
}

/// Level, key identifier mode, whether the counter is left out, and counter and key as drawn.
type Security = (u8, u8, bool, (u32, [u8; 9]));

/// Octets of the key identifier by its mode (IEEE 802.15.4-2015, 9.4.2.3).
const fn key_len(mode: u8) -> usize {
    [0, 1, 5, 9][mode as usize]
}

/// Frame Control field (IEEE 802.15.4-2015, 7.2.2). `modes`: of the addresses of destination and source; `flags`:
/// security, frame pending, AR, PAN ID compression, sequence number suppression, IE present.
fn frame_control(frame_type: u8, version: u8, modes: (u8, u8), flags: [bool; 6]) -> u16 {
    let [secured, pending, ack_request, compression, no_seq, with_ies] = flags;
    u16::from(frame_type)
        | u16::from(secured) << 3
        | u16::from(pending) << 4
        | u16::from(ack_request) << 5
        | u16::from(compression) << 6
        | u16::from(no_seq) << 8
        | u16::from(with_ies) << 9
        | u16::from(modes.0) << 10
        | u16::from(version) << 12
        | u16::from(modes.1) << 14
}

/// Auxiliary Security Header (IEEE 802.15.4-2015, 9.4).
fn push_security(out: &mut Vec<u8>, (level, key_mode, no_counter, (counter, key)): Security) {
    out.push(level | key_mode << 3 | u8::from(no_counter) << 5);
    if !no_counter {
        out.extend(counter.to_le_bytes());
    }
    out.extend(&key[..key_len(key_mode)]);
}

fn check_security(aux: &AuxSecurity, (level, mode, no_counter, (counter, key)): Security) -> Result<(), TestCaseError> {
    let key_len = key_len(mode);
    prop_assert_eq!((aux.level, aux.key_id_mode), (level, mode));
    prop_assert_eq!(aux.frame_counter, (!no_counter).then_some(counter));
    prop_assert_eq!(aux.key_index, (mode > 0).then(|| key[key_len - 1]));
    prop_assert_eq!(&aux.key_source[9 - key_len.max(1)..], &key[..key_len.max(1) - 1]);
    Ok(())
}

/// Information elements and payload of `header`. `ies`: what was written, and the payload elements that a reader lists.
fn check_contents(
    header: &MacHeader,
    out: &[u8],
    (ies, payload_ids): (&Ies, &[u8]),
    payload: &[u8],
) -> Result<(), TestCaseError> {
    if header.is_encrypted() && !payload_ids.is_empty() {
        // Payload IEs are ciphertext, indistinguishable from the payload.
        prop_assert!(header.payload_ies.is_empty());
        return Ok(());
    }
    prop_assert_eq!(header.payload_ies.iter().map(|ie| ie.id).collect::<Vec<_>>(), payload_ids);
    prop_assert_eq!(&out[header.payload.clone()], payload);
    for (ie, (_, content)) in header.header_ies.iter().zip(&ies.header) {
        prop_assert_eq!(&out[ie.content.clone()], &content[..]);
    }
    for (ie, (_, content)) in header.payload_ies.iter().zip(&ies.payload) {
        prop_assert_eq!(&out[ie.content.clone()], &content[..]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(4_000)))]

    #[test]
    fn general_frame(
        frame_type in 0u8..4,
        version in 0u8..3,
        bits in any::<[bool; 6]>(),
        modes in (prop::sample::select(vec![0u8, 2, 3]), prop::sample::select(vec![0u8, 2, 3])),
        addresses in any::<([u8; 8], [u8; 8])>(),
        pans in any::<(u16, u16)>(),
        seq in any::<u8>(),
        security in (0u8..8, 0u8..4, any::<bool>(), any::<(u32, [u8; 9])>()),
        ies in ies(),
        payload in prop::collection::vec(any::<u8>(), 0..40),
        choices in prop::collection::vec(any::<u8>(), 4),
    ) {
        let mut choices = Choices::new(choices);
        let [secured, pending, ack_request, compression, mut no_seq, mut with_ies] = bits;
        no_seq &= version == 2;
        with_ies &= version == 2;
        let secured = secured && version > 0;
        let (dst, src) = (address(modes.0, addresses.0), address(modes.1, addresses.1));

        let flags = [secured, pending, ack_request, compression, no_seq, with_ies];
        let mut out = frame_control(frame_type, version, modes, flags).to_le_bytes().to_vec();
        if !no_seq {
            out.push(seq);
        }
        let Some((dst_pan, src_pan)) = pan_ids(version, modes.0, modes.1, compression) else {
            let error = MacHeader::parse(&out).unwrap_err();
            prop_assert!(matches!(error.kind, Kind::Invalid(_)), "{}", error);
            return Ok(());
        };
        if dst_pan {
            out.extend(pans.0.to_le_bytes());
        }
        push_address(&mut out, dst);
        if src_pan {
            out.extend(pans.1.to_le_bytes());
        }
        push_address(&mut out, src);
        let level = security.0;
        let aux_start = out.len();
        if secured {
            push_security(&mut out, security);
        }
        let aux_end = out.len();
        let encrypted = secured && level >= 4;
        let (header_ids, payload_ids) =
            if with_ies { push_ies(&mut out, &ies, !payload.is_empty(), &mut choices) } else { (vec![], vec![]) };
        out.extend(&payload);
        let mic_len = if secured { [0, 4, 8, 16][usize::from(level & 3)] } else { 0 };
        out.extend(vec![0xee; mic_len]);

        let header = MacHeader::parse(&out).unwrap();
        prop_assert_eq!(header.frame_type, FrameType::of(frame_type));
        prop_assert_eq!(
            (header.version, header.security, header.frame_pending, header.ack_request, header.pan_id_compression),
            (version, secured, pending, ack_request, compression)
        );
        prop_assert_eq!(header.seq, (!no_seq).then_some(seq));
        prop_assert_eq!((header.dst, header.src), (dst, src));
        prop_assert_eq!(header.dst_pan, dst_pan.then_some(pans.0));
        let implied = (dst_pan && src != MacAddr::None).then_some(pans.0);
        prop_assert_eq!(header.src_pan, if src_pan { Some(pans.1) } else { implied });
        prop_assert_eq!(header.is_encrypted(), encrypted);
        prop_assert_eq!(header.aux_security.is_some(), secured);
        if let Some(aux) = &header.aux_security {
            prop_assert_eq!(&aux.span, &(aux_start..aux_end));
            check_security(aux, security)?;
        }
        prop_assert_eq!(header.header_ies.iter().map(|ie| ie.id).collect::<Vec<_>>(), header_ids);
        prop_assert_eq!(header.mic_len, mic_len);
        check_contents(&header, &out, (&ies, &payload_ids), &payload)?;
    }

    #[test]
    fn multipurpose_frame(
        long in any::<bool>(),
        bits in any::<[bool; 4]>(),
        modes in (prop::sample::select(vec![0u8, 2, 3]), prop::sample::select(vec![0u8, 2, 3])),
        addresses in any::<([u8; 8], [u8; 8])>(),
        pan in any::<u16>(),
        seq in any::<u8>(),
        payload in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let [with_pan, no_seq, pending, ack_request] = bits.map(|bit| bit && long);
        let (dst, src) = (address(modes.0, addresses.0), address(modes.1, addresses.1));
        let fcf = 5
            | u16::from(long) << 3
            | u16::from(modes.0) << 4
            | u16::from(modes.1) << 6
            | u16::from(with_pan) << 8
            | u16::from(no_seq) << 10
            | u16::from(pending) << 11
            | u16::from(ack_request) << 14;
        let mut out = fcf.to_le_bytes()[..if long { 2 } else { 1 }].to_vec();
        if !no_seq {
            out.push(seq);
        }
        if with_pan {
            out.extend(pan.to_le_bytes());
        }
        push_address(&mut out, dst);
        push_address(&mut out, src);
        out.extend(&payload);

        let header = MacHeader::parse(&out).unwrap();
        prop_assert_eq!(header.frame_type, FrameType::Multipurpose);
        prop_assert_eq!((header.frame_pending, header.ack_request), (pending, ack_request));
        prop_assert_eq!(header.seq, (!no_seq).then_some(seq));
        prop_assert_eq!((header.dst_pan, header.dst, header.src), (with_pan.then_some(pan), dst, src));
        prop_assert_eq!(&out[header.payload], &payload[..]);
    }
}
