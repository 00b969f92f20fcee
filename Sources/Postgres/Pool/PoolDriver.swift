import EventLoop
import Glibc
import Synchronization

// A tick of the pool's thread:
//
//   poll       wait for every socket, the wake signal, and the nearest deadline
//   receive    read and write ready sockets; answer the requests whose statements are done
//   commands   queue new requests, drop cancelled ones
//   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
//   listen     after silence, send a probe; update whether the database answers
//   connect    open a connection when a request waits for one, or when none is left
//   assign     assign requests to connections, in the order of their arrival
//
// Invariants
// - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
//   is resumed.
// - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
// - A leased connection runs only statements of its transaction.
// - During an outage there is one connection attempt at a time.

/// The state of a pool's thread, and its loop.
///
/// Confined to that thread.
final class PoolDriver {
    private struct Waiting {
        let request: PoolRequest
        let deadline: Deadline
    }

    private let configuration: PostgresPool.Configuration
    private let clock: MonotonicClock
    private let shared: PoolShared
    private let log: @Sendable (LogEvent) -> Void
    private var slots: [PoolSlot] = []
    private var waiting = ArrivalQueue<Waiting>()
    private var commands: [PoolCommand] = []
    private var entries: [pollfd] = []
    private var backoff = Backoff(shortest: 100, longest: 10_000)
    /// Lost connections and failed attempts to connect.
    ///
    /// A server that crashes again and again accepts connections in between.
    private var failures = FailureLog(quietPeriod: 5_000)
    private var nextAttempt = Deadline(milliseconds: 0)
    private var lastFailure: PostgresError?
    private var generator = SystemRandomNumberGenerator()
    private var silence: ServerSilence

    init(
        configuration: PostgresPool.Configuration,
        clock: MonotonicClock,
        shared: PoolShared,
        log: @escaping @Sendable (LogEvent) -> Void
    ) {
        self.configuration = configuration
        self.clock = clock
        self.shared = shared
        self.log = log
        self.silence = ServerSilence(
            probeInterval: configuration.probeInterval.wholeMilliseconds,
            limit: configuration.silenceLimit.wholeMilliseconds
        )
    }

    /// Runs until the pool is closed.
    func run() {
        while true {
            self.openConnections()
            self.assignWaiting()
            self.poll()
            self.receive()
            if let closing = self.drainCommands() {
                self.failEverybody()
                self.shared.heartbeat.end()
                closing.continuation?.resume()
                return
            }
            self.expire()
            self.listen()
        }
    }

    // A tick of the pool's thread:
    //
    //   poll       wait for every socket, the wake signal, and the nearest deadline
    //   receive    read and write ready sockets; answer the requests whose statements are done
    //   commands   queue new requests, drop cancelled ones
    //   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
    //   listen     after silence, send a probe; update whether the database answers
    //   connect    open a connection when a request waits for one, or when none is left
    //   assign     assign requests to connections, in the order of their arrival
    //
    // Invariants
    // - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
    //   is resumed.
    // - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
    // - A leased connection runs only statements of its transaction.
    // - During an outage there is one connection attempt at a time.

    private func poll() {
        self.entries.removeAll(keepingCapacity: true)
        self.entries.append(pollfd(fd: self.shared.wake.descriptor, events: Int16(POLLIN), revents: 0))
        for slot in self.slots {
            let connection = slot.connection
            self.entries.append(pollfd(fd: connection.descriptor, events: connection.pollEvents, revents: 0))
        }
        var deadlines = self.slots.compactMap(\.nextDeadline)
        if let first = self.waiting.first { deadlines.append(first.deadline) }
        if self.wantsConnection { deadlines.append(self.nextAttempt) }
        if let next = self.nextListening { deadlines.append(next) }
        let timeout = deadlines.min()?.pollTimeout(on: self.clock) ?? -1
        self.shared.heartbeat.end()
        Glibc.poll(&self.entries, nfds_t(self.entries.count), timeout)
        self.shared.heartbeat.begin()
        if self.entries[0].revents != 0 { self.shared.wake.clear() }
    }

    private func receive() {
        for (slot, entry) in zip(self.slots, self.entries.dropFirst()) where entry.revents != 0 {
            slot.connection.handleReadiness()
        }
        for slot in self.slots { self.resolve(slot) }
    }

    private func drainCommands() -> (continuation: CheckedContinuation<Void, Never>?, Void)? {
        self.shared.mailbox.drain(into: &self.commands)
        defer { self.commands.removeAll(keepingCapacity: true) }
        for command in self.commands {
            switch command {
            case .submit(let request): self.accept(request)
            case .cancel(let id): self.cancel(id)
            case .close(let continuation): return (continuation, ())
            }
        }
        return nil
    }

