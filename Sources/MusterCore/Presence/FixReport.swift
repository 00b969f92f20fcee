/// Well-formed fixes of one device, oldest first, from one frame or one HTTP request.
package struct FixReport: Sendable, Equatable {
    /// The destination of the acknowledgement.
    package enum Origin: Hashable, Sendable {
        /// A session that the world knows.
        case session(SessionID)
        /// An HTTP request, which gets one acknowledgement once all of its fixes are decided.
        case request(SessionID)
    }

    /// The origin of the fixes.
    package var origin: Origin
    /// The reporting user and device, for a report without a session; nil for a session, which the world knows.
    @Boxed package private(set) var arrival: Arrival?
    /// The fixes.
    package var fixes: [Fix]

    /// Creates a report.
    package init(origin: Origin, arrival: Arrival? = nil, fixes: [Fix]) {
        self.origin = origin
        self.arrival = arrival
        self.fixes = fixes
    }
}
