/// Well-formed fixes of one device, oldest first, as one frame or one HTTP request brought them.
package struct FixReport: Sendable, Equatable, Codable {
    /// Where the acknowledgement goes.
    package enum Origin: Hashable, Sendable, Codable {
        /// A session that is open in the world.
        case session(SessionID)
        /// An HTTP request, which gets one acknowledgement when all of its fixes are decided.
        case request(SessionID)
    }

    /// Where they came in.
    package var origin: Origin
    /// Who reports, for a report without a session; nil for a session, which the world knows.
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
