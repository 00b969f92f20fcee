/// The generator of the ids of one shard's connections and requests.
///
/// Layout, high to low: one zero bit, 31 bits of seconds since 2020 at the start of the process, 18 bits of a counter
/// that carries into the seconds, 8 bits of node, 6 bits of shard. The ids are unique across restarts as long as a
/// process opens fewer than 262,144 connections and requests a second on average.
struct IdentityGenerator {
    private static let shardBits: UInt64 = 6
    private static let nodeBits: UInt64 = 8
    private static let counterBits: UInt64 = 18
    private static let epochSeconds: Int64 = 1_577_836_800

    /// The maximum number of shards.
    static let maximumShards = 1 << Int(shardBits)

    /// The node and shard bits.
    private let place: UInt64
    private var next: UInt64

    /// Creates the generator for a node's `shard` in a process that started at `startMilliseconds` since the Unix
    /// epoch.
    init(node: UInt8, shard: Int, startMilliseconds: Int64) {
        precondition((0..<Self.maximumShards).contains(shard), "the shard does not fit an id")
        self.place = UInt64(node) << Self.shardBits | UInt64(shard)
        let seconds = max(0, startMilliseconds / 1000 - Self.epochSeconds)
        self.next = UInt64(seconds) << Self.counterBits
    }

    /// Returns the next id.
    package mutating func make() -> UInt64 {
        self.next += 1
        return (self.next << (Self.nodeBits + Self.shardBits) | self.place) & UInt64(Int64.max)
    }

    /// Returns `rawValue` without the node and shard bits: consecutive numbers within a shard.
    static func serial(of rawValue: UInt64) -> UInt64 { rawValue >> (Self.nodeBits + Self.shardBits) }

    /// Returns the node of `rawValue`.
    static func node(of rawValue: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: rawValue >> Self.shardBits) }

    /// Returns the shard of `rawValue`.
    package static func shard(of rawValue: UInt64) -> Int {
        Int(rawValue & (UInt64(self.maximumShards) - 1))
    }
}
