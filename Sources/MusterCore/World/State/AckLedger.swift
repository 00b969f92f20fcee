// What a device was told, and what it may be told. An entry is a fix that was answered but not acknowledged yet: it waits
// for its record (a duplicate for the record of what it repeats; 0 for nothing). An acknowledgement never passes a fix
// that is not durable. A fix that could not be journaled opens a gap: from then on nothing of the device is journaled
// until it sends again from the gap's first fix on, so what is stored of a device is always a prefix of what it sent.

/// Which fixes of one device are durable, and what is still to be said about them.
struct AckLedger {
    /// Fixes that storage did not take.
    struct Gap: Equatable {
        /// The lowest number of them.
        var first: Int64
        /// The highest number seen since.
        var highest: Int64
        /// How often the device was asked to send again.
        var attempts = 0
    }

    private struct Entry {
        let sequence: Int64
        let record: Int64
        let verdict: FixVerdict?
        let isForSession: Bool
        let dropped: FixDetails

        /// Whether `record` stores this very fix.
        var isStored: Bool { self.record > 0 && self.verdict != .duplicate }
    }

    private struct Request {
        let id: SessionID
        let record: Int64
        let rejected: [Acknowledgement.Rejection]
        let reduced: [Acknowledgement.Reduction]
    }

    /// What is to be said after a commit.
    struct Settlement {
        /// To the device's session.
        var session: Acknowledgement?
        /// To HTTP requests.
        var requests: [(SessionID, Acknowledgement)] = []
    }

    /// Repetitions that may wait to be listed; more are covered by what they repeat, and not listed.
    static let repetitionCapacity = 1_024
    /// HTTP requests that may wait at once; more are answered with what is durable already.
    static let requestCapacity = 256

    /// What became of fixes that storage did not take.
    private struct Trouble {
        var gap: Gap?
        // The gate forgets the numbers of a gap and all above; up to here some of those may be stored nevertheless.
        var doubtful: Int64 = 0
    }

    /// Every fix up to this one is durable or was answered as malformed.
    private(set) var acknowledged: Int64
    private var entries: [Entry] = []
    private var requests: [Request] = []
    @Boxed private var trouble: Trouble?
    /// Entries without a record of their own.
    private var repetitions: Int32 = 0

    /// Begins with what storage holds.
    init(acknowledged: Int64) { self.acknowledged = acknowledged }

    /// What storage did not take.
    private(set) var gap: Gap? {
        get { self.trouble?.gap }
        set {
            guard newValue != nil || self.trouble != nil else { return }
            var trouble = self.trouble ?? Trouble()
            trouble.gap = newValue
            self.trouble = trouble
        }
    }

    /// How many fixes are not acknowledged yet.
    var pendingCount: Int { self.entries.count }

    /// Whether nothing waits.
    var isIdle: Bool { self.entries.isEmpty && self.requests.isEmpty }

    /// Whether a fix is on its way to storage or there already, though the gate was made to forget it.
    func repeats(_ sequence: Int64) -> Bool {
        guard let trouble = self.trouble, sequence <= trouble.doubtful else { return false }
        return sequence <= self.acknowledged || self.entries.contains { $0.sequence == sequence && $0.isStored }
    }

    /// The record that a repetition of `sequence` waits for; 0 for none.
    func record(of sequence: Int64) -> Int64 {
        self.entries.last { $0.sequence == sequence && $0.isStored }?.record ?? 0
    }

    /// Whether a fix may be journaled as far as the device's own order goes.
    func admits(_ sequence: Int64) -> Bool {
        guard let gap = self.gap else { return true }
        return gap.first...gap.highest ~= sequence
    }

    /// Notes a fix that `record` stores, or that needs none (0).
    mutating func add(_ fix: Fix, verdict: FixVerdict?, record: Int64, isForSession: Bool) {
        let entry = Entry(
            sequence: fix.sequence,
            record: record,
            verdict: verdict,
            isForSession: isForSession,
            dropped: fix.dropped
        )
        if !entry.isStored {
            guard self.repetitions < Self.repetitionCapacity else { return }
            self.repetitions += 1
        }
        self.entries.append(entry)
    }

