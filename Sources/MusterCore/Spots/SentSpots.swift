/// The spots that each session was sent: the newest `capacity` of each.
struct SentSpots {
    /// The number of spots remembered per session; updates about older ones are not sent.
    static let capacity = 1000

    /// A ring buffer: once it is full, `spots[oldest]` is the oldest element.
    private struct Sent {
        var spots: [SpotID] = []
        var oldest = 0

        /// Adds a spot, and returns the one that it replaces.
        mutating func append(_ spot: SpotID) -> SpotID? {
            guard self.spots.count == SentSpots.capacity else {
                self.spots.append(spot)
                return nil
            }
            let forgotten = self.spots[self.oldest]
            self.spots[self.oldest] = spot
            self.oldest = (self.oldest + 1) % SentSpots.capacity
            return forgotten
        }
    }

    /// A set of sessions by number; the values are unused.
    private typealias Sessions = NumberMap<UInt32>

    private var spots: [SessionID: Sent] = [:]
    private var sessions: [SpotID: Sessions] = [:]

    /// The number of remembered spots.
    var count: Int { self.sessions.count }

    /// Records that a session was sent a spot.
    ///
    /// - Returns: whether the spot is new for the session.
    @discardableResult
    mutating func insert(_ spot: SpotID, to session: SessionID) -> Bool {
        guard Self.add(session, to: &self.sessions[spot, default: Sessions()]) else { return false }
        if let forgotten = self.spots[session, default: Sent()].append(spot) { self.forget(forgotten, of: session) }
        return true
    }

    /// The sessions that were sent a spot, by id.
    func sessions(of spot: SpotID) -> [SessionID] {
        (self.sessions[spot]?.entries ?? []).map { SessionID($0.number) }.sorted()
    }

    /// Whether any session was sent a spot.
    func isSent(_ spot: SpotID) -> Bool { self.sessions[spot] != nil }

    /// Removes a session.
    mutating func remove(_ session: SessionID) {
        for spot in self.spots.removeValue(forKey: session)?.spots ?? [] { self.forget(spot, of: session) }
    }

    /// Removes a spot; its ring buffer entries remain until they are overwritten.
    mutating func remove(_ spot: SpotID) { self.sessions[spot] = nil }

    private mutating func forget(_ spot: SpotID, of session: SessionID) {
        self.sessions[spot]?[session.rawValue] = nil
        if self.sessions[spot]?.count == 0 { self.sessions[spot] = nil }
    }

    private static func add(_ session: SessionID, to sessions: inout Sessions) -> Bool {
        guard sessions[session.rawValue] == nil else { return false }
        sessions[session.rawValue] = 0
        return true
    }
}
