/// Which events a session wants to be told of.
package struct EventWatch: Sendable, Equatable, Codable {
    /// Where they must be.
    package enum Scope: Sendable, Equatable, Codable {
        /// In an area that stays.
        case area(Area)
        /// Within so many metres of where the session's person is, whatever they let others see.
        case me(radius: Double)
    }

    package var scope: Scope
    /// They must not be over by then; nil for now.
    package var since: Timestamp?
    /// They must begin before then; nil for whenever.
    package var until: Timestamp?
    /// What kind they must be.
    package var category: String?
    /// The group that they must be for.
    package var group: GroupID?
    /// Whether there must be a place left.
    package var isFree: Bool
    /// What title or place must hold, in lower case.
    package var words: String?

    /// Creates a watch.
    package init(
        _ scope: Scope,
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        category: String? = nil,
        group: GroupID? = nil,
        isFree: Bool = false,
        words: String? = nil
    ) {
        self.scope = scope
        self.since = since
        self.until = until
        self.category = category
        self.group = group
        self.isFree = isFree
        self.words = words?.lowercased()
    }

    /// How far a person may move before a watch around them moves along, in metres.
    package static func step(radius: Double) -> Double { max(100, radius / 20) }
}

extension EventWatch {
    /// Whether an event is among those that somebody is told of.
    ///
    /// What they may not know of it does not count: of a hidden place its cell does, and not its name.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - isRough: whether the person sees its place only roughly.
    ///   - area: where; an area that follows somebody does not occur.
    ///   - groups: whether the person is in a group.
    ///   - now: the time.
    /// - Returns: whether it is.
    package func matches(
        _ event: Event,
        isRough: Bool,
        in area: Area,
        isMember groups: (GroupID) -> Bool,
        at now: Timestamp
    ) -> Bool {
        guard event.state(at: now) == .planned, event.group.map(groups) ?? true else { return false }
        if let group, event.group != group { return false }
        if let since, event.endsAt <= since { return false }
        if let until, event.startsAt >= until { return false }
        if let category, event.category != category { return false }
        if self.isFree, !event.hasRoom { return false }
        let point = isRough ? event.coordinate.snappedToGrid : event.coordinate
        guard area.contains(point, around: area.middle ?? point) else { return false }
        guard let words else { return true }
        return event.title.lowercased().contains(words)
            || !isRough && event.place?.lowercased().contains(words) == true
    }
}
