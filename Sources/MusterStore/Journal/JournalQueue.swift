import MusterCore

/// The records that wait, in order, with removal at the front that moves nothing.
struct JournalQueue {
    private var entries: [JournalEntry] = []
    private var head = 0

    var count: Int { self.entries.count - self.head }
    var isEmpty: Bool { self.count == 0 }
    var first: JournalEntry? { self.isEmpty ? nil : self.entries[self.head] }

    /// The devices that have fixes among them.
    var devices: Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for entry in self.entries[self.head...] {
            if case .fix(let fix) = entry.record { devices.insert(fix.device) }
        }
        return devices
    }

    mutating func append(_ more: [JournalEntry]) {
        // Moving the rest to the front costs at most as much as was removed since it last happened.
        if self.head > 0, self.head >= self.count {
            self.entries.removeFirst(self.head)
            self.head = 0
        }
        self.entries.append(contentsOf: more)
    }

    /// The number of records in as many whole turns as fit into `limit`, or of one turn when that is longer.
    ///
    /// Records that come later make it no smaller.
    ///
    /// - Parameters:
    ///   - limit: the most records, if that is at least a turn.
    ///   - skipped: how many records at the front are left out, whole turns.
    /// - Returns: how many of those behind them.
    func wholeTurns(limit: Int, after skipped: Int = 0) -> Int {
        guard self.count - skipped > limit else { return self.count - skipped }
        let start = self.head + skipped
        let limitEnd = start + limit
        if let last = self.entries[start..<limitEnd].lastIndex(where: \.endsTurn) { return last + 1 - start }
        let next = self.entries[limitEnd...].firstIndex(where: \.endsTurn) ?? self.entries.count - 1
        return next + 1 - start
    }

    /// The records at some places, counted from the first that waits.
    func records(_ range: Range<Int>) -> ArraySlice<JournalEntry> {
        self.entries[self.head + range.lowerBound..<self.head + range.upperBound]
    }

    /// Forgets the first `size` records.
    ///
    /// - Returns: the number of the last of them.
    mutating func removeFirst(_ size: Int) -> Int64? {
        guard size > 0 else { return nil }
        self.head += size
        return self.entries[self.head - 1].number
    }

    /// Turns the fixes that `isDurable` names into duplicates, which are acknowledged and not stored again.
    mutating func neutralizeFixes(where isDurable: (FixRecord) -> Bool) {
        for index in self.entries.indices.dropFirst(self.head) {
            guard case .fix(var fix) = self.entries[index].record, isDurable(fix) else { continue }
            fix.verdict = .duplicate
            self.entries[index].record = .fix(fix)
        }
    }
}

extension JournalRecord {
    /// What the record is, for a log line.
    var kind: String {
        switch self {
        case .fix: "fix"
        case .device: "device"
        case .verdict: "verdict"
        case .position: "position"
        case .presence: "presence"
        case .sessionOpened: "session opened"
        case .sessionClosed: "session closed"
        case .notification: "notification"
        case .seen: "seen"
        case .gathering: "gathering"
        case .machine: "gathering machine"
        case .setAside: "group set aside"
        }
    }
}
