import MusterCore

/// A FIFO of waiting records; removal at the front moves no elements.
struct JournalQueue {
    private var entries: [JournalEntry] = []
    private var head = 0

    var count: Int { self.entries.count - self.head }
    var isEmpty: Bool { self.count == 0 }
    var first: JournalEntry? { self.isEmpty ? nil : self.entries[self.head] }

    /// The devices of the waiting fixes.
    var devices: Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for entry in self.entries[self.head...] {
            if let fix = entry.record.fix { devices.insert(fix.device) }
        }
        return devices
    }

    mutating func append(_ more: [JournalEntry]) {
        // Compaction costs at most as much as the removals since the last one.
        if self.head > 0, self.head >= self.count {
            self.entries.removeFirst(self.head)
            self.head = 0
        }
        self.entries.append(contentsOf: more)
    }

    /// The number of records in as many whole ticks as fit into `limit`, or in one tick when that is longer.
    ///
    /// Later records never make the number smaller.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of records, unless the first tick is longer.
    ///   - skipped: the number of records at the front to skip, in whole ticks.
    /// - Returns: the number of records after the skipped ones.
    func wholeBatches(limit: Int, after skipped: Int = 0) -> Int {
        guard self.count - skipped > limit else { return self.count - skipped }
        let start = self.head + skipped
        let limitEnd = start + limit
        if let last = self.entries[start..<limitEnd].lastIndex(where: \.endsIteration) { return last + 1 - start }
        let next = self.entries[limitEnd...].firstIndex(where: \.endsIteration) ?? self.entries.count - 1
        return next + 1 - start
    }

    /// The records at the given indices, counted from the first waiting one.
    func records(_ range: Range<Int>) -> ArraySlice<JournalEntry> {
        self.entries[self.head + range.lowerBound..<self.head + range.upperBound]
    }

    /// Removes the first `size` records.
    ///
    /// - Returns: the number of the last removed record.
    mutating func removeFirst(_ size: Int) -> Int64? {
        guard size > 0 else { return nil }
        self.head += size
        return self.entries[self.head - 1].number
    }

    /// Marks the fixes that `isDurable` selects as duplicates, which are acknowledged and not stored again.
    mutating func neutralizeFixes(where isDurable: (FixRecord) -> Bool) {
        for index in self.entries.indices.dropFirst(self.head) {
            guard var fix = self.entries[index].record.fix, isDurable(fix) else { continue }
            fix.verdict = .duplicate
            self.entries[index].record = .fix(fix)
        }
    }
}

extension JournalRecord {
    /// The fix that the record stores; nil for other records.
    var fix: FixRecord? {
        switch self {
        case .fix(let fix), .trackerFix(let fix, _): fix
        case .device, .verdict, .position, .presence, .sessionOpened, .sessionClosed, .notification, .seen, .gathering,
            .machine, .arrival, .suspension:
            nil
        }
    }

    /// The record's kind in a log line.
    var kind: String {
        switch self {
        case .fix, .trackerFix: "fix"
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
        case .suspension: "group set aside"
        case .arrival: "state at a place"
        }
    }
}
