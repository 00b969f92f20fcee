import EventLoop
import Synchronization

/// The state that the journal's thread shares with its callers: submitted records, finished records, and waiting
/// callers.
final class JournalTracker: Sendable {
    /// The time at which `count` records had been submitted.
    private struct Submission {
        var count: Int64
        var milliseconds: Int64
    }

    /// A blocked call of `flush`.
    private struct Waiter {
        let target: Int64
        let signal: WakeSignal
    }

    private struct State {
        var phase = JournalState.connecting
        var isStopping = false
        var submitted: Int64 = 0
        var done: Int64 = 0
        var submissions: [Submission] = []
        var waiters: [Waiter] = []
        var metrics = JournalMetrics()

        /// The age of the oldest unfinished record.
        func oldestMilliseconds(now: Int64) -> Int64 {
            self.submissions.first { $0.count > self.done }.map { max(0, now - $0.milliseconds) } ?? 0
        }

        mutating func wakeWaiters() {
            self.waiters.removeAll { waiter in
                guard waiter.target <= self.done || self.phase == .closed else { return false }
                waiter.signal.raise()
                return true
            }
        }
    }

    /// Submissions within this interval, in milliseconds, share one mark for the computation of ages.
    private static let markInterval: Int64 = 50

    private let state = Mutex(State())

    /// The current state of the journal.
    var phase: JournalState { self.state.withLock(\.phase) }

    /// Whether `close` was called.
    var isStopping: Bool { self.state.withLock(\.isStopping) }

    /// Requests the end of the thread.
    ///
    /// - Returns: whether this was the first request.
    func stop() -> Bool {
        self.state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
    }

    /// Changes the phase.
    ///
    /// - Returns: whether the phase is different from before.
    func enter(_ phase: JournalState) -> Bool {
        self.state.withLock { state in
            guard state.phase != phase else { return false }
            state.phase = phase
            state.wakeWaiters()
            return true
        }
    }

    /// Records that `count` records were submitted.
    func submitted(_ count: Int, now: Int64) {
        self.state.withLock { state in
            state.submitted += Int64(count)
            if let last = state.submissions.last, last.count > state.done, now - last.milliseconds < Self.markInterval {
                state.submissions[state.submissions.count - 1].count = state.submitted
            } else {
                state.submissions.append(Submission(count: state.submitted, milliseconds: now))
            }
        }
    }

    /// Records that the next `count` records are finished, `failed` of them without being written.
    func finished(_ count: Int, failed: Int) {
        self.state.withLock { state in
            state.done += Int64(count)
            state.metrics.committed += Int64(count - failed)
            state.metrics.failed += Int64(failed)
            let passed = state.submissions.firstIndex { $0.count > state.done } ?? state.submissions.count
            state.submissions.removeFirst(passed)
            state.wakeWaiters()
        }
    }

    /// Records the commit of a batch.
    func committedBatch(_ count: Int, seconds: Double) {
        self.state.withLock { state in
            state.metrics.batches += 1
            state.metrics.lastBatchSize = count
            state.metrics.lastCommitSeconds = seconds
            state.metrics.commitSecondsTotal += seconds
        }
    }

    /// Records a connection after the first one.
    func reconnected() { self.state.withLock { $0.metrics.reconnects += 1 } }

    /// The age of the oldest unfinished record, in milliseconds.
    func oldestMilliseconds(now: Int64) -> Int64 { self.state.withLock { $0.oldestMilliseconds(now: now) } }

    /// The counters for `/metrics`.
    func metrics(now: Int64) -> JournalMetrics {
        self.state.withLock { state in
            var metrics = state.metrics
            metrics.waiting = Int(state.submitted - state.done)
            metrics.oldestSeconds = Double(state.oldestMilliseconds(now: now)) / 1000
            return metrics
        }
    }

    /// Blocks until all submitted records are finished, the journal is closed, or the timeout has passed.
    ///
    /// - Returns: whether they are finished.
    func waitUntilDone(timeoutMilliseconds: Int32) -> Bool {
        let signal = WakeSignal()
        let target = self.state.withLock { state in
            state.waiters.append(Waiter(target: state.submitted, signal: signal))
            let target = state.submitted
            state.wakeWaiters()
            return target
        }
        signal.wait(timeoutMilliseconds: timeoutMilliseconds)
        return self.state.withLock { state in
            state.waiters.removeAll { $0.signal === signal }
            return state.done >= target
        }
    }
}
