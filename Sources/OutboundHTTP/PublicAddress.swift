/// The addresses that are reachable from everywhere, by the IANA registries of special-purpose addresses.
enum PublicAddress {
    private struct Block {
        let bytes: [UInt8]
        let bits: Int

        init(_ bytes: [UInt8], _ bits: Int) {
            self.bytes = bytes
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            (0..<self.bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                let own = bit / 8 < self.bytes.count ? self.bytes[bit / 8] : 0
                return own & mask == address[bit / 8] & mask
            }
        }
    }

    /// Blocks of IPv4 that are not public.
    private static let special4 = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 3),
    ]
    /// The only block of IPv6 with public addresses; loopback, private, mapped, translated and multicast ones lie outside.
    private static let unicast6 = Block([0x20], 3)
    /// Blocks in it that are not public: protocols of the IETF with Teredo, documentation, and 6to4.
    private static let special6 = [
        Block([0x20, 0x01], 23), Block([0x20, 0x01, 0x0d, 0xb8], 32), Block([0x20, 0x02], 16), Block([0x3f, 0xff], 20),
    ]
    private static let mapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96)

    /// Whether an address of 4 or 16 bytes is public.
    static func isPublic(_ address: [UInt8]) -> Bool {
        if address.count == 4 { return !self.special4.contains { $0.contains(address) } }
        return address.count == 16 && self.unicast6.contains(address)
            && !self.special6.contains { $0.contains(address) }
    }

    /// The IPv4 address in a mapped IPv6 address; any other address unchanged.
    static func unmapped(_ address: [UInt8]) -> [UInt8] {
        address.count == 16 && self.mapped.contains(address) ? Array(address[12...]) : address
    }
}
