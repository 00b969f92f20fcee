// Fix k of a run is due at start + k/rate and comes from session k mod N.
//
// `deliveredCounts[r·G + m]` is the number of this run's fixes of member m that receiver r has seen or has received a
// newer state than. The times `at` of a sender's fixes are strictly increasing. So an update of m with time t delivers
// every fix of m up to t, each with its own staleness: conflated fixes count when the newer state arrives.

/// The deliveries of a run's fixes to each receiver, and their delays.
struct DeliveryStats {
    /// The totals so far.
    var tally = FanoutTally()
    /// The number of (fix, receiver) pairs for which neither that state nor a newer one has arrived.
    private(set) var unseen = 0
    /// The number of unacknowledged fixes.
    private(set) var unacknowledged = 0

    private let sessions: Int
    private let groupSize: Int
    private let acknowledgements: Acknowledgements
    /// The sequence number of each sender's first fix in this run.
    private let firstSequence: [Int64]
    private let started: Int64
    private let interval: Double
    /// The first fix that is included in the measurement.
    private let firstCounted: Int
    private var times: [Int64]
    private var deliveredCounts: [Int32]
    private var acknowledged: [Int32]

    /// Starts a run.
    ///
    /// - Parameters:
    ///   - sessions: the number of sessions.
    ///   - groupSize: the number of members of each group.
    ///   - acknowledgements: whether the server acknowledges fixes.
    ///   - firstSequence: the sequence number of each sender's first fix.
    ///   - total: the maximum number of fixes.
    ///   - firstCounted: the first fix that is included in the measurement.
    ///   - started: the due time of the first fix, on the monotonic clock.
    ///   - rate: the number of fixes per second.
    init(
        sessions: Int,
        groupSize: Int,
        acknowledgements: Acknowledgements,
        firstSequence: [Int64],
        total: Int,
        firstCounted: Int,
        started: Int64,
        rate: Double
    ) {
        self.sessions = sessions
        self.groupSize = groupSize
        self.acknowledgements = acknowledgements
        self.firstSequence = firstSequence
        self.firstCounted = firstCounted
        self.started = started
        self.interval = 1e9 / rate
        self.times = Array(repeating: 0, count: total)
        self.deliveredCounts = Array(repeating: 0, count: sessions * groupSize)
        self.acknowledged = Array(repeating: 0, count: sessions)
    }

    /// Whether everything is delivered and acknowledged.
    var isComplete: Bool { self.unseen == 0 && self.unacknowledged == 0 }

    /// Whether everything was answered, and some of it with an error, so that it will never be delivered.
    var isRefused: Bool { self.tally.errors > 0 && self.unacknowledged <= self.tally.errors }

    /// The due time of fix `number`, on the monotonic clock.
    func due(_ number: Int) -> Int64 { self.started + Int64(Double(number) * self.interval) }

    /// Records the next sent fix.
    mutating func sending(at time: Int64) {
        self.times[self.tally.sent] = time
        self.tally.sent += 1
        self.unseen += self.groupSize - 1
        if case .each = self.acknowledgements { self.unacknowledged += 1 }
    }

    /// Records that `receiver` has a sender's state of the given time.
    mutating func deliver(_ sender: Int, upTo time: Int64, receiver: Int, now: Int64) {
        // A session's own position is also sent back to it.
        guard sender >= 0, sender != receiver else { return }
        let place = receiver * self.groupSize + sender % self.groupSize
        var number = Int(self.deliveredCounts[place]) * self.sessions + sender
        guard number < self.tally.sent, self.times[number] <= time else { return }
        self.tally.positions += 1
        repeat {
            self.count(number, at: place, now: now)
            number += self.sessions
        } while number < self.tally.sent && self.times[number] <= time
    }

    /// Records the delivery of an unchanged message; each must arrive once and in order.
    mutating func delivered(_ number: Int, to receiver: Int, now: Int64) {
        let sender = number % self.sessions
        let place = receiver * self.groupSize + sender % self.groupSize
        let isInGroup = sender / self.groupSize == receiver / self.groupSize && sender != receiver
        guard isInGroup, number < self.tally.sent, number == Int(self.deliveredCounts[place]) * self.sessions + sender
        else {
            self.tally.misreadFrames += 1
            return
        }
        self.tally.positions += 1
        self.count(number, at: place, now: now)
    }

    /// Records that a sender's fixes up to a sequence number are acknowledged.
    mutating func acknowledged(upTo sequence: Int64, of session: Int, now: Int64) {
        let covered = Int32(clamping: sequence - self.firstSequence[session] + 1)
        while self.acknowledged[session] < covered {
            let number = Int(self.acknowledged[session]) * self.sessions + session
            guard number < self.tally.sent else { break }
            if number >= self.firstCounted { self.tally.commitLag.add(now - self.due(number)) }
            self.acknowledged[session] += 1
            self.unacknowledged -= 1
        }
    }

    private mutating func count(_ number: Int, at place: Int, now: Int64) {
        if number >= self.firstCounted { self.tally.staleness.add(now - self.due(number)) }
        self.deliveredCounts[place] += 1
        self.unseen -= 1
    }
}
