import MusterCore
import MusterWire

/// The state that a shard keeps of one connection.
///
/// A class, so that the connection can hold it and frames change it in place.
final class ClientSession {
    /// The phase of a connection.
    enum Phase: Equatable {
        /// The first frame must be `hello`.
        case awaitingHello
        /// The directory looks up the token, while frames wait. The task is nil as long as the session is queued.
        case admitting(Task<Void, Never>?)
        /// The world knows the session.
        case open(UserID)
        /// A close is on its way; frames are dropped.
        case ended
    }

    /// Limits the rate of fixes.
    var throttle: Throttle
    /// Whether the world knows the session, and so must be notified of its end.
    var isKnownToWorld = false
    /// Whether it is the light session of a wearable.
    let isWatch: Bool
    /// Whether reading of the socket is paused.
    var isPaused = false
    /// Whether reading is paused because of too many fixes.
    var isThrottled = false
    /// Running and waiting requests; nil when there are none.
    var requests: SessionRequests?
    /// Frames that wait for admission, or behind a barrier.
    var backlog: [ClientFrame] = []
    /// Counts bad frames.
    var badFrames = BadFrameCount()
    /// The phase of the connection.
    var phase = Phase.awaitingHello

    /// Whether a barrier is running, so that later frames wait.
    var isBarred: Bool { self.requests?.schedule.isBarred ?? false }

    /// Creates the state of a connection that has sent nothing yet.
    init(isWatch: Bool, throttle: Throttle) {
        self.isWatch = isWatch
        self.throttle = throttle
    }
}

@available(*, unavailable)
extension ClientSession: Sendable {}
