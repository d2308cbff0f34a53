//! Which addresses a request may go to. Everything special is blocked: a name on the internet must not lead into this machine or its
//! network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use cidr::IpCidr;

/// IPv4 ranges that are not the public internet (IANA special-purpose registry).
const V4: [(Ipv4Addr, u32); 18] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The same for IPv6. The first range is the unspecified address, loopback and the old IPv4-compatible addresses; the translation ranges
/// (`64:ff9b::`, `2002::`, Teredo in `2001::/23`) would reach any IPv4 address.
const V6: [(Ipv6Addr, u32); 15] = [
    (Ipv6Addr::UNSPECIFIED, 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64),
    (Ipv6Addr::new(0x100, 0, 0, 1, 0, 0, 0, 0), 64),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8),
];

/// Whether the owner allowed this address by name of its range.
pub(super) fn is_allowed(address: IpAddr, allow: &[IpCidr]) -> bool {
    allow.iter().any(|range| range.contains(&address.to_canonical()))
}

/// Whether no request may go there. An IPv4 address in IPv6 clothes (`::ffff:127.0.0.1`) is judged as what it is.
pub(super) fn is_blocked(address: IpAddr, allow: &[IpCidr]) -> bool {
    let special = match address.to_canonical() {
        IpAddr::V4(v4) => V4.iter().any(|(net, bits)| same(v4.to_bits().into(), net.to_bits().into(), 32 - bits)),
        IpAddr::V6(v6) => V6.iter().any(|(net, bits)| same(v6.to_bits(), net.to_bits(), 128 - bits)),
    };
    special && !is_allowed(address, allow)
}

/// The first of a name's addresses that blocks it: one is enough, or it could be the one that gets connected to.
pub(super) fn first_blocked(all: &[SocketAddr], allow: &[IpCidr]) -> Option<IpAddr> {
    all.iter().map(SocketAddr::ip).find(|address| is_blocked(*address, allow))
}

/// Whether two addresses are the same but for their last `host` bits.
fn same(one: u128, other: u128, host: u32) -> bool {
    one.checked_shr(host) == other.checked_shr(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(address: &str) -> bool {
        is_blocked(address.parse().unwrap(), &[])
    }

    /// A109
    #[test]
    fn every_special_range_is_blocked_from_its_first_to_its_last_address() {
        let ranges = [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.31.196.0", "192.31.196.255"),
            ("192.52.193.0", "192.52.193.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("192.175.48.0", "192.175.48.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "239.255.255.255"),
            ("240.0.0.0", "255.255.255.255"),
            ("::", "::1"),
            ("::127.0.0.1", "::ffff:ffff"),
            ("64:ff9b::", "64:ff9b::ffff:ffff"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
            ("100::", "100::ffff:ffff:ffff:ffff"),
            ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ];
        for (first, last) in ranges {
            assert!(blocked(first), "{first}");
            assert!(blocked(last), "{last}");
        }
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a table")]
    fn the_addresses_around_the_special_ranges_are_public() {
        let public = [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.31.195.255",
            "192.31.197.0",
            "192.52.192.255",
            "192.88.98.255",
            "192.88.100.0",
            "192.167.255.255",
            "192.169.0.0",
            "192.175.47.255",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "198.51.101.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "::1:0:0:0",
            "64:ff9a::",
            "64:ff9b:2::",
            "100:0:0:2::",
            "2001:200::",
            "2001:db7::",
            "2001:db9::",
            "2003::",
            "2620:4f:7fff::",
            "2620:4f:8001::",
            "2606:4700::1111",
            "3ffe::",
            "3fff:1000::",
            "5eff::",
            "5f01::",
            "fbff::",
            "fe00::",
        ];
        for address in public {
            assert!(!blocked(address), "{address}");
        }
    }

    #[test]
    fn an_ipv4_address_in_ipv6_clothes_is_judged_as_ipv4() {
        assert!(blocked("::ffff:127.0.0.1"));
        assert!(blocked("::ffff:10.1.2.3"));
        assert!(!blocked("::ffff:8.8.8.8"));
    }

    #[test]
    fn one_private_address_among_public_ones_blocks_a_name() {
        let all: Vec<SocketAddr> =
            ["8.8.8.8:0", "[2606:4700::1111]:0", "10.0.0.1:0"].map(|address| address.parse().unwrap()).into();
        assert_eq!(first_blocked(&all, &[]), Some("10.0.0.1".parse().unwrap()));
        assert_eq!(first_blocked(&all[..2], &[]), None);
        assert_eq!(first_blocked(&all, &["10.0.0.0/8".parse().unwrap()]), None);
    }

    #[test]
    fn the_owner_can_allow_a_range_and_only_that_range() {
        let allow = ["127.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        for (address, blocked) in [
            ("127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("fd00::1", false),
            ("::1", true),
            ("10.0.0.1", true),
            ("fc00::1", true),
            ("8.8.8.8", false),
        ] {
            assert_eq!(is_blocked(address.parse().unwrap(), &allow), blocked, "{address}");
        }
    }
}
