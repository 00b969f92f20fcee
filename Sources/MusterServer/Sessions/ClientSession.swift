import MusterCore
import MusterWire

/// What a shard knows of one connection.
///
/// A class, so that the connection can hold it, and a frame changes it in place.
final class ClientSession {
    /// How far the connection has come.
    enum Phase: Equatable {
        /// The first frame must be `hello`.
        case awaitingHello
        /// The directory looks the token up, or will when it is the session's turn, which is nil; frames wait.
        case admitting(Task<Void, Never>?)
        /// The world knows the session.
        case open(UserID)
        /// A close is on its way; frames are dropped.
        case ended
    }

    /// Meters fixes.
    var throttle: Throttle
    /// Whether the world was told of the session, and so must be told of its end.
    var isKnownToWorld = false
    /// Whether it is a light session.
    let isWatch: Bool
    /// Whether the socket is not read.
    var isPaused = false
    /// Whether the socket is not read because too many fixes came.
    var isThrottled = false
    /// Requests that run or wait; nil when there are none.
    var requests: SessionRequests?
    /// Frames that wait to be let in, or for a barrier.
    var backlog: [ClientFrame] = []
    /// Counts bad frames.
    var badFrames = BadFrameCount()
    /// How far the connection has come.
    var phase = Phase.awaitingHello

    /// Whether a barrier runs: later frames wait.
    var isBarred: Bool { self.requests?.schedule.isBarred ?? false }

    /// Begins with a connection that has said nothing.
    init(isWatch: Bool, throttle: Throttle) {
        self.isWatch = isWatch
        self.throttle = throttle
    }
}

@available(*, unavailable)
extension ClientSession: Sendable {}