    // A tick of the pool's thread:
    //
    //   poll       wait for every socket, the wake signal, and the nearest deadline
    //   receive    read and write ready sockets; answer the requests whose statements are done
    //   commands   queue new requests, drop cancelled ones
    //   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
    //   listen     after silence, send a probe; update whether the database answers
    //   connect    open a connection when a request waits for one, or when none is left
    //   assign     assign requests to connections, in the order of their arrival
    //
    // Invariants
    // - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
    //   is resumed.
    // - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
    // - A leased connection runs only statements of its transaction.
    // - During an outage there is one connection attempt at a time.

    private func accept(_ request: PoolRequest) {
        switch request.placement {
        case .anywhere, .newLease:
            let deadline = Deadline(after: self.configuration.acquireTimeout, on: self.clock)
            self.waiting.append(Waiting(request: request, deadline: deadline))
        case .lease(let id), .endOfLease(let id):
            guard let slot = self.slots.first(where: { $0.lease?.id == id }) else {
                let error = PostgresError(.connectionLost, message: "the connection of the transaction was lost")
                request.continuation.resume(returning: .failure(error))
                return
            }
            self.send(request, on: slot)
        }
    }

    private func cancel(_ id: UInt64) {
        let error = PostgresError(.cancelled, message: "the task was cancelled")
        if let waiting = self.waiting.removeFirst(where: { $0.request.id == id }) {
            waiting.request.continuation.resume(returning: .failure(error))
            return
        }
        for slot in self.slots {
            // This includes a transaction that begins: its caller gets the error and rolls it back.
            guard let index = slot.inFlight.firstIndex(where: { $0.id == id }) else { continue }
            slot.inFlight[index].continuation?.resume(returning: .failure(error))
            slot.inFlight[index].continuation = nil
            return
        }
    }

    private func assignWaiting() {
        while let next = self.waiting.first, let slot = self.leastBusySlot, let assigned = self.waiting.popFirst() {
            if assigned.request.placement == .newLease {
                let deadline = Deadline(after: self.configuration.leaseTimeout, on: self.clock)
                slot.lease = PoolSlot.Lease(id: next.request.id, deadline: deadline)
            }
            self.send(assigned.request, on: slot)
        }
    }

    /// The connection for the next queued request; nil when none is available.
    private var leastBusySlot: PoolSlot? {
        let candidates = self.slots.lazy.filter { $0.isOpen && $0.lease == nil }
        guard let slot = candidates.min(by: { $0.inFlight.count < $1.inFlight.count }) else { return nil }
        // A new connection is better than waiting behind another statement.
        let mayQueue =
            self.slots.count >= self.configuration.size && slot.inFlight.count < self.configuration.pipelineDepth
        return slot.inFlight.isEmpty || mayQueue ? slot : nil
    }

    private func send(_ request: PoolRequest, on slot: PoolSlot) {
        self.send(request.statements, id: request.id, request.placement, request.continuation, on: slot)
    }

    private func send(
        _ statements: [PostgresStatement],
        id: UInt64,
        _ placement: PoolRequest.Placement,
        _ continuation: CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>?,
        on slot: PoolSlot
    ) {
        if slot.inFlight.isEmpty { self.expectAnswer(on: slot) }
        slot.inFlight.append(
            PoolSlot.InFlight(
                id: id,
                placement: placement,
                deadline: Deadline(after: self.configuration.statementTimeout, on: self.clock),
                continuation: continuation
            )
        )
        self.silence.asked(at: self.clock.milliseconds)
        slot.connection.send(statements, id: id)
        self.resolve(slot)
    }

    /// Restarts the silence deadline for the statement that is now the first on `slot`.
    private func expectAnswer(on slot: PoolSlot) {
        slot.silenceDeadline = Deadline(after: self.configuration.statementTimeout + .seconds(2), on: self.clock)
    }

    // A tick of the pool's thread:
    //
    //   poll       wait for every socket, the wake signal, and the nearest deadline
    //   receive    read and write ready sockets; answer the requests whose statements are done
    //   commands   queue new requests, drop cancelled ones
    //   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
    //   listen     after silence, send a probe; update whether the database answers
    //   connect    open a connection when a request waits for one, or when none is left
    //   assign     assign requests to connections, in the order of their arrival
    //
    // Invariants
    // - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
    //   is resumed.
    // - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
    // - A leased connection runs only statements of its transaction.
    // - During an outage there is one connection attempt at a time.

    /// Handles the events of a connection: finished statements, opened, lost.
    private func resolve(_ slot: PoolSlot) {
        for outcome in slot.connection.drainOutcomes() { self.answer(outcome, on: slot) }
        switch slot.connection.state {
        case .connecting:
            break
        case .open:
            if !slot.isOpen { self.noteOpened(slot) }
        case .lost(let error):
            self.remove(slot, because: error)
        }
    }

