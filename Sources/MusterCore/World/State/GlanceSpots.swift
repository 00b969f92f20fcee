/// What is known of the spots that watches show, each once however many show it.
struct GlanceSpots {
    private enum Knowledge {
        case nothing
        /// Storage was asked.
        case asked
        case known(SpotText)
        /// Storage does not have it any more.
        case gone
        /// Storage could not say, and is left alone until then.
        case failed(until: Timestamp)
    }

    private struct Entry {
        var knowledge = Knowledge.nothing
        var sessions: Set<SessionID> = []
    }

    private var entries: [SpotID: Entry] = [:]

    /// How many spots are shown.
    var count: Int { self.entries.count }

    /// Whether a watch shows a spot.
    func isShown(_ spot: SpotID) -> Bool { self.entries[spot] != nil }

    /// The watches that show a spot, in the order of ids.
    func sessions(of spot: SpotID) -> [SessionID] { self.entries[spot]?.sessions.sorted() ?? [] }

    /// Notes that a watch shows these spots in place of those; what nobody shows any more is forgotten.
    mutating func show(_ spots: [NamedPlace], on session: SessionID, insteadOf last: [NamedPlace]) {
        for place in spots { self.entries[place.spot, default: Entry()].sessions.insert(session) }
        let kept = Set(spots.map(\.spot))
        for place in last where !kept.contains(place.spot) {
            self.entries[place.spot]?.sessions.remove(session)
            if self.entries[place.spot]?.sessions.isEmpty == true { self.entries[place.spot] = nil }
        }
    }

    /// The spots of which storage is to be asked now, and is taken to be.
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

    /// Whether storage was asked of one of these and has not answered.
    func isAwaited(of spots: [NamedPlace]) -> Bool {
        spots.contains { if case .asked = self.entries[$0.spot]?.knowledge { true } else { false } }
    }

    /// When storage may be asked again of those of which it could not say anything.
    func retry(of spots: [NamedPlace]) -> Timestamp? {
        spots.compactMap { if case .failed(let until) = self.entries[$0.spot]?.knowledge { until } else { nil } }.min()
    }

    /// What a spot says, as far as it is known.
    func text(of spot: SpotID) -> SpotText? {
        if case .known(let text) = self.entries[spot]?.knowledge { text } else { nil }
    }

    /// Takes in what storage said of the spots that it was asked of.
    mutating func learn(_ texts: [SpotText], of spots: [SpotID]) {
        for spot in spots where self.entries[spot] != nil { self.entries[spot]?.knowledge = .gone }
        for text in texts where self.entries[text.spot] != nil { self.entries[text.spot]?.knowledge = .known(text) }
    }

    /// Notes that storage could not say anything.
    mutating func fail(_ spots: [SpotID], until: Timestamp) {
        for spot in spots {
            if case .asked = self.entries[spot]?.knowledge { self.entries[spot]?.knowledge = .failed(until: until) }
        }
    }

    /// Lets storage be asked again at once where that waits for a time ahead of now, after the clock was put right.
    mutating func turnBack(to now: Timestamp) {
        for spot in self.entries.keys {
            guard case .failed(let until) = self.entries[spot]?.knowledge, until > now else { continue }
            self.entries[spot]?.knowledge = .failed(until: now)
        }
    }

    /// Takes in how many like a spot by now.
    ///
    /// - Returns: whether that is known of a spot that is shown.
    mutating func count(_ votes: SpotVotes) -> Bool {
        guard var text = self.text(of: votes.spot) else { return false }
        text.likes = votes.likes
        text.dislikes = votes.dislikes
        self.entries[votes.spot]?.knowledge = .known(text)
        return true
    }

    /// Forgets a spot.
    mutating func remove(_ spot: SpotID) { self.entries[spot] = nil }
}
