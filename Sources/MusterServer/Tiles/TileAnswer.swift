import MusterCore
import MusterWire

/// The cluster service's answer to a question about a layer.
enum TileAnswer: Sendable {
    case done
    case tile(TileContent)
    case cluster(ClusterSummary)
    case leaves([TilePoint], next: LeafCursor?)
}

extension FrameError {
    /// The error while maps are not available.
    static let mapsBusy = FrameError(.unavailable, message: "Maps are not ready; try again soon.", retryAfter: 1000)

    /// Converts a refusal of the cluster service to an error of the wire.
    init(_ refusal: ClusterRefusal) {
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
