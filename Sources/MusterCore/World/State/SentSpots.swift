/// Which spots each session was sent: the newest `capacity` of each.
struct SentSpots {
    /// How many are remembered of a session; of a spot that was sent longer ago nothing is told any more.
    static let capacity = 200

    /// A ring: `spots[oldest]` is the oldest once it is full.
    private struct Sent {
        var spots: [SpotID] = []
        var oldest = 0
    }

    private var spots: [SessionID: Sent] = [:]
    private var sessions: [SpotID: Set<SessionID>] = [:]

    /// How many spots are remembered of somebody.
    var count: Int { self.sessions.count }

    /// Notes that a session was sent a spot.
    ///
    /// - Returns: whether that is new.
    @discardableResult
    mutating func insert(_ spot: SpotID, to session: SessionID) -> Bool {
        guard self.sessions[spot, default: []].insert(session).inserted else { return false }
        var sent = self.spots.removeValue(forKey: session) ?? Sent()
        if sent.spots.count < Self.capacity {
            sent.spots.append(spot)
        } else {
            self.forget(sent.spots[sent.oldest], of: session)
            sent.spots[sent.oldest] = spot
            sent.oldest = (sent.oldest + 1) % Self.capacity
        }
        self.spots[session] = sent
        return true
    }

    /// Whether a session was sent a spot.
    func contains(_ spot: SpotID, of session: SessionID) -> Bool { self.sessions[spot]?.contains(session) ?? false }

    /// Who was sent a spot, in the order of ids.
    func sessions(of spot: SpotID) -> [SessionID] { self.sessions[spot]?.sorted() ?? [] }

    /// Whether anybody was sent a spot.
    func isSent(_ spot: SpotID) -> Bool { self.sessions[spot] != nil }

    /// Forgets a session.
    mutating func remove(_ session: SessionID) {
        for spot in self.spots.removeValue(forKey: session)?.spots ?? [] { self.forget(spot, of: session) }
    }

    /// Forgets a spot; the places that it has in rings are left to run out.
    mutating func remove(_ spot: SpotID) { self.sessions[spot] = nil }

    private mutating func forget(_ spot: SpotID, of session: SessionID) {
        self.sessions[spot]?.remove(session)
        if self.sessions[spot]?.isEmpty == true { self.sessions[spot] = nil }
    }
}
