import Testing

@testable import WebSocketGateway

@Suite struct ClientAddressTests {
    @Test(
        "a client's address is what the last proxy that we trust saw; nobody is moved by what anybody may have written",
        arguments: [
            // Nobody between: the header means nothing.
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("203.0.113.9", nil, "203.0.113.9"),
            ("::ffff:203.0.113.9", nil, "203.0.113.9"),
            ("2001:DB8:0::1", nil, "2001:db8::1"),
            // One proxy, and a client that forges.
            ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
            ("10.0.0.1", " 1.1.1.1 ,198.51.100.1 ", "198.51.100.1"),
            ("::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
            // A chain of two, of which the client forges one more.
            ("10.0.0.1", "1.1.1.1, 198.51.100.1, fd00::2", "198.51.100.1"),
            ("10.0.0.1", "198.51.100.1, FD00:0::2, ::ffff:10.0.0.1", "198.51.100.1"),
            // A proxy that does not say for whom it speaks, or says nonsense.
            ("10.0.0.1", nil, nil), ("10.0.0.1", "", nil), ("10.0.0.1", "unknown", nil),
            ("10.0.0.1", "198.51.100.1,", nil), ("10.0.0.1", "198.51.100.1, 10.0.0.1:80", nil),
            ("10.0.0.1", "fd00::2", nil), ("", "198.51.100.1", nil),
        ] as [(String, String?, String?)]
    )
    func finds(peer: String, forwarded: String?, expected: String?) {
        let found = ClientAddress.find(peer: peer, forwarded: forwarded, trusted: ["10.0.0.1", "fd00::2"])
        #expect(found == expected)
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
}
