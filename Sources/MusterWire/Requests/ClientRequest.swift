/// A request of a client.
///
/// Each request is a type that defines its wire format and its rules.
///
/// The server's request table assigns a handler to each type.
package protocol ClientRequest: Equatable, Sendable {
    /// The fields of the `ok` frame in addition to the request's `id`, one for each property.
    associatedtype Answer: Encodable & Sendable = NoAnswer

    /// The `type` of the frame.
    static var type: String { get }
    /// The sessions that may send the request; by default only full sessions.
    static var audience: RequestAudience { get }
    /// The order relative to other requests of the session.
    static var order: RequestOrder { get }
    /// The rate limit for each user; nil for none.
    static var rate: RequestRate? { get }

    /// The room or group that is counted, if the rate limit is per room or group.
    var ratedSubject: Int64? { get }
    /// Whether the request is executed even above the rate limit, because it reduces what others can see.
    var isNeverRefused: Bool { get }

    /// Decodes the fields of a frame.
    ///
    /// - Throws: `badRequest`, which names the invalid field.
    init(reading fields: JSONFields) throws(FrameError)
}

extension ClientRequest {
    package static var audience: RequestAudience { .fullSessions }
    package static var rate: RequestRate? { nil }
    package var ratedSubject: Int64? { nil }
    package var isNeverRefused: Bool { false }

    /// Returns whether `other` is the same request.
    func isEqual(to other: any ClientRequest) -> Bool { self == other as? Self }
}

/// An answer without fields other than those of `ok`.
package struct NoAnswer: Encodable, Equatable, Sendable {
    /// Creates the answer.
    package init() {}
}

/// The sessions that may send a request.
package enum RequestAudience: Sendable {
    /// Full sessions only; a wearable gets `forbidden`.
    case fullSessions
    /// All sessions, including wearables.
    case allSessions
}

/// The order of a request relative to other requests of its session.
package enum RequestOrder: Hashable, Sendable {
    /// Changes visibility: all later frames of the session wait for it, and it waits for no request.
    case barrier
    /// Concurrent with all others, up to a limit of concurrent requests. It only reads, or its change is atomic.
    case concurrent
    /// Waits for earlier requests of the same line, which change the same data.
    case line(String)
    /// Reads data that the requests of a line change: it waits for earlier ones of the line, but they do not wait for
    /// it.
    case behind(line: String)

    /// Whether cancelling the request leaves no partial change.
    package var onlyReads: Bool {
        switch self {
        case .concurrent, .behind: true
        case .barrier, .line: false
        }
    }
}
