/// The conditions of a session's subscription to events.
package struct EventSubscription: Sendable, Equatable {
    /// The area of the events.
    package enum Scope: Sendable, Equatable {
        /// A fixed area.
        case area(Area)
        /// A circle around the position of the session's user, whatever the user shares with others; the radius is in
        /// metres.
        case me(radius: Double)
    }

    package var scope: Scope
    /// The end of the event must be later than this; nil for now.
    package var since: Timestamp?
    /// The start of the event must be earlier than this; nil for no limit.
    package var until: Timestamp?
    /// The category; nil for any.
    package var category: String?
    /// The group; nil for any.
    package var group: GroupID?
    /// Whether only events with a free place match.
    package var isFree: Bool
    /// The text that the title or the place name must contain, in lower case; nil for any.
    package var words: String?

    /// Creates the conditions of a subscription.
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

    /// The distance in metres that a user must move before their subscription's area follows.
    package static func step(radius: Double) -> Double { max(100, radius / 20) }
}

extension EventSubscription {
    /// Whether an event matches the subscription of a user.
    ///
    /// Hidden parts do not match: for a hidden place, its grid cell is compared and its name is not.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - isCoarse: whether the user sees only the approximate place.
    ///   - area: the area; never one that follows a user.
    ///   - groups: whether the user is a member of a group.
    ///   - now: the current time.
    /// - Returns: whether the event matches.
    package func matches(
        _ event: Event,
        isCoarse: Bool,
        in area: Area,
        isMember groups: (GroupID) -> Bool,
        at now: Timestamp
    ) -> Bool {
        guard event.state(at: now) == .planned, event.group.map(groups) ?? true else { return false }
        if let group, event.group != group { return false }
        if let since, event.endsAt <= since { return false }
        if let until, event.startsAt >= until { return false }
        if let category, event.category != category { return false }
        if self.isFree, !event.hasFreePlaces { return false }
        let point = isCoarse ? event.coordinate.snappedToGrid : event.coordinate
        guard area.contains(point, around: area.middle ?? point) else { return false }
        guard let words else { return true }
        return event.title.lowercased().contains(words)
            || !isCoarse && event.place?.lowercased().contains(words) == true
    }
}
