import MusterWire
import Synchronization

/// Counts share pictures and their views.
final class ShareStatistics: Sendable {
    /// The result of a view.
    enum Result: String, CaseIterable, Sendable {
        case shown
        /// The picture has expired or was revoked.
        case gone
        /// No picture ever had this address.
        case unknown
        /// The client sent too many wrong addresses.
        case limited
        /// The world or storage was unavailable.
        case unavailable

        /// The result for an error.
        init(_ error: FrameError) {
            switch error.code {
            case .gone: self = .gone
            case .notFound: self = .unknown
            case .rateLimited: self = .limited
            default: self = .unavailable
            }
        }
    }

    /// The counters.
    struct Counts: Sendable {
        var made = 0
        var views: [Result: Int] = [:]
        var tiles: [ShareTiles.Result: Int] = [:]
    }

    private let state = Mutex(Counts())

    /// The counters so far.
    var counts: Counts { self.state.withLock { $0 } }

    /// Counts a picture that was created.
    func noteMade() { self.state.withLock { $0.made += 1 } }

    /// Counts a tile that a picture requested.
    func note(_ result: ShareTiles.Result) { self.state.withLock { $0.tiles[result, default: 0] += 1 } }

    /// Counts a view of an address.
    func note(_ result: Result) { self.state.withLock { $0.views[result, default: 0] += 1 } }
}

extension MetricsPage {
    /// The metrics of share pictures.
    static let shares: [Metric<ShareStatistics.Counts>] = [
        Metric("muster_shares_made_total", .counter, "Share pictures made.") { .integer($0.made) },
        Metric("muster_share_views_total", .counter, "Requests for share pictures, by result.") {
            counts in
            .samples(ShareStatistics.Result.allCases.map { ([("result", $0.rawValue)], counts.views[$0] ?? 0) })
        },
        Metric(
            "muster_share_tiles_total",
            .counter,
            "Map tiles for share pictures, by result: kept, fetched, absent, failed."
        ) { counts in
            .samples(ShareTiles.Result.allCases.map { ([("result", $0.rawValue)], counts.tiles[$0] ?? 0) })
        },
    ]
}
