// Each event is filed twice at most: by the cell in which everybody may look for it, and, where it hides its place, under each
// person who knows better. A search looks at what lies near and at those few; a search of half the earth looks at all.

/// Events that are not over, by id, place and person.
struct EventTable {
    /// What is held of an event.
    struct Entry {
        var news: EventNews
        /// Who may know where it is, whatever it hides.
        var insiders: Set<UserID>
        /// How everybody stands to it who ever answered.
        var standings: [UserID: EventStanding]
        /// Whether maps show it.
        var isOnMap = false
        /// The start for which people were reminded.
        var remindedOf: Timestamp?

        /// Whether a person sees the place only roughly.
        func isRough(for user: UserID) -> Bool { self.news.event.hidesPlace && !self.insiders.contains(user) }
    }

    /// Cells of some 10 km.
    private static let grid = SphereGrid(rows: 2_000)
    /// Beyond so many metres all events are looked at.
    private static let widestSearch = 250_000.0

    private var entries: [EventID: Entry] = [:]
    private var cells: [Int: Set<EventID>] = [:]
    /// The events with hidden places that each person may know.
    private var hidden: [UserID: Set<EventID>] = [:]
    private var groups: [GroupID: Set<EventID>] = [:]
    /// Groups whose events are on maps.
    private(set) var shownGroups: Set<GroupID> = []
    /// What was deleted, with the entry as it was.
    private(set) var changed: [EventID: Entry?] = [:]

    /// How many there are.
    var count: Int { self.entries.count }

    /// What is held of an event; nil when it is over, or unknown.
    subscript(id: EventID) -> Entry? { self.entries[id] }

    /// Takes in an event as it is now.
    ///
    /// - Returns: false when that, or newer, was known.
    mutating func put(_ news: EventNews) -> Bool {
        let event = news.event
        let old = self.entries[event.id]
        guard old.map({ $0.news.event.revision < event.revision }) ?? true else { return false }
        self.unfile(event.id)
        let insiders = Set([event.host.id] + event.guests.filter { $0.rsvp == .yes }.map(\.user))
        self.entries[event.id] = Entry(
            news: news,
            insiders: insiders,
            standings: event.standings,
            isOnMap: old?.isOnMap ?? false,
            remindedOf: old?.remindedOf
        )
        self.cells[Self.cell(of: event), default: []].insert(event.id)
        if event.hidesPlace { for user in insiders { self.hidden[user, default: []].insert(event.id) } }
        if let group = event.group { self.groups[group, default: []].insert(event.id) }
        self.note(event.id, old)
        return true
    }

    /// Forgets an event.
    ///
    /// - Returns: what was held of it.
    @discardableResult
    mutating func remove(_ id: EventID) -> Entry? {
        guard let old = self.entries[id] else { return nil }
        self.unfile(id)
        self.entries[id] = nil
        self.note(id, old)
        return old
    }

    /// Notes that something about an event has changed that its entry does not say.
    mutating func touch(_ id: EventID) { if let entry = self.entries[id] { self.note(id, entry) } }

    /// Notes whether maps show an event.
    mutating func setOnMap(_ id: EventID, _ isOnMap: Bool) { self.entries[id]?.isOnMap = isOnMap }

    /// Notes that people were reminded of a start.
    mutating func setReminded(_ id: EventID, of start: Timestamp) { self.entries[id]?.remindedOf = start }

    /// Begins to show the events of a group on maps; false when they are shown already.
    mutating func show(_ group: GroupID) -> Bool { self.shownGroups.insert(group).inserted }

    /// Ends that.
    mutating func hide(_ group: GroupID) -> Bool { self.shownGroups.remove(group) != nil }

    /// The events of a group.
    func events(of group: GroupID) -> [Entry] { (self.groups[group] ?? []).sorted().compactMap { self.entries[$0] } }

    /// Takes out what changed since the last call, each event with what was held of it before, by id.
    mutating func drainChanges() -> [(event: EventID, before: Entry?)] {
        guard !self.changed.isEmpty else { return [] }
        defer { self.changed.removeAll(keepingCapacity: true) }
        return self.changed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Events of which some may be in an area, for a person.
    func candidates(in area: Area, for user: UserID) -> [Entry] {
        guard let middle = area.middle, area.reach <= Self.widestSearch else { return Array(self.entries.values) }
        var found: [Entry] = []
        var known = self.hidden[user] ?? []
        for id in known { if let entry = self.entries[id] { found.append(entry) } }
        Self.grid.forEachCell(touching: middle, within: area.reach) { cell in
            for id in self.cells[cell] ?? [] where known.insert(id).inserted {
                if let entry = self.entries[id] { found.append(entry) }
            }
        }
        return found
    }

    private static func cell(of event: Event) -> Int { self.grid.cell(of: event.roughened.coordinate) }

    private mutating func note(_ id: EventID, _ old: Entry?) {
        if self.changed[id] == nil { self.changed[id] = .some(old) }
    }

    private mutating func unfile(_ id: EventID) {
        guard let entry = self.entries[id] else { return }
        let event = entry.news.event
        let cell = Self.cell(of: event)
        self.cells[cell]?.remove(id)
        if self.cells[cell]?.isEmpty == true { self.cells[cell] = nil }
        if event.hidesPlace {
            for user in entry.insiders {
                self.hidden[user]?.remove(id)
                if self.hidden[user]?.isEmpty == true { self.hidden[user] = nil }
            }
        }
        if let group = event.group {
            self.groups[group]?.remove(id)
            if self.groups[group]?.isEmpty == true { self.groups[group] = nil }
        }
    }
}
