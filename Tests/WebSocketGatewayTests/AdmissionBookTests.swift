import Testing

@testable import WebSocketGateway

@Suite struct AdmissionBookTests {
    private static func book() -> AdmissionBook {
        var limits = GatewayConfiguration.Limits()
        limits.connectionsPerAddress = 3
        limits.exemptAddresses = ["2001:db8:9::1"]
        return AdmissionBook(limits: limits)
    }

    @Test(
        "who has many addresses of one network has the connections of one",
        arguments: [
            (["203.0.113.1", "203.0.113.1", "203.0.113.1"], "203.0.113.1", RefusalReason?.some(.addressCap)),
            (["203.0.113.1", "203.0.113.1", "203.0.113.1"], "203.0.113.2", nil),
            (["2001:db8::1", "2001:db8::2", "2001:db8::3"], "2001:db8::4", .addressCap),
            (["2001:db8::1", "2001:db8::2", "2001:db8::3"], "2001:db8:0:1::1", nil),
            (["203.0.113.1", "203.0.113.1", "203.0.113.1"], "::ffff:203.0.113.1", .addressCap),
            (["2001:db8:9::1", "2001:db8:9::1", "2001:db8:9::1"], "2001:db8:9::1", nil),
            (["2001:db8:9::1", "2001:db8:9::1", "2001:db8:9::1"], "2001:db8:9::2", nil),
            (["::1", "::1", "::1"], "::1", nil),
        ]
    )
    func connections(before: [String], next: String, refusal: RefusalReason?) {
        let book = Self.book()
        for address in before { #expect(book.admit(address, now: 0) == nil) }
        #expect(book.admit(next, now: 0) == refusal)
        guard refusal != nil, let first = before.first else { return }
        // Either of them frees a place.
        book.release(first)
        #expect(book.admit(next, now: 0) == nil)
    }

    @Test("fifty addresses of one network knock no faster than one")
    func rate() {
        var limits = GatewayConfiguration.Limits()
        limits.connectsPerSecondPerAddress = 1
        let book = AdmissionBook(limits: limits)
        let refusals = (1...50).compactMap { book.admit("2001:db8::\($0)", now: 0) }
        #expect(refusals.count == 40)
    }
}
