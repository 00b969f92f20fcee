import EventLoop
import ImagingWire
import MusterCore
import OutboundHTTP
import Synchronization

/// The map tiles below share pictures, from the server that the operator configured.
///
/// The server receives the numbers of tiles only; it learns neither whose picture it is nor the positions on it. A
/// picture waits for all of its tiles together, and is drawn without those that are late. Late tiles serve the next
/// picture.
final class ShareTiles: Sendable {
    /// The result for a tile that a picture requested.
    enum Result: String, Sendable, CaseIterable {
        /// The tile was cached.
        case kept
        case fetched
        /// The server has no tile at this place.
        case absent
        /// The tile came too late, was too large or invalid, or the server failed.
        case failed
    }

    /// A tile that a picture requested.
    struct Found: Sendable {
        let tile: TileAddress
        let result: Result
        /// The file; empty when there is none.
        var file: [UInt8] = []
    }

    /// The name of the server in metrics.
    private static let name = "tiles"
    /// The maximum number of milliseconds for which a picture waits.
    private static let longestTimeout: Int64 = 3_000
    /// The size of the cache in bytes, and the milliseconds for which a tile is cached.
    private static let (capacity, freshness): (Int, Int64) = (16 << 20, 86_400_000)
    private static let absentStatuses = [204, 404, 410]

    /// The attribution of the tiles.
    let attribution: String
    /// Milliseconds for which a picture waits.
    let timeout: Int64
    private let template: TileTemplate
    private let calls: ProviderCalls
    private let flights: SingleFlight<TileAddress, Found>
    private let cache = Mutex(TileCache(limit: ShareTiles.capacity, freshness: ShareTiles.freshness))

    /// Creates a client with a timeout of `timeout` milliseconds, or of a picture's maximum wait if that is less.
    init(_ configuration: ProviderConfiguration.Tiles, calls: ProviderCalls, timeout: Int64) {
        self.template = configuration.template
        self.attribution = configuration.attribution
        self.timeout = min(timeout, Self.longestTimeout)
        self.calls = calls
        self.flights = SingleFlight(clock: calls.clock)
    }

    /// The tiles of a picture, in their order, by a deadline in milliseconds of the clock.
    func find(_ tiles: [TileAddress], by deadline: Int64) async -> [Found] {
        await withTaskGroup(of: (Int, Found).self) { group in
            for (place, tile) in tiles.enumerated() {
                group.addTask { (place, await self.find(tile, by: deadline)) }
            }
            var found = tiles.map { Found(tile: $0, result: .failed) }
            for await (place, one) in group { found[place] = one }
            return found
        }
    }

    private func find(_ tile: TileAddress, by deadline: Int64) async -> Found {
        let now = self.calls.clock.milliseconds
        if let file = self.cache.withLock({ $0.file(of: tile, now: now) }) {
            return Found(tile: tile, result: .kept, file: file)
        }
        guard now < deadline else { return Found(tile: tile, result: .failed) }
        let found = await self.flights.value(for: tile, by: deadline) { [self] in await self.fetch(tile) }
        return found ?? Found(tile: tile, result: .failed)
    }

    private func fetch(_ tile: TileAddress) async -> Found {
        var request = OutboundRequest(self.template.url(zoom: tile.zoom, column: tile.x, row: tile.y))
        request.headers = [("Accept", "image/png")]
        request.timeout = self.timeout
        request.deadline = self.calls.clock.milliseconds + self.timeout
        request.bodyLimit = SharePicture.longestTile
        do throws(ProviderFailure) {
            let file = try await self.calls.ask(Self.name, request) { (response) throws(UnreadableAnswer) in
                try Self.file(response)
            }
            guard let file else { return Found(tile: tile, result: .absent) }
            let now = self.calls.clock.milliseconds
            self.cache.withLock { $0.keep(file, for: tile, now: now) }
            return Found(tile: tile, result: .fetched, file: file)
        } catch {
            return Found(tile: tile, result: .failed)
        }
    }

    /// The file in an answer, which only a child process decodes; nil when the server has none.
    private static func file(_ response: OutboundResponse) throws(UnreadableAnswer) -> [UInt8]? {
        // A server of one country has no tiles of others, which is no failure.
        if self.absentStatuses.contains(response.status) { return nil }
        guard response.status == 200, SharePicture.Tile.isLikely(response.body) else { throw UnreadableAnswer() }
        return response.body
    }
}
