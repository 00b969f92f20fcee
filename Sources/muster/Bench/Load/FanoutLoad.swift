// Open loop. Fix k of a run is due at start + k/rate and comes from session k mod N, whether or not earlier ones have
// been answered; all times count from when it was due, so a load that falls behind shows as latency.
//
// `at` of fix k rises strictly within a sender, so it says how far a receiver is: `held[r·G + m]` is how many fixes of
// this run of member m the receiver r has seen or been given something newer than. When an update carries m at a time t,
// every fix of m up to t is held now, and each counts with its own staleness: conflated ones count when the newer state
// comes.

import EventLoop
import MusterClient
import MusterCore
import MusterWire

/// Sends fixes at a rate from all sessions of a fleet, and measures what becomes of them.
final class FanoutLoad {
    /// Every so many frames the real parser reads one too.
    private static let sampling = 997

    /// Told when the time that counts begins and ends.
    typealias Marker = (_ tally: FanoutTally, _ bytes: Int) -> Void

    private let fleet: SessionFleet
    private let clock = MonotonicClock.system
    private let index: IdentityIndex
    private let sessions: Int
    private let groupSize: Int
    private var frame = FixFrame()
    /// The number of each sender's first fix of this run.
    private var firstSequence: [Int64]
    private var lastTime: [Int64]

    // Of the run at work.
    private var tally = FanoutTally()
    private var times: [Int64] = []
    private var held: [Int32] = []
    private var acknowledged: [Int32] = []
    private var started: Int64 = 0
    private var interval = 0.0
    private var firstCounted = 0
    private var unseen = 0
    private var unacknowledged = 0
    private var framesToSample = 0

    /// Prepares a load for a fleet whose sessions are all ready.
    init(_ fleet: SessionFleet) {
        self.fleet = fleet
        self.sessions = fleet.count
        self.groupSize = fleet.population.groupSize
        self.index = IdentityIndex(fleet.population.people.map(\.user.rawValue))
        self.firstSequence = fleet.acknowledged.map { $0 + 1 }
        self.lastTime = Array(repeating: 0, count: fleet.count)
    }

    /// Where a sender was at their last fix, and when.
    func lastSent(by session: Int) -> (place: FixFrame.Place, at: Int64) {
        let place = FixFrame.place(
            group: session / self.groupSize,
            member: session % self.groupSize,
            number: self.firstSequence[session] - 1
        )
        return (place, self.lastTime[session])
    }

    /// Sends for `warmUp` and `seconds`, then waits until everybody holds everything and all of it is acknowledged.
    ///
    /// The last is waited for `patience` milliseconds. `marker` is called when the time that counts begins, and when it
    /// ends; `observer` is shown every frame too.
    func run(
        rate: Double,
        warmUp: Double,
        seconds: Double,
        patience: Int64,
        _ context: BenchContext,
        marker: Marker = { _, _ in },
        observer: SessionFleet.FrameHandler? = nil
    ) throws(BenchError) -> FanoutTally {
        // Everybody sends at least once.
        let total = max(self.sessions, Int(rate * (warmUp + seconds)))
        self.begin(total: total, rate: rate, firstCounted: min(total - 1, Int(rate * warmUp)))
        let dropped = self.fleet.dropped
        self.fleet.onFrame = { [unowned self] session, frame in
            self.received(frame, by: session)
            observer?(session, frame)
        }
        defer { self.fleet.onFrame = { _, _ in } }
        while self.tally.sent < total {
            self.sendWhatIsDue(total: total, marker)
            let wait = self.tally.sent < total ? self.due(self.tally.sent) - self.clock.nanoseconds : 0
            self.fleet.turn(timeoutNanoseconds: wait)
            try context.checkStop()
        }
        marker(self.tally, self.fleet.loop.bytesReceived)
        let deadline = self.clock.milliseconds + patience
        while self.unseen > 0 || self.unacknowledged > 0, self.clock.milliseconds < deadline {
            self.fleet.turn(timeoutNanoseconds: 10_000_000)
            try context.checkStop()
        }
        self.tally.settleTime = self.clock.nanoseconds - self.due(total - 1)
        self.tally.unseen = self.unseen
        self.tally.unacknowledged = self.unacknowledged
        self.tally.dropped = self.fleet.dropped - dropped
        self.end(total: total)
        return self.tally
    }

    private func begin(total: Int, rate: Double, firstCounted: Int) {
        self.tally = FanoutTally()
        self.times = Array(repeating: 0, count: total)
        self.held = Array(repeating: 0, count: self.sessions * self.groupSize)
        self.acknowledged = Array(repeating: 0, count: self.sessions)
        self.interval = 1e9 / rate
        self.firstCounted = firstCounted
        self.unseen = 0
        self.unacknowledged = 0
        // A little ahead, so that the first is on time.
        self.started = self.clock.nanoseconds + 5_000_000
    }

