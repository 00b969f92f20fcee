// Each event has at most two kinds of index entry. One is the grid cell of its public position. If the event hides its
// place, there is also an entry for each user who may see the exact place. A search reads the nearby cells and the
// user's own entries. A search over a very large area reads all events.

/// Events that are not over, indexed by id, cell and user.
struct EventTable {
    /// The stored state of an event.
    struct Entry {
        var snapshot: EventSnapshot
        /// The users who may see the exact place even if it is hidden.
        var insiders: Set<UserID>
        /// The status of each user who ever answered.
        var rsvpStatuses: [UserID: RSVPStatus]
        /// Whether the map shows it.
        var isOnMap = false
        /// The start time for which reminders were sent.
        var remindedOf: Timestamp?

        /// Whether a user sees only the approximate place.
        func isCoarse(for user: UserID) -> Bool { self.snapshot.event.hidesPlace && !self.insiders.contains(user) }
    }

    /// Cells of about 10 km.
    private static let grid = SphereGrid(rows: 2_000)
    /// The radius in metres above which a search reads all events.
    private static let widestSearch = 250_000.0

    private var entries: [EventID: Entry] = [:]
    private var cells: [Int: Set<EventID>] = [:]
    /// The events with a hidden place that each user may see exactly.
    private var hidden: [UserID: Set<EventID>] = [:]
    private var groups: [GroupID: Set<EventID>] = [:]
    /// The groups whose events are on maps.
    private(set) var shownGroups: Set<GroupID> = []
    /// The changed events, each with its entry before the change.
    private(set) var changed: [EventID: Entry?] = [:]

    /// The number of events.
    var count: Int { self.entries.count }

    /// The entry of an event; nil when it is over or unknown.
    subscript(id: EventID) -> Entry? { self.entries[id] }

    /// Stores the current state of an event.
    ///
    /// - Returns: false when this revision, or a newer one, is stored already.
    mutating func put(_ snapshot: EventSnapshot) -> Bool {
        let event = snapshot.event
        let old = self.entries[event.id]
        guard old.map({ $0.snapshot.event.revision < event.revision }) ?? true else { return false }
        self.unfile(event.id)
        let insiders = Set([event.host.id] + event.guests.filter { $0.rsvp == .yes }.map(\.user))
        self.entries[event.id] = Entry(
            snapshot: snapshot,
            insiders: insiders,
            rsvpStatuses: event.rsvpStatuses,
            isOnMap: old?.isOnMap ?? false,
            remindedOf: old?.remindedOf
        )
        self.cells[Self.cell(of: event), default: []].insert(event.id)
        if event.hidesPlace { for user in insiders { self.hidden[user, default: []].insert(event.id) } }
        if let group = event.group { self.groups[group, default: []].insert(event.id) }
        self.note(event.id, old)
        return true
    }

    /// Removes an event.
    ///
    /// - Returns: the removed entry.
    @discardableResult
    mutating func remove(_ id: EventID) -> Entry? {
        guard let old = self.entries[id] else { return nil }
        self.unfile(id)
        self.entries[id] = nil
        self.note(id, old)
        return old
    }

    /// Marks an event as changed although its entry stays the same.
    mutating func touch(_ id: EventID) { if let entry = self.entries[id] { self.note(id, entry) } }

    /// Records whether the map shows an event.
    mutating func setOnMap(_ id: EventID, _ isOnMap: Bool) { self.entries[id]?.isOnMap = isOnMap }

    /// Records the start time for which reminders were sent.
    mutating func setReminded(_ id: EventID, of start: Timestamp) { self.entries[id]?.remindedOf = start }

    /// Starts to show the events of a group on maps; false when they are shown already.
    mutating func show(_ group: GroupID) -> Bool { self.shownGroups.insert(group).inserted }

    /// Stops showing the events of a group on maps; false when they were not shown.
    mutating func hide(_ group: GroupID) -> Bool { self.shownGroups.remove(group) != nil }

    /// The events of a group.
    func events(of group: GroupID) -> [Entry] { (self.groups[group] ?? []).sorted().compactMap { self.entries[$0] } }

    /// Returns and clears the changes since the last call, by id, each with the entry before the change.
    mutating func drainChanges() -> [(event: EventID, before: Entry?)] {
        guard !self.changed.isEmpty else { return [] }
        defer { self.changed.removeAll(keepingCapacity: true) }
        return self.changed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// A superset of the events that a user may find in an area.
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

    private static func cell(of event: Event) -> Int { self.grid.cell(of: event.coarsened.coordinate) }

    private mutating func note(_ id: EventID, _ old: Entry?) {
        if self.changed[id] == nil { self.changed[id] = .some(old) }
    }

    private mutating func unfile(_ id: EventID) {
        guard let entry = self.entries[id] else { return }
        let event = entry.snapshot.event
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