    /// Notes a fix that goes to the journal as `record`: the gap, if any, is being filled.
    mutating func addStored(_ fix: Fix, verdict: FixVerdict, record: Int64, isForSession: Bool) {
        self.gap = nil
        self.add(fix, verdict: verdict, record: record, isForSession: isForSession)
    }

    /// Notes a fix that cannot be journaled now; the gate must forget all numbers from the gap's first on.
    mutating func miss(_ sequence: Int64) {
        if self.gap == nil {
            let highest = self.entries.lazy.map(\.sequence).max() ?? 0
            var trouble = self.trouble ?? Trouble()
            trouble.doubtful = max(trouble.doubtful, self.acknowledged, highest)
            self.trouble = trouble
        }
        var gap = self.gap ?? Gap(first: sequence, highest: sequence)
        gap.first = min(gap.first, sequence)
        gap.highest = max(gap.highest, sequence)
        self.gap = gap
    }

    /// Notes that storage refused the record of a fix; false when no fix waits for it.
    mutating func refuse(record: Int64) -> Bool {
        guard let index = self.entries.firstIndex(where: { $0.record == record && $0.isStored }) else {
            return false
        }
        let sequence = self.entries.remove(at: index).sequence
        let highest = self.entries.map(\.sequence).max() ?? sequence
        self.miss(sequence)
        self.miss(max(highest, sequence))
        return true
    }

    /// The number above which the device is asked to send again, counting the asking.
    mutating func resendAfter() -> Int64? {
        guard let gap = self.gap else { return nil }
        self.gap?.attempts += 1
        return gap.first - 1
    }

    /// Notes an HTTP request whose last fix waits for `record`; false when too many wait.
    mutating func await(
        _ request: SessionID,
        record: Int64,
        rejected: [Acknowledgement.Rejection],
        reduced: [Acknowledgement.Reduction]
    ) -> Bool {
        guard self.requests.count < Self.requestCapacity else { return false }
        self.requests.append(Request(id: request, record: record, rejected: rejected, reduced: reduced))
        return true
    }

    /// Says what can be said now that the journal holds everything up to `committed`.
    mutating func settle(committed: Int64) -> Settlement {
        var settlement = Settlement()
        let open = self.entries.lazy.filter { $0.record > committed }.map(\.sequence).min() ?? .max
        let limit = min(open, self.gap?.first ?? .max)
        // One pass without arrays in between: nearly always one fix is said, and nothing was rejected.
        var isForSession = false
        var rejected: [Acknowledgement.Rejection] = []
        var reduced: [Acknowledgement.Reduction] = []
        self.entries.removeAll { entry in
            guard entry.record <= committed, entry.sequence < limit else { return false }
            self.acknowledged = max(self.acknowledged, entry.sequence)
            if !entry.isStored { self.repetitions -= 1 }
            guard entry.isForSession else { return true }
            isForSession = true
            if let verdict = entry.verdict, verdict != .ok {
                rejected.append(Acknowledgement.Rejection(sequence: entry.sequence, verdict: verdict))
            }
            if entry.verdict != nil, !entry.dropped.isEmpty {
                reduced.append(Acknowledgement.Reduction(sequence: entry.sequence, dropped: entry.dropped))
            }
            return true
        }
        if isForSession {
            rejected.sort { $0.sequence < $1.sequence }
            reduced.sort { $0.sequence < $1.sequence }
            settlement.session = Acknowledgement(sequence: self.acknowledged, rejected: rejected, reduced: reduced)
        }
        self.requests.removeAll { request in
            guard request.record <= committed else { return false }
            let answer = Acknowledgement(
                sequence: self.acknowledged,
                rejected: request.rejected,
                reduced: request.reduced
            )
            settlement.requests.append((request.id, answer))
            return true
        }
        return settlement
    }
}
