import EventLoop
import MusterCore
import Postgres

// Change k of a stretch is due at start + k/rate and renames event k mod N to T<number>; numbers rise through all
// stretches. A session that holds the number of its event's last change has missed no current state. A session that
// receives a number that is not higher than its own received an outdated state.

/// Measures the cost of event changes, and the latency of their notifications.
struct EventsMeasurement {
    /// The origin of changes.
    private enum Way: String {
        case requests
        case feed
    }

    /// The result of one stretch.
    private struct Stretch {
        var changes = 0
        /// The rate of changes per second.
        var rate = 0.0
        /// The server's processor time until all notifications are received, in nanoseconds.
        var server: Int64 = 0
        var pushes = 0
        var delays = LatencyHistogram()
        var threads = ""
    }

    /// The state of the sessions, according to received frames.
    private final class Reception {
        /// For each session, the number in its event's title.
        var received: [Int64]
        var pushes = 0
        var delays = LatencyHistogram()
        /// The number of pushes with a known or an older state.
        var misread = 0
        var errors = 0
        var lastError = ""
        /// The number of the stretch's first change, and its due time.
        var first: Int64 = 0
        var start: Int64 = 0
        var interval = 1.0
        /// The end of the counted changes, as a number.
        var end: Int64 = 0

        init(_ sessions: Int) { self.received = Array(repeating: -1, count: sessions) }
    }

    /// The interval between database writes, in nanoseconds.
    private static let pause: Int64 = 10_000_000
    private static let timeout: Int64 = 30_000
    /// The time before a subscription request is repeated, in milliseconds.
    private static let pauseOfSubscriptions: Int64 = 2_000
    /// The ratio of the full rate to the request rate.
    ///
    /// A request is a transaction of its own, whose commit waits for the disk.
    private static let changesPerRequest = 10.0

    private let bench: EventsBench
    private let server: ServerProcess
    private let fixture: BenchFixture
    private let fleet: SessionFleet
    private let meter: UsageMeter
    private let reception: Reception
    private let clock = MonotonicClock.system
    /// The number of changes of each event.
    private var changes: [Int64]
    private var lastNumber: Int64 = 0
    private var text = FrameText()
    private var outcome = BenchOutcome()

    /// Creates the sessions; none is connected yet.
    init(_ bench: EventsBench, _ population: BenchPopulation, _ server: ServerProcess, _ fixture: BenchFixture) {
        self.bench = bench
        self.server = server
        self.fixture = fixture
        self.fleet = SessionFleet(bench.watches, server: server.endpoint, handshake: WelcomeHandshake(population))
        self.meter = UsageMeter(server: server.processID, postgres: fixture.postgresProcess)
        self.reception = Reception(bench.watches)
        self.changes = Array(repeating: 0, count: bench.events)
    }

    /// Measures as many runs as the context requests.
    ///
    /// Blocks.
    mutating func run(_ context: BenchContext) throws -> BenchOutcome {
        try self.enter(context)
        for number in 1...context.runs {
            context.progress.step("run \(number) of \(context.runs)")
            let before = self.meter.read()
            try self.fleet.listen(seconds: max(0.5, self.bench.plan.warmUp), context)
            let idle = self.meter.read().since(before)
            let requests = try self.measure(.requests, context)
            let feed = try self.measure(.feed, context)
            self.outcome.runs.append(
                [
                    BenchFigure(
                        "idle_percent",
                        "server CPU, nothing changed",
                        Double(idle.server) / Double(idle.nanoseconds) * 100,
                        "%"
                    )
                ] + self.figures(.requests, "by requests", requests) + self.figures(.feed, "by another process", feed)
            )
            if number == context.runs {
                self.outcome.notes.append("server threads, by requests: \(requests.threads)")
                self.outcome.notes.append("server threads, by another process: \(feed.threads)")
            }
        }
        if self.fleet.dropped > 0 { self.outcome.failures.append("\(self.fleet.dropped) sessions were dropped") }
        if self.reception.errors > 0 {
            self.outcome.failures.append("\(self.reception.errors) errors: \(self.reception.lastError)")
        }
        if self.reception.misread > 0 {
            self.outcome.failures.append("\(self.reception.misread) pushes were duplicates or outdated")
        }
        return self.outcome
    }

