/// The texts of the spots that wearables show, each stored once.
struct GlanceSpots {
    private enum TextState {
        case nothing
        /// A query is under way.
        case asked
        case known(SpotText)
        /// The spot no longer exists in storage.
        case gone
        /// The query failed and must not be repeated before `until`.
        case failed(until: Timestamp)
    }

    private struct Entry {
        var knowledge = TextState.nothing
        var sessions: Set<SessionID> = []
    }

    private var entries: [SpotID: Entry] = [:]

    /// The number of spots shown.
    var count: Int { self.entries.count }

    /// Whether any wearable shows a spot.
    func isShown(_ spot: SpotID) -> Bool { self.entries[spot] != nil }

    /// The wearable sessions that show a spot, by id.
    func sessions(of spot: SpotID) -> [SessionID] { self.entries[spot]?.sessions.sorted() ?? [] }

    /// Replaces the spots that a wearable shows, and removes those that no wearable shows any more.
    mutating func show(_ spots: [NamedPlace], on session: SessionID, insteadOf last: [NamedPlace]) {
        for place in spots { self.entries[place.spot, default: Entry()].sessions.insert(session) }
        let kept = Set(spots.map(\.spot))
        for place in last where !kept.contains(place.spot) {
            self.entries[place.spot]?.sessions.remove(session)
            if self.entries[place.spot]?.sessions.isEmpty == true { self.entries[place.spot] = nil }
        }
    }

    /// Returns the spots whose text must be queried now, and marks them as queried.
    mutating func ask(of spots: [NamedPlace], at now: Timestamp) -> [SpotID] {
        let unknown = spots.map(\.spot).filter { spot in
            switch self.entries[spot]?.knowledge {
            case .nothing: true
            case .failed(let until): until <= now
            case .asked, .known, .gone, nil: false
            }
        }
        for spot in unknown { self.entries[spot]?.knowledge = .asked }
        return unknown
    }

    /// Whether a query for one of the spots is under way.
    func isAwaited(of spots: [NamedPlace]) -> Bool {
        spots.contains { if case .asked = self.entries[$0.spot]?.knowledge { true } else { false } }
    }

    /// The earliest time at which a failed query may be repeated; nil when none failed.
    func retry(of spots: [NamedPlace]) -> Timestamp? {
        spots.compactMap { if case .failed(let until) = self.entries[$0.spot]?.knowledge { until } else { nil } }.min()
    }

    /// The text of a spot, if known.
    func text(of spot: SpotID) -> SpotText? {
        if case .known(let text) = self.entries[spot]?.knowledge { text } else { nil }
    }

    /// Stores the answer to a query for spot texts.
    mutating func learn(_ texts: [SpotText], of spots: [SpotID]) {
        for spot in spots where self.entries[spot] != nil { self.entries[spot]?.knowledge = .gone }
        for text in texts where self.entries[text.spot] != nil { self.entries[text.spot]?.knowledge = .known(text) }
    }

    /// Marks a query as failed.
    mutating func fail(_ spots: [SpotID], until: Timestamp) {
        for spot in spots {
            if case .asked = self.entries[spot]?.knowledge { self.entries[spot]?.knowledge = .failed(until: until) }
        }
    }

    /// Lets storage be asked again at once where that waits for a time ahead of now, after the clock was put right.
    mutating func rewind(to now: Timestamp) {
        for spot in self.entries.keys {
            guard case .failed(let until) = self.entries[spot]?.knowledge, until > now else { continue }
            self.entries[spot]?.knowledge = .failed(until: now)
        }
    }

    /// Updates the vote counts of a spot.
    ///
    /// - Returns: whether the spot is shown and its text is known.
    mutating func count(_ votes: SpotVotes) -> Bool {
        guard var text = self.text(of: votes.spot) else { return false }
        text.likes = votes.likes
        text.dislikes = votes.dislikes
        self.entries[votes.spot]?.knowledge = .known(text)
        return true
    }

    /// Removes a spot.
    mutating func remove(_ spot: SpotID) { self.entries[spot] = nil }
}
