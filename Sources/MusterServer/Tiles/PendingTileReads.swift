import MusterCore
import MusterWire
import Synchronization

/// The atlas's answer to a question about a layer.
enum TileAnswer: Sendable {
    case done
    case tile(TileContent)
    case cluster(ClusterSummary)
    case leaves([TilePoint], next: LeafCursor?)
}

/// The HTTP requests that wait for the atlas.
final class PendingTileReads: Sendable {
    private typealias Waiter = CheckedContinuation<Result<TileAnswer, FrameError>, Never>

    /// The maximum number of waiting requests.
    private static let limit = 4096

    private struct State {
        var waiting: [Int64: Waiter] = [:]
        var last: Int64 = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Returns the atlas's answer to the question that `ask` sends for a request.
    ///
    /// - Throws: the reason why there is no answer; `unavailable` when too many requests wait.
    func answer(_ ask: (AtlasAsker) -> Void) async throws(FrameError) -> TileAnswer {
        let result: Result<TileAnswer, FrameError> = await withCheckedContinuation { continuation in
            let request = self.state.withLock { state -> Int64? in
                guard state.waiting.count < Self.limit, !state.hasEnded else { return nil }
                state.last += 1
                state.waiting[state.last] = continuation
                return state.last
            }
            if let request {
                ask(.request(request))
            } else {
                continuation.resume(returning: .failure(.mapsBusy))
            }
        }
        return try result.get()
    }

    /// Resumes a waiting request.
    func resolve(_ request: Int64, _ answer: Result<TileAnswer, FrameError>) {
        self.state.withLock { $0.waiting.removeValue(forKey: request) }?.resume(returning: answer)
    }

    /// Resumes all waiting requests with an error, because the atlas no longer answers.
    func endAll() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [:] }
            state.hasEnded = true
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume(returning: .failure(.mapsBusy)) }
    }
}

extension FrameError {
    /// The error while maps are not available.
    static let mapsBusy = FrameError(.unavailable, message: "Maps are not ready; try again soon.", retryAfter: 1000)

    /// Converts a refusal of the atlas to an error of the wire.
    init(_ refusal: AtlasRefusal) {
        switch refusal {
        case .unknownLayer:
            self.init(.badRequest, message: "layer must be the name of a layer.", field: "layer")
        case .notMember:
            self.init(.notMember, message: "You are not a member of this group.")
        case .tooManyLayers:
            self.init(.conflict, message: "A session may watch at most 8 layers.")
        case .loading:
            self = .mapsBusy
        case .clusterGone:
            self.init(.gone, message: "The cluster no longer exists.")
        case .badCursor:
            self.init(.badRequest, message: "after must be the value of next in an earlier answer.", field: "after")
        }
    }
}
