//! The address guard: which addresses of the internet a crawler may dial, and what the others are.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address is for, where it is not an ordinary host of the public internet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressClass {
    /// 0.0.0.0/8 (RFC 791 "this network") and `::`.
    Unspecified,
    /// 127.0.0.0/8 and `::1`.
    Loopback,
    /// RFC 1918: 10/8, 172.16/12, 192.168/16.
    Private,
    /// 169.254/16 (cloud metadata lives there) and fe80::/10.
    LinkLocal,
    /// 100.64/10, carrier-grade NAT (RFC 6598).
    SharedAddress,
    /// 224/4 and ff00::/8.
    Multicast,
    /// 255.255.255.255.
    Broadcast,
    /// 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20.
    Documentation,
    /// 198.18/15 and 2001:2::/48.
    Benchmarking,
    /// 240/4, and all of IPv6 outside 2000::/3 that has no use of its own.
    Reserved,
    /// 192.0.0/24 and the special blocks of 2001::/23 (ORCHID, AMT, AS112 …).
    ProtocolAssignment,
    /// 192.88.99/24, the withdrawn anycast address of 6to4 relays.
    RelayAnycast,
    /// fc00::/7.
    UniqueLocal,
    /// fec0::/10, withdrawn.
    SiteLocal,
    /// 100::/64 and 100:0:0:1::/64, which swallow what they get.
    DiscardOnly,
    /// 2001::/32: the embedded address is obscured and its relay unknown, so none is dialled.
    Teredo,
    /// 64:ff9b:1::/48, locally used translation: where it leads is the operator's secret.
    LocalTranslation,
    /// 5f00::/16, segment routing.
    SegmentRouting,
}

impl AddressClass {
    /// The stable name, as in logs.
    pub fn as_str(self) -> &'static str {
        match self {
            AddressClass::Unspecified => "an unspecified address",
            AddressClass::Loopback => "a loopback address",
            AddressClass::Private => "a private address",
            AddressClass::LinkLocal => "a link-local address",
            AddressClass::SharedAddress => "a carrier-grade NAT address",
            AddressClass::Multicast => "a multicast address",
            AddressClass::Broadcast => "the broadcast address",
            AddressClass::Documentation => "a documentation address",
            AddressClass::Benchmarking => "a benchmarking address",
            AddressClass::Reserved => "a reserved address",
            AddressClass::ProtocolAssignment => "a protocol assignment",
            AddressClass::RelayAnycast => "a 6to4 relay address",
            AddressClass::UniqueLocal => "a unique local address",
            AddressClass::SiteLocal => "a site-local address",
            AddressClass::DiscardOnly => "a discard-only address",
            AddressClass::Teredo => "a Teredo address",
            AddressClass::LocalTranslation => "a locally translated address",
            AddressClass::SegmentRouting => "a segment routing address",
        }
    }
}

impl fmt::Display for AddressClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names the class of an address that a crawler has no business with; `None` is a public address.
///
/// IPv4 addresses inside IPv6 ones are unwrapped first (mapped, compatible, NAT64, 6to4), since a translator on the
/// way would deliver to them. O(1), no allocation.
///
/// Source: the IANA special-purpose address registries (RFC 6890 and its updates). Ours: blocks that are
/// "globally reachable" there but serve protocols and not web sites are refused too.
pub fn classify(ip: IpAddr) -> Option<AddressClass> {
    match ip {
        IpAddr::V4(v4) => classify_v4(v4),
        IpAddr::V6(v6) => classify_v6(v6),
    }
}

fn classify_v4(ip: Ipv4Addr) -> Option<AddressClass> {
    let [a, b, c, _] = ip.octets();
    Some(match (a, b, c) {
        (0, ..) => AddressClass::Unspecified,
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => AddressClass::Private,
        (100, 64..=127, _) => AddressClass::SharedAddress,
        (127, ..) => AddressClass::Loopback,
        (169, 254, _) => AddressClass::LinkLocal,
        (192, 0, 0) | (192, 31, 196) | (192, 52, 193) | (192, 175, 48) => AddressClass::ProtocolAssignment,
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => AddressClass::Documentation,
        (192, 88, 99) => AddressClass::RelayAnycast,
        (198, 18..=19, _) => AddressClass::Benchmarking,
        (224..=239, ..) => AddressClass::Multicast,
        (255, 255, 255) if ip.is_broadcast() => AddressClass::Broadcast,
        (240..=255, ..) => AddressClass::Reserved,
        _ => return None,
    })
}