    private func answer(_ outcome: ExchangeOutcome, on slot: PoolSlot) {
        guard let index = slot.inFlight.firstIndex(where: { $0.id == outcome.id }) else { return }
        let request = slot.inFlight.remove(at: index)
        self.expectAnswer(on: slot)
        var isSpoiled = false
        if case .failure(let error) = outcome.result { isSpoiled = error.code == .connectionLost }
        if !isSpoiled { self.noteAnswer() }
        switch request.placement {
        case .anywhere, .lease: break
        // An error after BEGIN is rolled back by the caller.
        case .newLease: if case .failure = outcome.result, !slot.connection.isInTransaction { slot.lease = nil }
        case .endOfLease(let id):
            if case .failure = outcome.result, !isSpoiled, slot.connection.isInTransaction, request.continuation != nil
            {
                // A statement before the COMMIT has failed, so the COMMIT was skipped.
                self.send(["ROLLBACK"], id: self.shared.makeID(), .endOfLease(id), nil, on: slot)
                break
            }
            slot.lease = nil
            isSpoiled = isSpoiled || slot.connection.isInTransaction
        }
        request.continuation?.resume(returning: outcome.result)
        if isSpoiled {
            self.remove(slot, because: PostgresError(.connectionLost, message: "the server ended the connection"))
        }
    }

    private func noteOpened(_ slot: PoolSlot) {
        slot.isOpen = true
        self.backoff.succeed()
        self.lastFailure = nil
        self.nextAttempt = Deadline(milliseconds: 0)
        self.shared.isHealthy.store(true, ordering: .relaxed)
        self.noteAnswer()
    }

    private func remove(_ slot: PoolSlot, because error: PostgresError) {
        guard let index = self.slots.firstIndex(where: { $0 === slot }) else { return }
        self.slots.remove(at: index)
        slot.failAll(error)
        if slot.isOpen {
            let event = self.failures.failed(at: self.clock.milliseconds) {
                LogEvent(.warning, "lost a connection to the database: \(error)")
            }
            if let event { self.log(event) }
        } else {
            self.noteFailedAttempt(error)
        }
        if !self.slots.contains(where: \.isOpen) { self.shared.isHealthy.store(false, ordering: .relaxed) }
    }

    private func noteFailedAttempt(_ error: PostgresError) {
        let pause = self.backoff.fail(using: &self.generator)
        self.lastFailure = error
        self.nextAttempt = Deadline(milliseconds: self.clock.milliseconds + pause)
        let event = self.failures.failed(at: self.clock.milliseconds) {
            LogEvent(.warning, "cannot connect to the database, next attempt in \(pause) ms: \(error)")
        }
        if let event { self.log(event) }
    }

    /// Whether another connection would be useful.
    private var wantsConnection: Bool {
        guard self.slots.count < self.configuration.size else { return false }
        guard !self.slots.isEmpty else { return true }
        let connecting = self.slots.count { !$0.isOpen }
        // A long statement on the only connection is not silence. A new connection is a sign of life as well.
        if connecting == 0, self.silence.isProbeDue(at: self.clock.milliseconds), self.idleSlot == nil { return true }
        let useful = self.backoff.failures > 0 ? min(1, self.waiting.count) : self.waiting.count
        return connecting < useful && self.leastBusySlot == nil
    }

    private func openConnections() {
        while self.wantsConnection, self.nextAttempt.hasPassed(on: self.clock) {
            let timeout = self.configuration.statementTimeout.wholeMilliseconds
            do {
                let connection = try PostgresConnection(
                    connectionString: self.configuration.connectionString,
                    options: [
                        "statement_timeout=\(timeout)",
                        "idle_in_transaction_session_timeout=\(self.configuration.leaseTimeout.wholeMilliseconds)",
                    ] + self.configuration.settings
                )
                let deadline = Deadline(after: self.configuration.connectTimeout, on: self.clock)
                let slot = PoolSlot(connection: connection, connectDeadline: deadline)
                self.slots.append(slot)
                self.resolve(slot)
            } catch {
                self.noteFailedAttempt(error)
            }
        }
    }

    // A tick of the pool's thread:
    //
    //   poll       wait for every socket, the wake signal, and the nearest deadline
    //   receive    read and write ready sockets; answer the requests whose statements are done
    //   commands   queue new requests, drop cancelled ones
    //   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
    //   listen     after silence, send a probe; update whether the database answers
    //   connect    open a connection when a request waits for one, or when none is left
    //   assign     assign requests to connections, in the order of their arrival
    //
    // Invariants
    // - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
    //   is resumed.
    // - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
    // - A leased connection runs only statements of its transaction.
    // - During an outage there is one connection attempt at a time.

