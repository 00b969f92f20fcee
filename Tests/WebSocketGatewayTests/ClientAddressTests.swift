import Testing

@testable import WebSocketGateway

@Suite struct ClientAddressTests {
    @Test(
        "a client's address is what the last proxy that we trust saw; nobody is moved by what anybody may have written",
        arguments: [
            // Without a proxy the header is ignored.
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("203.0.113.9", nil, "203.0.113.9"),
            ("::ffff:203.0.113.9", nil, "203.0.113.9"),
            ("2001:DB8:0::1", nil, "2001:db8::1"),
            // One proxy, and a client with a forged header.
            ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", " 1.1.1.1 ,198.51.100.1 ", "198.51.100.1"),
            ("::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
            // A chain of two proxies, and a client with a forged header.
            ("10.0.0.1", "1.1.1.1, 198.51.100.1, fd00::2", "198.51.100.1"),
            ("10.0.0.1", "198.51.100.1, FD00:0::2, ::ffff:10.0.0.1", "198.51.100.1"),
            // With a port or brackets, as some proxies write.
            ("10.0.0.1", "203.0.113.9:40000", "203.0.113.9"), ("10.0.0.1", "[2001:DB8::1]:40000", "2001:db8::1"),
            ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"), ("10.0.0.1", "198.51.100.1, 10.0.0.1:80", "198.51.100.1"),
            ("10.0.0.1", "198.51.100.1, [fd00::2]:80", "198.51.100.1"), ("fe80::1%eth0", nil, "fe80::1"),
            // Networks of proxies.
            ("172.16.200.3", "198.51.100.1, 172.31.255.255", "198.51.100.1"),
            ("172.32.0.1", "198.51.100.1", "172.32.0.1"),
            ("fd12:3456::9", "198.51.100.1", "198.51.100.1"), ("fd12:3457::9", "198.51.100.1", "fd12:3457::9"),
            // A proxy that does not send the client's address.
            ("10.0.0.1", nil, nil), ("10.0.0.1", "", nil), ("10.0.0.1", "fd00::2", nil), ("", "198.51.100.1", nil),
            // A proxy that sends an invalid header.
            ("10.0.0.1", "unknown", nil), ("10.0.0.1", "198.51.100.1,", nil),
            ("10.0.0.1", "198.51.100.1, _hidden", nil), ("10.0.0.1", "198.51.100.1:99999", nil),
            ("10.0.0.1", "[198.51.100.1]:80", nil), ("10.0.0.1", "[2001:db8::1", nil),
            ("10.0.0.1", "2001:db8::1:40000:x", nil),
        ] as [(String, String?, String?)]
    )
    func finds(peer: String, forwarded: String?, expected: String?) {
        let trusted: AddressSet = ["10.0.0.1", "fd00::2", "172.16.0.0/12", "fd12:3456::/32"]
        #expect(ClientAddress.find(peer: peer, forwarded: forwarded, trusted: trusted) == expected)
    }

    @Test(
        "who has many addresses of one network of IPv6 is one, and an IPv4 address is somebody of their own",
        arguments: [
            ("203.0.113.9", "203.0.113.9"), ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2::7", "2001:db8:1:2::/64"), ("2001:DB8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::7", "2001:db8:1:3::/64"), ("unknown", "unknown"),
        ]
    )
    func network(address: String, network: String) {
        #expect(ClientAddress.network(of: address) == network)
    }

    @Test(
        "clients of a proxy that says no address are metered as the proxy, and that is told",
        arguments: [
            ("10.0.0.1", "hidden", "10.0.0.1", ["hidden"]), ("10.0.0.1", "198.51.100.1,", "10.0.0.1", [""]),
            ("::ffff:10.0.0.1", "198.51.100.1, _x, 10.0.0.1", "10.0.0.1", [" _x"]),
            ("10.0.0.1", "198.51.100.1:80", "198.51.100.1", []), ("203.0.113.9", "hidden", "203.0.113.9", []),
            ("10.0.0.1", nil, nil, []),
        ] as [(String, String?, String?, [String])]
    )
    func metered(peer: String, forwarded: String?, expected: String?, unreadable: [String]) {
        var notified: [String] = []
        let found = ClientAddress.metered(peer: peer, forwarded: forwarded, trusted: ["10.0.0.1"]) {
            notified.append(String($0))
        }
        #expect(found == expected)
        #expect(notified == unreadable)
    }
}