fn classify_v6(ip: Ipv6Addr) -> Option<AddressClass> {
    let s = ip.segments();
    if ip.is_unspecified() {
        return Some(AddressClass::Unspecified);
    }
    if ip.is_loopback() {
        return Some(AddressClass::Loopback);
    }
    if let Some(v4) = embedded_v4(&s) {
        return classify_v4(v4);
    }
    Some(match s {
        [0x64, 0xff9b, 1, ..] => AddressClass::LocalTranslation,
        [0x100, 0, 0, 0 | 1, ..] => AddressClass::DiscardOnly,
        [0x2001, 0, ..] => AddressClass::Teredo,
        [0x2001, 2, 0, ..] => AddressClass::Benchmarking,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => AddressClass::Documentation,
        [0x2001, 0..=0x1ff, ..] | [0x2620, 0x4f, 0x8000, ..] => AddressClass::ProtocolAssignment,
        [0x5f00, ..] => AddressClass::SegmentRouting,
        [0xfc00..=0xfdff, ..] => AddressClass::UniqueLocal,
        [0xfe80..=0xfebf, ..] => AddressClass::LinkLocal,
        [0xfec0..=0xfeff, ..] => AddressClass::SiteLocal,
        [0xff00..=0xffff, ..] => AddressClass::Multicast,
        [0x2000..=0x3fff, ..] => return None,
        _ => AddressClass::Reserved,
    })
}

/// The IPv4 address that a packet to this IPv6 address ends at, where the format shows it.
fn embedded_v4(s: &[u16; 8]) -> Option<Ipv4Addr> {
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match *s {
        // ::ffff:a.b.c.d mapped, ::a.b.c.d compatible, ::ffff:0:a.b.c.d translated (RFC 2765).
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => Some(join(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(join(high, low)),
        [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_special_block_has_its_class_at_both_ends() {
        use AddressClass::*;
        let table: &[(&str, AddressClass)] = &[
            ("0.0.0.0", Unspecified),
            ("0.255.255.255", Unspecified),
            ("10.0.0.0", Private),
            ("10.255.255.255", Private),
            ("172.16.0.0", Private),
            ("172.31.255.255", Private),
            ("192.168.0.0", Private),
            ("192.168.255.255", Private),
            ("100.64.0.0", SharedAddress),
            ("100.127.255.255", SharedAddress),
            ("127.0.0.1", Loopback),
            ("127.255.255.255", Loopback),
            ("169.254.169.254", LinkLocal),
            ("192.0.0.8", ProtocolAssignment),
            ("192.0.2.1", Documentation),
            ("198.51.100.255", Documentation),
            ("203.0.113.0", Documentation),
            ("192.88.99.1", RelayAnycast),
            ("198.18.0.0", Benchmarking),
            ("198.19.255.255", Benchmarking),
            ("224.0.0.1", Multicast),
            ("239.255.255.255", Multicast),
            ("240.0.0.0", Reserved),
            ("255.255.255.254", Reserved),
            ("255.255.255.255", Broadcast),
            ("::", Unspecified),
            ("::1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("::ffff:10.1.2.3", Private),
            ("::127.0.0.1", Loopback),
            ("::ffff:0:192.168.0.1", Private),
            ("64:ff9b::169.254.169.254", LinkLocal),
            ("64:ff9b:1::1", LocalTranslation),
            ("2002:7f00:1::", Loopback),
            ("2002:a00:1::5", Private),
            ("2001::1", Teredo),
            ("2001:2::1", Benchmarking),
            ("2001:10::1", ProtocolAssignment),
            ("2001:db8::1", Documentation),
            ("3fff::1", Documentation),
            ("100::1", DiscardOnly),
            ("fc00::1", UniqueLocal),
            ("fdff::1", UniqueLocal),
            ("fe80::1", LinkLocal),
            ("febf::1", LinkLocal),
            ("fec0::1", SiteLocal),
            ("ff02::1", Multicast),
            ("5f00::1", SegmentRouting),
            ("4000::1", Reserved),
            ("1::1", Reserved),
        ];
        for (text, class) in table {
            assert_eq!(classify(text.parse().unwrap()), Some(*class), "{text}");
        }
    }

    #[test]
    fn neighbours_of_special_blocks_are_public() {
        for text in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.0.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450::1",
            "2001:4860:4860::8888",
            "2002:101:101::1",
            "64:ff9b::1.1.1.1",
            "::ffff:8.8.8.8",
        ] {
            assert_eq!(classify(text.parse().unwrap()), None, "{text}");
        }
    }
}