    /// An idle connection.
    private var idleSlot: PoolSlot? { self.slots.first { $0.isOpen && $0.lease == nil && $0.inFlight.isEmpty } }

    /// The time at which `listen` must run even without events.
    private var nextListening: Deadline? {
        if self.idleSlot != nil || (self.silence.isOwed && !self.silence.isProbeDue(at: self.clock.milliseconds)) {
            return Deadline(milliseconds: self.silence.nextProbe)
        }
        guard self.shared.isHealthy.load(ordering: .relaxed) else { return nil }
        return self.silence.end.map { Deadline(milliseconds: $0) }
    }

    private func noteAnswer() {
        self.silence.heard(at: self.clock.milliseconds)
        guard self.slots.contains(where: \.isOpen) else { return }
        let event = self.failures.succeeded(at: self.clock.milliseconds) {
            LogEvent(.info, "the database is reachable again")
        }
        if let event { self.log(event) }
        if !self.shared.isHealthy.exchange(true, ordering: .relaxed) {
            self.log(LogEvent(.info, "the database answers again"))
        }
    }

    /// Sends a probe on an idle connection when it is due, and detects a silent server.
    private func listen() {
        if self.silence.isProbeDue(at: self.clock.milliseconds), let slot = self.idleSlot {
            self.send(["SELECT 1 AS alive"], id: self.shared.makeID(), .anywhere, nil, on: slot)
        }
        if !self.slots.contains(where: { !$0.inFlight.isEmpty }) { self.silence.answeredAll() }
        guard let end = self.silence.end, end <= self.clock.milliseconds,
            self.shared.isHealthy.exchange(false, ordering: .relaxed)
        else { return }
        self.log(LogEvent(.warning, "the database does not answer"))
    }

    // A tick of the pool's thread:
    //
    //   poll       wait for every socket, the wake signal, and the nearest deadline
    //   receive    read and write ready sockets; answer the requests whose statements are done
    //   commands   queue new requests, drop cancelled ones
    //   expire     fail the requests that have waited too long; drop connections that are silent, or leased for too long
    //   listen     after silence, send a probe; update whether the database answers
    //   connect    open a connection when a request waits for one, or when none is left
    //   assign     assign requests to connections, in the order of their arrival
    //
    // Invariants
    // - A continuation is resumed exactly once: it is in `waiting` or in one slot's `inFlight`, and it is removed when it
    //   is resumed.
    // - Waiting requests are served in order; no request overtakes a transaction that waits for a connection.
    // - A leased connection runs only statements of its transaction.
    // - During an outage there is one connection attempt at a time.

    private func expire() {
        while let first = self.waiting.first, first.deadline.hasPassed(on: self.clock),
            let expired = self.waiting.popFirst()
        {
            expired.request.continuation.resume(returning: .failure(self.makeWaitError()))
        }
        for slot in self.slots { self.expire(slot) }
    }

    private func expire(_ slot: PoolSlot) {
        if !slot.isOpen, slot.connectDeadline.hasPassed(on: self.clock) {
            self.remove(slot, because: PostgresError(.timedOut, message: "the server did not answer while connecting"))
            return
        }
        if slot.lease?.deadline.hasPassed(on: self.clock) == true {
            self.remove(
                slot,
                because: PostgresError(.timedOut, message: "a transaction used its connection for too long")
            )
            return
        }
        if !slot.inFlight.isEmpty, slot.silenceDeadline.hasPassed(on: self.clock) {
            self.remove(slot, because: PostgresError(.connectionLost, message: "the server stopped answering"))
            return
        }
        for index in slot.inFlight.indices where slot.inFlight[index].deadline.hasPassed(on: self.clock) {
            let error = PostgresError(.timedOut, message: "the server did not answer in time")
            slot.inFlight[index].continuation?.resume(returning: .failure(error))
            slot.inFlight[index].continuation = nil
        }
    }

    private func makeWaitError() -> PostgresError {
        guard let lastFailure = self.lastFailure, !self.slots.contains(where: \.isOpen) else {
            return PostgresError(.timedOut, message: "no connection became free in time")
        }
        return PostgresError(.connectFailed, message: "the database cannot be reached: \(lastFailure.message)")
    }

    private func failEverybody() {
        let error = PostgresError(.poolClosed, message: "the pool was closed")
        while let waiting = self.waiting.popFirst() { waiting.request.continuation.resume(returning: .failure(error)) }
        for slot in self.slots { slot.failAll(error) }
        self.slots.removeAll()
        self.shared.isHealthy.store(false, ordering: .relaxed)
    }
}

@available(*, unavailable)
extension PoolDriver: Sendable {}