    /// Connects all sessions and subscribes each to its event.
    private mutating func enter(_ context: BenchContext) throws {
        let reception = self.reception
        let clock = self.clock
        self.fleet.onFrame = { session, frame in
            Self.read(frame, by: session, at: clock.nanoseconds, into: reception)
        }
        try self.fleet.connect(window: 256, context)
        let deadline = self.clock.milliseconds + Self.timeout
        // A server that is still loading its events answers with an error, so the request is repeated.
        while case let blind = reception.received.indices.filter({ reception.received[$0] == -1 }), !blind.isEmpty {
            guard self.clock.milliseconds < deadline else {
                throw BenchError("\(blind.count) subscriptions did not receive their event; \(reception.lastError)")
            }
            for session in blind { self.watch(session) }
            let pause = self.clock.milliseconds + Self.pauseOfSubscriptions
            while reception.received.contains(-1), self.clock.milliseconds < pause {
                self.fleet.iterate(timeoutNanoseconds: 10_000_000)
                try context.checkStop()
            }
        }
        reception.errors = 0
    }

    /// Subscribes a session to the area of its event.
    private func watch(_ session: Int) {
        let place = self.bench.place(of: session / self.bench.each)
        let box = [place.longitude - 0.1, place.latitude - 0.1, place.longitude + 0.1, place.latitude + 0.1]
        let frame = #"{"type":"events.watch","id":1,"bbox":[\#(box.map { "\($0)" }.joined(separator: ","))]}"#
        Array(frame.utf8).withUnsafeBytes { self.fleet.send($0, from: session) }
        self.fleet.iterate(timeoutNanoseconds: 0)
    }

    private mutating func measure(_ way: Way, _ context: BenchContext) throws -> Stretch {
        let rate =
            switch way {
            case .requests: self.bench.plan.rate / Self.changesPerRequest
            case .feed: self.bench.plan.rate
            }
        let total = max(1, Int(rate * self.bench.plan.seconds))
        let first = self.lastNumber + 1
        self.lastNumber += Int64(total)
        let reception = self.reception
        reception.first = first
        reception.interval = 1e9 / rate
        reception.start = self.clock.nanoseconds + 20_000_000
        reception.delays = LatencyHistogram()
        reception.pushes = 0
        context.progress.show("\(total) changes, \(way.rawValue)")
        let before = self.meter.read()
        switch way {
        case .requests: try self.request(total, from: first, context)
        case .feed:
            let (start, interval, events) = (reception.start, reception.interval, self.bench.events)
            let connection = self.fixture.connectionString
            let writer = ThreadedWork(name: "changes") {
                try Self.write(total, from: first, of: events, start: start, interval: interval, to: connection)
            }
            let end = start + Int64(Double(total) * interval)
            while case let left = end - self.clock.nanoseconds, left > 0 {
                self.fleet.iterate(timeoutNanoseconds: min(left, 50_000_000))
                try context.checkStop()
            }
            _ = try writer.value()
        }
        for change in 0..<total { self.changes[change % self.bench.events] += 1 }
        let missing = try self.drain(total, from: first, context)
        let used = self.meter.read().since(before)
        if missing > 0 {
            self.outcome.failures.append("\(missing) subscriptions did not receive the last change, \(way.rawValue)")
        }
        if reception.pushes == 0 { self.outcome.failures.append("no session received anything, \(way.rawValue)") }
        return Stretch(
            changes: total,
            rate: rate,
            server: used.server,
            pushes: reception.pushes,
            delays: reception.delays,
            threads: used.threadShares
        )
    }

