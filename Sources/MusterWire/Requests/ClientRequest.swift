/// What a client asks: one type a request, which says all that the wire knows of it.
///
/// The server's table pairs each with a handler. Encoded, a request is its fields in the order of their declaration.
package protocol ClientRequest: Encodable, Equatable, Sendable {
    /// What the `ok` frame carries beside the request's `id`, a field a property.
    associatedtype Answer: Encodable & Sendable = NoAnswer

    /// The `type` of the frame.
    static var type: String { get }
    /// Which sessions may send it; by default full ones alone.
    static var audience: RequestAudience { get }
    /// What it waits for, and what waits for it.
    static var order: RequestOrder { get }
    /// How often a person may send it; nil for as often as they like.
    static var rate: RequestRate? { get }

    /// Which room or group it counts for, where the rate is each one's.
    var ratedSubject: Int64? { get }
    /// Whether it is done above the rate too, for it lets others see less.
    var isNeverRefused: Bool { get }

    /// Reads the fields of a frame.
    ///
    /// - Throws: `badRequest`, which names the field that is wrong.
    init(reading fields: JSONFields) throws(FrameError)
}

extension ClientRequest {
    package static var audience: RequestAudience { .fullSessions }
    package static var rate: RequestRate? { nil }
    package var ratedSubject: Int64? { nil }
    package var isNeverRefused: Bool { false }

    /// Whether `other` is the same request.
    func isEqual(to other: any ClientRequest) -> Bool { self == other as? Self }
}

/// The answer that is no more than `ok`.
package struct NoAnswer: Encodable, Equatable, Sendable {
    /// Creates the answer.
    package init() {}
}

/// Which sessions may send a request.
package enum RequestAudience: Sendable {
    /// Full ones; a watch is `forbidden`.
    case fullSessions
    /// Watches too.
    case allSessions
}

/// What a request waits for on its session, and what waits for it.
package enum RequestOrder: Hashable, Sendable {
    /// It changes who may see what: every later frame of the session waits for it, and it waits for no request.
    case barrier
    /// It waits for nothing but room: so many requests run beside each other. It reads, or changes all or nothing.
    case beside
    /// It waits for earlier requests of the same line, which change the same things.
    case line(String)
    /// It reads what the requests of a line change: it waits for the earlier ones of these, and none of them for it.
    case behind(line: String)

    /// Whether nothing is half done when it is given up.
    package var onlyReads: Bool {
        switch self {
        case .beside, .behind: true
        case .barrier, .line: false
        }
    }
}
