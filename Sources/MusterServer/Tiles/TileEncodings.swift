import MusterCore
import Synchronization
import WebSocketGateway

/// The format of a tile over HTTP.
enum TileFormat: Hashable, Sendable {
    case json
    case mvt
}

/// An encoded tile.
struct TileEncoding: Sendable {
    /// The version of the tile.
    let version: UInt64
    /// Empty for a tile that is answered by 204.
    let bytes: [UInt8]
    /// The bytes in gzip; nil when that is hardly shorter.
    let gzip: [UInt8]?
    /// A hash of the bytes, as an `ETag` without its quotes.
    let tag: String

    /// Creates the encoding of a version of a tile.
    ///
    /// The tag depends on the bytes alone, so it stays valid after a restart.
    init(version: UInt64, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
        self.gzip = GzipEncoding.encode(bytes)
        self.tag = ContentHash.of(bytes)
    }

    /// The size in memory, in bytes.
    fileprivate var size: Int { self.bytes.count + (self.gzip?.count ?? 0) + 256 }
}

/// An LRU cache of encoded tiles, of at most 32 MB, including the memory that the cluster service holds for them.
///
/// The cluster service keeps the cached tiles up to date, or reports that it no longer does. So the cluster service
/// must be notified of each tile that is dropped.
final class TileEncodings: Sendable {
    /// The average memory that the cluster service holds at most to keep a tile up to date, in bytes.
    ///
    /// It consists of the tile's cells, the cells around them, and twice the tile's features.
    static let tileSize = 14 << 10

    private struct Key: Hashable {
        let layer: TileLayer
        let tile: TileAddress
        let format: TileFormat

        /// The same tile in the other format.
        var other: Self {
            let format: TileFormat =
                switch self.format {
                case .json: .mvt
                case .mvt: .json
                }
            return Self(layer: self.layer, tile: self.tile, format: format)
        }
    }

    private struct State {
        var encodings: [Key: (encoding: TileEncoding, use: UInt64)] = [:]
        /// In the order of use.
        ///
        /// An entry is stale if its use is not that of its encoding.
        var uses: [(key: Key, use: UInt64)] = []
        var head = 0
        var lastUse: UInt64 = 0
        var size = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a cache of `limit` bytes.
    init(limit: Int = 32 << 20) { self.limit = limit }

    /// The size of the cache, in bytes.
    var size: Int { self.state.withLock { $0.size } }

    /// The cached encoding of a tile's version; nil when there is none.
    func encoding(_ layer: TileLayer, _ tile: TileAddress, _ format: TileFormat, version: UInt64) -> TileEncoding? {
        let key = Key(layer: layer, tile: tile, format: format)
        return self.state.withLock { state in
            guard let known = state.encodings[key], known.encoding.version == version else { return nil }
            Self.use(key, &state)
            return known.encoding
        }
    }

    /// Caches the encoding of a tile.
    ///
    /// - Returns: tiles whose last encoding was dropped to stay within the limit.
    func keep(
        _ encoding: TileEncoding,
        _ layer: TileLayer,
        _ tile: TileAddress,
        _ format: TileFormat
    ) -> [(TileLayer, TileAddress)] {
        let key = Key(layer: layer, tile: tile, format: format)
        return self.state.withLock { state in
            Self.drop(key, &state)
            if state.encodings[key.other] == nil { state.size += Self.tileSize }
            state.size += encoding.size
            state.encodings[key] = (encoding, 0)
            Self.use(key, &state)
            return self.makeSpace(&state)
        }
    }

    /// Removes a tile.
    func remove(_ layer: TileLayer, _ tile: TileAddress) {
        self.state.withLock { state in
            for format in [TileFormat.json, .mvt] {
                Self.drop(Key(layer: layer, tile: tile, format: format), &state)
            }
        }
    }

    /// Drops an encoding, if it is cached.
    private static func drop(_ key: Key, _ state: inout State) {
        guard let known = state.encodings.removeValue(forKey: key) else { return }
        state.size -= known.encoding.size
        if state.encodings[key.other] == nil { state.size -= Self.tileSize }
    }

    private static func use(_ key: Key, _ state: inout State) {
        state.lastUse += 1
        state.encodings[key]?.use = state.lastUse
        state.uses.append((key, state.lastUse))
        guard state.uses.count > 64, state.uses.count - state.head > 4 * state.encodings.count else {
            if state.head > state.uses.count / 2 {
                state.uses.removeFirst(state.head)
                state.head = 0
            }
            return
        }
        state.uses = state.uses[state.head...].filter { state.encodings[$0.key]?.use == $0.use }
        state.head = 0
    }

    private func makeSpace(_ state: inout State) -> [(TileLayer, TileAddress)] {
        var dropped: [(TileLayer, TileAddress)] = []
        while state.size > self.limit, state.head < state.uses.count {
            let (key, use) = state.uses[state.head]
            state.head += 1
            guard let known = state.encodings[key], known.use == use else { continue }
            Self.drop(key, &state)
            if state.encodings[key.other] == nil { dropped.append((key.layer, key.tile)) }
        }
        return dropped
    }
}
