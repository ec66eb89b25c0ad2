//! Octets and addresses as they are written in specifications and logs.

/// Octets from hexadecimal digits; white space is ignored.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    assert!(digits.len().is_multiple_of(2), "odd number of digits: {text}");
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The octets of an IPv6 address.
#[allow(dead_code, reason = "not every test has addresses")]
pub fn ip(text: &str) -> [u8; 16] {
    text.parse::<std::net::Ipv6Addr>().unwrap().octets()
}
