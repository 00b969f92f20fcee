/// Which spots each session was sent: the newest `capacity` of each.
struct SentSpots {
    /// How many are remembered of a session; of a spot that was sent longer ago nothing is told any more.
    static let capacity = 1000

    /// A ring: `spots[oldest]` is the oldest once it is full.
    private struct Sent {
        var spots: [SpotID] = []
        var oldest = 0

        /// Adds a spot, and says which is forgotten for it.
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

    /// Sessions by their numbers; the values mean nothing.
    private typealias Sessions = NumberMap<UInt32>

    private var spots: [SessionID: Sent] = [:]
    private var sessions: [SpotID: Sessions] = [:]

    /// How many spots are remembered of somebody.
    var count: Int { self.sessions.count }

    /// Notes that a session was sent a spot.
    ///
    /// - Returns: whether that is new.
    @discardableResult
    mutating func insert(_ spot: SpotID, to session: SessionID) -> Bool {
        guard Self.add(session, to: &self.sessions[spot, default: Sessions()]) else { return false }
        if let forgotten = self.spots[session, default: Sent()].append(spot) { self.forget(forgotten, of: session) }
        return true
    }

    /// Who was sent a spot, in the order of ids.
    func sessions(of spot: SpotID) -> [SessionID] {
        (self.sessions[spot]?.entries ?? []).map { SessionID($0.number) }.sorted()
    }

    /// Whether anybody was sent a spot.
    func isSent(_ spot: SpotID) -> Bool { self.sessions[spot] != nil }

    /// Forgets a session.
    mutating func remove(_ session: SessionID) {
        for spot in self.spots.removeValue(forKey: session)?.spots ?? [] { self.forget(spot, of: session) }
    }

    /// Forgets a spot; the places that it has in rings are left to run out.
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
