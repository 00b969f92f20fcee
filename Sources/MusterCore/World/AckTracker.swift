// An entry is a fix that was processed but not acknowledged yet. It waits for its record; a duplicate waits for the
// record of the fix that it repeats, and record 0 means that nothing is awaited. An acknowledgement never covers a fix
// that is not durable. A fix that could not be journaled opens a gap: nothing more of the device is journaled until it
// resends from the gap's first fix on. So the stored fixes of a device are always a prefix of those it sent.

/// The durable fixes of one device, and the acknowledgements still due for it.
struct AckTracker {
    /// Fixes that storage did not accept.
    struct Gap: Equatable {
        /// The lowest sequence number of the gap.
        var first: Int64
        /// The highest sequence number seen since.
        var highest: Int64
        /// The number of resend requests sent to the device.
        var attempts = 0
    }

    private struct Entry {
        let sequence: Int64
        let record: Int64
        let verdict: FixVerdict?
        let isForSession: Bool
        let dropped: FixDetails

        /// Whether `record` stores this fix and not the one that it repeats.
        var isStored: Bool { self.record > 0 && self.verdict != .duplicate }
    }

    private struct Request {
        let id: SessionID
        let record: Int64
        let last: Int64
        let rejected: [Acknowledgement.Rejection]
        let reduced: [Acknowledgement.Reduction]
    }

    /// The acknowledgements that are due after a commit.
    struct DueAcknowledgements {
        /// For the device's session.
        var session: Acknowledgement?
        /// For HTTP requests.
        var requests: [(SessionID, Acknowledgement)] = []
    }

    /// The maximum number of duplicates listed separately; further ones are covered by the fixes that they repeat.
    static let repetitionCapacity = 1_024
    /// The maximum number of waiting HTTP requests; further ones are answered with the sequence that is durable
    /// already.
    static let requestCapacity = 256

    /// The state after fixes that storage did not accept.
    private struct Trouble {
        var gap: Gap?
        // The gate forgets the numbers from the gap on. Up to this one, some of them may be stored nevertheless.
        var doubtful: Int64 = 0
    }

    /// Every fix up to this one is durable or was answered as malformed.
    private(set) var acknowledged: Int64
    private var entries: [Entry] = []
    private var requests: [Request] = []
    @Boxed private var trouble: Trouble?
    /// The number of entries without a record of their own.
    private var repetitions: Int32 = 0

    /// Creates a tracker from the stored sequence.
    init(acknowledged: Int64) { self.acknowledged = acknowledged }

    /// The fixes that storage did not accept.
    private(set) var gap: Gap? {
        get { self.trouble?.gap }
        set {
            guard newValue != nil || self.trouble != nil else { return }
            var trouble = self.trouble ?? Trouble()
            trouble.gap = newValue
            self.trouble = trouble
        }
    }

    /// The number of fixes that are not acknowledged yet.
    var pendingCount: Int { self.entries.count }

    /// Whether no fix and no request waits.
    var isIdle: Bool { self.entries.isEmpty && self.requests.isEmpty }

    /// Whether a fix is stored or being stored, although the gate has forgotten it.
    func repeats(_ sequence: Int64) -> Bool {
        guard let trouble = self.trouble, sequence <= trouble.doubtful else { return false }
        return sequence <= self.acknowledged || self.entries.contains { $0.sequence == sequence && $0.isStored }
    }

    /// The record that a duplicate of `sequence` waits for; 0 for none.
    func record(of sequence: Int64) -> Int64 {
        self.entries.last { $0.sequence == sequence && $0.isStored }?.record ?? 0
    }

    /// Whether the device's own order permits a fix to be journaled.
    func admits(_ sequence: Int64) -> Bool {
        guard let gap = self.gap else { return true }
        return gap.first...gap.highest ~= sequence
    }

    /// Adds a fix that `record` stores, or that needs no record (0).
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

    /// Adds a fix that is journaled as `record`, which closes the gap.
    mutating func addStored(_ fix: Fix, verdict: FixVerdict, record: Int64, isForSession: Bool) {
        self.gap = nil
        self.add(fix, verdict: verdict, record: record, isForSession: isForSession)
    }

    /// Adds a fix that cannot be journaled at present.
    ///
    /// The gate must then forget all numbers from the gap's first one on.
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

    /// Processes a record that storage refused, and returns the number of its fix; nil when no fix waits for it.
    mutating func refuse(record: Int64) -> Int64? {
        guard let index = self.entries.firstIndex(where: { $0.record == record && $0.isStored }) else { return nil }
        let sequence = self.entries.remove(at: index).sequence
        let highest = self.entries.map(\.sequence).max() ?? sequence
        self.miss(sequence)
        self.miss(max(highest, sequence))
        return sequence
    }

    /// The sequence number after which the device must resend; counts the attempt.
    mutating func resendAfter() -> Int64? {
        guard let gap = self.gap else { return nil }
        self.gap?.attempts += 1
        return gap.first - 1
    }

    /// Adds an HTTP request whose last fix waits for `record`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - record: the record; 0 when the answer waits for nothing.
    ///   - last: the highest number among its fixes that are to be stored; 0 without one.
    ///   - rejected: the fixes that are not used.
    ///   - reduced: the fixes that were accepted without some of their fields.
    /// - Returns: false when too many are waiting.
    mutating func await(
        _ request: SessionID,
        record: Int64,
        last: Int64 = 0,
        rejected: [Acknowledgement.Rejection],
        reduced: [Acknowledgement.Reduction]
    ) -> Bool {
        guard self.requests.count < Self.requestCapacity else { return false }
        self.requests.append(Request(id: request, record: record, last: last, rejected: rejected, reduced: reduced))
        return true
    }

    /// Returns the acknowledgements that are due once the journal has committed everything up to `committed`.
    mutating func acknowledge(committed: Int64) -> DueAcknowledgements {
        var dueAcknowledgements = DueAcknowledgements()
        let open = self.entries.lazy.filter { $0.record > committed }.map(\.sequence).min() ?? .max
        let limit = min(open, self.gap?.first ?? .max)
        // One pass without intermediate arrays: usually one fix is acknowledged and none was rejected.
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
            dueAcknowledgements.session = Acknowledgement(
                sequence: self.acknowledged,
                rejected: rejected,
                reduced: reduced
            )
        }
        self.requests.removeAll { request in
            guard request.record <= committed else { return false }
            let answer = Acknowledgement(
                sequence: self.acknowledged,
                rejected: request.rejected,
                reduced: request.reduced,
                isComplete: request.last <= self.acknowledged
            )
            dueAcknowledgements.requests.append((request.id, answer))
            return true
        }
        return dueAcknowledgements
    }
}
