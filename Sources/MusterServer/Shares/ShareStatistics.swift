import MusterWire
import Synchronization

/// Counts share pictures, and who looked for them.
final class ShareStatistics: Sendable {
    /// What somebody who had an address was shown.
    enum Result: String, CaseIterable, Sendable {
        case shown
        /// It is over or was taken back.
        case gone
        /// There never was one at this address.
        case unknown
        /// Too many wrong addresses came from there.
        case limited
        /// The world or storage could not be asked.
        case unavailable

        /// What an error amounts to.
        init(_ error: FrameError) {
            switch error.code {
            case .gone: self = .gone
            case .notFound: self = .unknown
            case .rateLimited: self = .limited
            default: self = .unavailable
            }
        }
    }

    /// What happened so far.
    struct Counts: Sendable {
        var made = 0
        var views: [Result: Int] = [:]
        var tiles: [ShareTiles.Result: Int] = [:]
    }

    private let state = Mutex(Counts())

    /// All of it.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts a picture that was made.
    func noteMade() { self.state.withLock { $0.made += 1 } }

    /// Counts a tile that a picture wanted.
    func note(_ result: ShareTiles.Result) { self.state.withLock { $0.tiles[result, default: 0] += 1 } }

    /// Counts a look at an address.
    func note(_ result: Result) { self.state.withLock { $0.views[result, default: 0] += 1 } }
}

extension MetricsPage {
    /// The metrics of share pictures.
    static let shares: [Metric<ShareStatistics.Counts>] = [
        Metric("muster_shares_made_total", .counter, "Share pictures made.") { .integer($0.made) },
        Metric("muster_share_views_total", .counter, "Looks at addresses of share pictures, by what came of them.") {
            counts in
            .samples(ShareStatistics.Result.allCases.map { ([("result", $0.rawValue)], counts.views[$0] ?? 0) })
        },
        Metric(
            "muster_share_tiles_total",
            .counter,
            "Map tiles that share pictures wanted, by what came of them: kept, fetched, absent, failed."
        ) { counts in
            .samples(ShareTiles.Result.allCases.map { ([("result", $0.rawValue)], counts.tiles[$0] ?? 0) })
        },
    ]
}
