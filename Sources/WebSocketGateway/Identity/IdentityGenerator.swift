/// Makes the ids of one shard's connections and requests.
///
/// Layout, high to low: one zero bit, 31 bits of seconds since 2020 at the start of the process, 26 bits of a counter
/// that carries into the seconds, 6 bits of shard. Unique over restarts as long as a process opens fewer than 67
/// million connections a second.
package struct IdentityGenerator {
    private static let shardBits: UInt64 = 6
    private static let counterBits: UInt64 = 26
    private static let epochSeconds: Int64 = 1_577_836_800

    /// The most shards whose number fits an id.
    package static let maximumShards = 1 << Int(shardBits)

    private let shard: UInt64
    private var next: UInt64

    /// Creates the generator of `shard` in a process that started at `startMilliseconds` since the Unix epoch.
    package init(shard: Int, startMilliseconds: Int64) {
        precondition((0..<Self.maximumShards).contains(shard), "the shard does not fit an id")
        self.shard = UInt64(shard)
        let seconds = max(0, startMilliseconds / 1000 - Self.epochSeconds)
        self.next = UInt64(seconds) << Self.counterBits
    }

    /// The next number.
    package mutating func make() -> UInt64 {
        self.next += 1
        return (self.next << Self.shardBits | self.shard) & UInt64(Int64.max)
    }

    /// What is left of `rawValue` without the shard: one more for each id of a shard.
    static func serial(of rawValue: UInt64) -> UInt64 { rawValue >> Self.shardBits }

    /// The shard inside `rawValue`.
    package static func shard(of rawValue: UInt64) -> Int {
        Int(rawValue & (UInt64(self.maximumShards) - 1))
    }
}
