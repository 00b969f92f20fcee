// Fix k of a run is due at start + k/rate and comes from session k mod N.
//
// `deliveredCounts[r·G + m]` is how many fixes of this run of member m the receiver r has seen, or been given something newer than.
// `at` of a sender's fixes rises strictly, so an update that carries m at a time t means that every fix of m up to t is
// held now, and each counts with its own staleness: conflated ones count when the newer state comes.

/// Who holds which fix of a run, and how long after it was due.
struct DeliveryLedger {
    /// What was seen so far.
    var tally = FanoutTally()
    /// Pairs of a fix and another member for which that state or a newer one has not come.
    private(set) var unseen = 0
    /// Fixes that are not acknowledged.
    private(set) var unacknowledged = 0

    private let sessions: Int
    private let groupSize: Int
    private let acknowledgements: Acknowledgements
    /// The number of each sender's first fix of this run.
    private let firstSequence: [Int64]
    private let started: Int64
    private let interval: Double
    /// The first fix whose delays count.
    private let firstCounted: Int
    private var times: [Int64]
    private var deliveredCounts: [Int32]
    private var acknowledged: [Int32]

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - sessions: how many there are.
    ///   - groupSize: the members of each group.
    ///   - acknowledgements: whether fixes are acknowledged.
    ///   - firstSequence: the number of each sender's first fix.
    ///   - total: how many fixes will be sent at most.
    ///   - firstCounted: the first fix whose delays count.
    ///   - started: when the first is due, by the monotonic clock.
    ///   - rate: fixes a second.
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

    /// Whether everybody holds everything, and all of it is acknowledged.
    var isSettled: Bool { self.unseen == 0 && self.unacknowledged == 0 }

    /// When fix `number` is due, by the monotonic clock.
    func due(_ number: Int) -> Int64 { self.started + Int64(Double(number) * self.interval) }

    /// Enters the next fix.
    mutating func sending(at time: Int64) {
        self.times[self.tally.sent] = time
        self.tally.sent += 1
        self.unseen += self.groupSize - 1
        if case .each = self.acknowledgements { self.unacknowledged += 1 }
    }

    /// Enters that `receiver` has a sender's state of a time.
    mutating func deliver(_ sender: Int, upTo time: Int64, receiver: Int, now: Int64) {
        // One's own position comes back too.
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

    /// Enters that a fix came as it was sent; each must come once and in order.
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

    /// Enters that a sender's fixes up to a number of theirs are stored.
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
