import Synchronization

// Two kinds of work share the threads:
//
// - *steps* of the program itself (listening, migrating, draining): few, never refused, and before everything else;
// - *jobs* of clients (hashing a password, inflating a body): refused beyond `limit`, and never on the last thread, which is
//   left to the steps.
//
// Under a storm most jobs are turned away at once rather than all of them late.

/// The threads of a process on which calls may block, so that neither a loop nor a thread of Swift's cooperative pool does.
package final class BlockingPool: Sendable {
    /// What the pool does and did.
    package struct Load: Sendable, Equatable {
        /// What is under way.
        package var running = 0
        /// What waits for a thread.
        package var waiting = 0
        /// What was done.
        package var finished = 0
        /// Jobs that were turned away.
        package var refused = 0

        /// What two pools do and did.
        package static func + (left: Self, right: Self) -> Self {
            Self(
                running: left.running + right.running,
                waiting: left.waiting + right.waiting,
                finished: left.finished + right.finished,
                refused: left.refused + right.refused
            )
        }
    }

    private let shared: Shared

    /// Creates a pool; its threads start when they are first needed.
    ///
    /// - Parameters:
    ///   - threads: how many calls block at a time, two at least.
    ///   - limit: how many jobs may run or wait.
    package init(threads: Int = 3, limit: Int = 64) {
        precondition(threads >= 2, "one thread is left to the program's own steps")
        self.shared = Shared(threadLimit: threads, limit: limit)
    }

    deinit { self.shared.close() }

    /// What the pool does and did.
    package var load: Load { self.shared.load }

    /// Runs a step of the program, and returns, or throws, what it did.
    package func step<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let isAccepted = self.shared.add(.step) { _ in
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            precondition(isAccepted, "the pool was closed before the program's last step")
        }
        return try result.get()
    }

    /// Runs a job of a client.
    ///
    /// - Parameters:
    ///   - share: how much of the limit may be taken before the job is refused, 0 to 1.
    ///   - body: what blocks.
    /// - Returns: nil when it was refused: too many run or wait, or the pool is closed.
    package func job<Value: Sendable>(
        share: Double = 1,
        _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let isAccepted = self.shared.add(.job(share: share)) { isWanted in
                continuation.resume(returning: isWanted ? body() : nil)
            }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// Turns away the jobs that wait, and ends the threads.
    ///
    /// Blocks until what is under way is done.
    package func close() {
        self.shared.close()
        for thread in self.shared.removeThreads() { thread.join() }
    }
}

extension BlockingPool {
    /// How the pool treats a piece of work.
    fileprivate enum Kind {
        case step
        case job(share: Double)
    }

    /// A piece of work; called with false when it is not to be done any more.
    fileprivate typealias Work = @Sendable (Bool) -> Void

    /// What the threads know of the pool, which may go before they do.
    fileprivate final class Shared: Sendable {
        private struct State {
            var steps = ArrivalQueue<Work>()
            var jobs = ArrivalQueue<Work>()
            /// Jobs that run or wait.
            var jobCount = 0
            var runningJobs = 0
            var load = Load()
            var threads: [WorkerThread] = []
            var threadCount = 0
            /// The signals of the threads that have nothing to do.
            var idle: [WakeSignal] = []
            var isClosed = false
        }

        private let threadLimit: Int
        private let limit: Int
        private let state = Mutex(State())

        init(threadLimit: Int, limit: Int) {
            self.threadLimit = threadLimit
            self.limit = limit
        }

        var load: Load { self.state.withLock { $0.load } }

        /// Queues a piece of work, unless it is refused.
        func add(_ kind: Kind, _ work: @escaping Work) -> Bool {
            let isAccepted = self.state.withLock { state in
                guard !state.isClosed else { return false }
                switch kind {
                case .step: state.steps.append(work)
                case .job(let share):
                    guard state.jobCount < Int(Double(self.limit) * share) else {
                        state.load.refused += 1
                        return false
                    }
                    state.jobCount += 1
                    state.jobs.append(work)
                }
                state.load.waiting += 1
                if let signal = state.idle.popLast() {
                    signal.raise()
                } else if state.threadCount < self.threadLimit {
                    state.threads.append(WorkerThread(name: "blocking-\(state.threadCount)") { self.run() })
                    state.threadCount += 1
                }
                return true
            }
            return isAccepted
        }

        /// Lets the threads end once they have done what they are doing.
        func close() {
            let (refused, idle) = self.state.withLock { state -> ([Work], [WakeSignal]) in
                state.isClosed = true
                var refused: [Work] = []
                while let work = state.jobs.popFirst() { refused.append(work) }
                state.load.waiting -= refused.count
                state.load.refused += refused.count
                state.jobCount -= refused.count
                defer { state.idle = [] }
                return (refused, state.idle)
            }
            for work in refused { work(false) }
            for signal in idle { signal.raise() }
        }

        func removeThreads() -> [WorkerThread] {
            self.state.withLock { state in
                defer { state.threads = [] }
                return state.threads
            }
        }

        /// The life of one thread.
        private func run() {
            let signal = WakeSignal()
            while true {
                let next = self.state.withLock { state in self.next(&state, signal) }
                switch next {
                case .work(let work, let isJob):
                    work(true)
                    self.state.withLock { state in
                        state.load.running -= 1
                        state.load.finished += 1
                        if isJob {
                            state.jobCount -= 1
                            state.runningJobs -= 1
                        }
                    }
                case .wait: signal.wait()
                case .end: return
                }
            }
        }

        private enum Next {
            case work(Work, isJob: Bool)
            case wait
            case end
        }

        private func next(_ state: inout State, _ signal: WakeSignal) -> Next {
            if let step = state.steps.popFirst() {
                state.load.waiting -= 1
                state.load.running += 1
                return .work(step, isJob: false)
            }
            if state.runningJobs < self.threadLimit - 1, let job = state.jobs.popFirst() {
                state.load.waiting -= 1
                state.load.running += 1
                state.runningJobs += 1
                return .work(job, isJob: true)
            }
            guard !state.isClosed else { return .end }
            state.idle.append(signal)
            return .wait
        }
    }
}