    private func end(total: Int) {
        for session in 0..<self.sessions {
            self.firstSequence[session] += Int64((total - session + self.sessions - 1) / self.sessions)
        }
    }

    /// When fix `number` is due, by the monotonic clock.
    private func due(_ number: Int) -> Int64 { self.started + Int64(Double(number) * self.interval) }

    // MARK: - Sending

    private func sendWhatIsDue(total: Int, _ marker: Marker) {
        let now = self.clock.nanoseconds
        let wallOffset = self.clock.wallMilliseconds - now / 1_000_000
        var burst = 0
        // Not too many at once, so that what comes is looked at in between.
        while self.tally.sent < total, burst < 64, case let due = self.due(self.tally.sent), due <= now {
            let number = self.tally.sent
            if number == self.firstCounted { marker(self.tally, self.fleet.loop.bytesReceived) }
            self.send(number, at: due / 1_000_000 + wallOffset)
            if number >= self.firstCounted { self.tally.lateness.add(now - due) }
            burst += 1
        }
    }

    private func send(_ number: Int, at intended: Int64) {
        let session = number % self.sessions
        let sequence = self.firstSequence[session] + Int64(number / self.sessions)
        let time = max(intended, self.lastTime[session] + 1)
        self.lastTime[session] = time
        self.times[number] = time
        self.frame.write(
            sequence: sequence,
            place: FixFrame.place(
                group: session / self.groupSize,
                member: session % self.groupSize,
                number: sequence
            ),
            at: time
        )
        self.tally.sent = number + 1
        self.unseen += self.groupSize - 1
        self.unacknowledged += 1
        self.frame.bytes.withUnsafeBytes { self.fleet.send($0, from: session) }
    }

    // MARK: - Receiving

    private func received(_ frame: UnsafeRawBufferPointer, by session: Int) {
        self.tally.frames += 1
        switch UpdateScanner.kind(of: frame) {
        case .update:
            let now = self.clock.nanoseconds
            UpdateScanner.members(of: frame) { user, at in self.member(user, isHeldAt: at, by: session, now: now) }
            self.framesToSample -= 1
            if self.framesToSample <= 0 {
                self.framesToSample = Self.sampling
                if !Self.scannerAgrees(on: frame) { self.tally.misreadFrames += 1 }
            }
        case .ack:
            self.acknowledged(frame, to: session, now: self.clock.nanoseconds)
        case .error:
            self.tally.errors += 1
            self.tally.lastError = String(decoding: frame, as: UTF8.self)
        case .other:
            break
        }
    }

    private func member(_ user: Int64, isHeldAt at: Int64, by receiver: Int, now: Int64) {
        let sender = self.index[user]
        // One's own position comes back too.
        guard sender >= 0, sender != receiver else { return }
        let place = receiver * self.groupSize + sender % self.groupSize
        var number = Int(self.held[place]) * self.sessions + sender
        guard number < self.tally.sent, self.times[number] <= at else { return }
        self.tally.positions += 1
        repeat {
            if number >= self.firstCounted { self.tally.staleness.add(now - self.due(number)) }
            self.held[place] += 1
            self.unseen -= 1
            number += self.sessions
        } while number < self.tally.sent && self.times[number] <= at
    }

    private func acknowledged(_ frame: UnsafeRawBufferPointer, to session: Int, now: Int64) {
        guard let sequence = UpdateScanner.number(after: #""seq":"#, in: frame) else { return }
        let covered = Int32(clamping: sequence - self.firstSequence[session] + 1)
        while self.acknowledged[session] < covered {
            let number = Int(self.acknowledged[session]) * self.sessions + session
            guard number < self.tally.sent else { break }
            if number >= self.firstCounted { self.tally.commitLag.add(now - self.due(number)) }
            self.acknowledged[session] += 1
            self.unacknowledged -= 1
        }
        if frame.count > 60, String(decoding: frame, as: UTF8.self).contains(#""reason""#) {
            self.tally.rejections += 1
            self.tally.lastError = String(decoding: frame, as: UTF8.self)
        }
    }

    /// Whether the scanner reads what the real parser reads.
    private static func scannerAgrees(on frame: UnsafeRawBufferPointer) -> Bool {
        guard let document = try? JSONDocument(Array(frame)) else { return false }
        var scanned: [[Int64]] = []
        UpdateScanner.members(of: frame) { scanned.append([$0, $1]) }
        let parsed = document["members"].elements.compactMap { member -> [Int64]? in
            guard let user = member["user"].string.flatMap({ Int64($0) }), let at = member["at"].int else { return nil }
            return [user, at]
        }
        return document["type"].string == "update" && scanned == parsed
    }
}

@available(*, unavailable)
extension FanoutLoad: Sendable {}
