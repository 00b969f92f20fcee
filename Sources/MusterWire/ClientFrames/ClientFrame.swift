package import MusterCore

/// A frame that a client sends, well-formed (PROTOCOL 2 to 6).
///
/// What is about the session or sent all the time is a case; everything else is a request, a type of its own.
/// `FrameDecoder` makes a frame from bytes, `encoded` makes bytes from it; a tag is the request's `id`.
package enum ClientFrame: Sendable {
    /// Says who is there; the first frame.
    case hello(Hello)
    /// Asks whether the service answers.
    case ping(RequestTag?)
    /// The app came to the foreground or left it.
    case state(RequestTag?, isForeground: Bool)
    /// One fix.
    case location(RequestTag?, Fix)
    /// Several fixes, oldest first, and those among them that are malformed.
    case locations(RequestTag?, FixBatch)
    /// Notifications were seen.
    case seen(RequestTag?, SeenNotifications)
    /// One of the requests in the catalog.
    case request(RequestTag?, any ClientRequest)

    /// The mark of the request, which its answer carries.
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
