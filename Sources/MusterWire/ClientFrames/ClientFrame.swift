package import MusterCore

/// A well-formed frame from a client (`public/docs/protocol.md`).
///
/// Frames about the session, and very frequent frames, are cases. All others are requests, each with a type of its own.
/// `FrameDecoder` decodes a frame and `encoded` encodes it. A tag is the request's `id` field.
package enum ClientFrame: Sendable {
    /// Identifies the client; the first frame.
    case hello(Hello)
    /// Checks that the service responds.
    case ping(RequestTag?)
    /// The app has entered or left the foreground.
    case state(RequestTag?, isForeground: Bool)
    /// One fix.
    case location(RequestTag?, Fix)
    /// Several fixes, oldest first, and the malformed ones.
    case locations(RequestTag?, FixBatch)
    /// The user has seen notifications.
    case seen(RequestTag?, SeenNotifications)
    /// A request of the catalog.
    case request(RequestTag?, any ClientRequest)

    /// The tag of the request, which its answer repeats.
    package var tag: RequestTag? {
        switch self {
        case .hello(let hello): hello.tag
        case .ping(let tag), .state(let tag, _), .location(let tag, _), .locations(let tag, _), .seen(let tag, _),
            .request(let tag, _):
            tag
        }
    }
}

extension ClientFrame: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.hello(let left), .hello(let right)): left == right
        case (.ping(let left), .ping(let right)): left == right
        case (.state(let left, let isLeft), .state(let right, let isRight)): left == right && isLeft == isRight
        case (.location(let left, let leftFix), .location(let right, let rightFix)):
            left == right && leftFix == rightFix
        case (.locations(let left, let leftBatch), .locations(let right, let rightBatch)):
            left == right && leftBatch == rightBatch
        case (.seen(let left, let leftSeen), .seen(let right, let rightSeen)): left == right && leftSeen == rightSeen
        case (.request(let left, let leftRequest), .request(let right, let rightRequest)):
            left == right && leftRequest.isEqual(to: rightRequest)
        case (.hello, _), (.ping, _), (.state, _), (.location, _), (.locations, _), (.seen, _), (.request, _): false
        }
    }
}