    /// Sends the hosts' changes at their due times.
    private mutating func request(_ total: Int, from first: Int64, _ context: BenchContext) throws {
        var sent = 0
        while sent < total {
            let due = self.reception.start + Int64(Double(sent) * self.reception.interval)
            let now = self.clock.nanoseconds
            guard due <= now else {
                self.fleet.iterate(timeoutNanoseconds: due - now)
                try context.checkStop()
                continue
            }
            let event = sent % self.bench.events
            self.text.clear()
            self.text.append(#"{"type":"event.update","id":2,"event":""#)
            self.text.append(Int64(event + 1))
            self.text.append(#"","version":"#)
            self.text.append(1 + self.changes[event] + Int64(sent / self.bench.events))
            self.text.append(#","title":"T"#)
            self.text.append(first + Int64(sent))
            self.text.append(#""}"#)
            self.text.bytes.withUnsafeBytes { self.fleet.send($0, from: event * self.bench.each) }
            sent += 1
            if sent.isMultiple(of: 16) { self.fleet.iterate(timeoutNanoseconds: 0) }
        }
    }

    /// Writes changes at their due times, in batches; blocks.
    private static func write(
        _ total: Int,
        from first: Int64,
        of events: Int,
        start: Int64,
        interval: Double,
        to connection: String
    ) throws -> Int {
        let clock = MonotonicClock.system
        let session = PostgresSession(connectionString: connection, timeout: .seconds(60))
        try session.connect()
        defer { session.close() }
        let wake = WakeSignal()
        var written = 0
        while written < total {
            let due = min(total, Int(Double(clock.nanoseconds - start) / interval) + 1)
            let batch = written..<max(written, min(due, written + events))
            if !batch.isEmpty {
                try session.execute(
                    """
                    UPDATE muster.event e SET title = 'T' || x.number, version = e.version + 1, changed_at = now()
                    FROM unnest($1::bigint[], $2::bigint[]) AS x(id, number) WHERE e.id = x.id
                    """,
                    [
                        .int64Array(batch.map { Int64($0 % events + 1) }), .int64Array(batch.map { first + Int64($0) }),
                    ]
                )
                written = batch.upperBound
            }
            wake.wait(timeoutMilliseconds: Int32(Self.pause / 1_000_000))
        }
        return written
    }

    /// Waits until every session with a changed event has its last change.
    ///
    /// - Returns: the number of sessions that do not have it at the timeout.
    private func drain(_ total: Int, from first: Int64, _ context: BenchContext) throws -> Int {
        let events = self.bench.events
        let deadline = self.clock.milliseconds + Self.timeout
        while true {
            let missing = self.reception.received.indices.count { session in
                let event = session / self.bench.each
                guard event < total else { return false }
                let last = event + (total - 1 - event) / events * events
                return self.reception.received[session] < first + Int64(last)
            }
            guard missing > 0, self.clock.milliseconds < deadline else { return missing }
            self.fleet.iterate(timeoutNanoseconds: 5_000_000)
            try context.checkStop()
        }
    }

    private static func read(
        _ frame: UnsafeRawBufferPointer,
        by session: Int,
        at now: Int64,
        into reception: Reception
    ) {
        // {"type":"events" is a push, {"type":"event" the host's own view, {"type":"ok" an answer.
        if ByteScanner.begins(frame, with: #"{"type":"events""#) {
            guard let number = UpdateScanner.number(after: #""title":"T"#, in: frame) else {
                // The title before the first change.
                reception.received[session] = max(0, reception.received[session])
                return
            }
            guard number > reception.received[session] else {
                reception.misread += 1
                return
            }
            reception.received[session] = number
            guard number >= reception.first else { return }
            reception.pushes += 1
            let due = reception.start + Int64(Double(number - reception.first) * reception.interval)
            reception.delays.add(now - due)
        } else if ByteScanner.begins(frame, with: #"{"type":"error""#) {
            reception.errors += 1
            reception.lastError = String(decoding: frame, as: UTF8.self)
        }
    }

    private func figures(_ way: Way, _ label: String, _ stretch: Stretch) -> [BenchFigure] {
        let total = Double(stretch.changes)
        let key = way.rawValue
        let each = Double(stretch.server) / total
        return [
            BenchFigure(
                "\(key)_percent",
                "\(BenchFigure.text(stretch.rate))/s \(label): server CPU",
                each * stretch.rate / 1e7,
                "%"
            ),
            BenchFigure("\(key)_us", "\(label): server CPU per change", each / 1e3, "µs"),
            BenchFigure(
                "\(key)_told",
                "\(label): subscriptions notified per change",
                Double(stretch.pushes) / total,
                ""
            ),
            BenchFigure("\(key)_p50_ms", "\(label): time to delivery p50", stretch.delays.milliseconds(0.5), "ms"),
            BenchFigure("\(key)_p99_ms", "\(label): time to delivery p99", stretch.delays.milliseconds(0.99), "ms"),
        ]
    }
}

@available(*, unavailable)
extension EventsMeasurement: Sendable {}
