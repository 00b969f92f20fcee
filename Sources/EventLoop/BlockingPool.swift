import Synchronization

// Two kinds of work share the threads:
//
// - *steps* of the program itself (listening, migrating, draining): few, never refused, and run before all jobs;
// - *jobs* of clients (hashing a password, inflating a body): refused beyond `limit`, and never run on the last free
//   thread, which is reserved for steps.
//
// Under overload most jobs are refused at once, instead of all of them being late.

/// The threads of a process for blocking calls, which must block neither a loop nor Swift's cooperative pool.
package final class BlockingPool: Sendable {
    /// The current and the past load of the pool.
    package struct Load: Sendable, Equatable {
        /// The number of work items that run now.
        package var running = 0
        /// The number of work items that wait for a thread.
        package var waiting = 0
        /// The number of finished work items.
        package var finished = 0
        /// The number of refused jobs.
        package var refused = 0

        /// Returns the summed load of two pools.
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

    /// Creates a pool.
    ///
    /// Its threads start on first use.
    ///
    /// - Parameters:
    ///   - threads: the number of concurrent blocking calls, at least two.
    ///   - limit: the maximum number of jobs that run or wait.
    package init(threads: Int = 3, limit: Int = 64) {
        precondition(threads >= 2, "one thread is left to the program's own steps")
        self.shared = Shared(threadLimit: threads, limit: limit)
    }

    deinit { self.shared.close() }

    /// The current and the past load of the pool.
    package var load: Load { self.shared.load }

    /// Runs a step of the program, and returns or throws its result.
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
    ///   - share: the fraction of `limit` that may be in use before this job is refused, 0 to 1.
    ///   - body: the blocking call.
    /// - Returns: the result; nil when the job was refused because too many jobs run or wait, or because the pool is
    ///   closed.
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

    /// Refuses the waiting jobs and ends the threads.
    ///
    /// Blocks until the running work has ended.
    package func close() {
        self.shared.close()
        for thread in self.shared.removeThreads() { thread.join() }
    }
}

extension BlockingPool {
    /// The kind of a work item.
    fileprivate enum Kind {
        case step
        case job(share: Double)
    }

    /// A work item.
    ///
    /// Its argument is false when the item has been refused.
    fileprivate typealias Work = @Sendable (Bool) -> Void

    /// The state that the threads share with the pool.
    ///
    /// It may outlive the pool.
    fileprivate final class Shared: Sendable {
        private struct State {
            var steps = ArrivalQueue<Work>()
            var jobs = ArrivalQueue<Work>()
            /// The number of jobs that run or wait.
            var jobCount = 0
            var runningJobs = 0
            var load = Load()
            var threads: [WorkerThread] = []
            var threadCount = 0
            /// The signals of the idle threads.
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

        /// Queues a work item.
        ///
        /// Returns false when it is refused.
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

        /// Tells the threads to end after their current work.
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

        /// The main function of one thread.
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
