import EventLoop
import Synchronization

/// The threads that hash passwords, so that neither a gateway nor a cooperative thread does.
///
/// The queue is bounded: under a storm of logins most are turned away at once rather than all of them late.
final class PasswordHasher: Sendable {
    /// One password to hash or to check.
    private enum Job: Sendable {
        case hash(String, CheckedContinuation<String?, Never>)
        case verify(String, hash: String, CheckedContinuation<Bool?, Never>)
        case stop

        /// Answers that it will not be done.
        func refuse() {
            switch self {
            case .hash(_, let continuation): continuation.resume(returning: nil)
            case .verify(_, _, let continuation): continuation.resume(returning: nil)
            case .stop: break
            }
        }
    }

    private struct Load {
        /// Jobs that each thread was given and has not finished.
        var assigned: [Int]
        var isClosed = false
    }

    /// A thread's queue and the signal it waits for.
    private struct Lane: Sendable {
        let signal: WakeSignal
        let mailbox: Mailbox<Job>
    }

    private let cost: PasswordCost
    private let limit: Int
    private let lanes: [Lane]
    private let load: Mutex<Load>
    private let threads: Mutex<[WorkerThread]>

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - cost: of new hashes; old ones name their own.
    ///   - threadCount: how many passwords are worked on at a time.
    ///   - limit: how many may be worked on or wait.
    init(cost: PasswordCost, threadCount: Int = 2, limit: Int = 64) {
        self.cost = cost
        self.limit = limit
        self.lanes = (0..<threadCount).map { _ in
            let signal = WakeSignal()
            return Lane(signal: signal, mailbox: Mailbox { signal.raise() })
        }
        self.load = Mutex(Load(assigned: Array(repeating: 0, count: threadCount)))
        self.threads = Mutex([])
        let threads = self.lanes.indices.map { index in
            WorkerThread(name: "password-\(index)") { self.work(index) }
        }
        self.threads.withLock { $0 = threads }
    }

    /// Refuses what waits and ends the threads; blocks until the passwords under work are done.
    func close() {
        let isFirst = self.load.withLock { load in
            defer { load.isClosed = true }
            return !load.isClosed
        }
        guard isFirst else { return }
        for lane in self.lanes { lane.mailbox.send(.stop) }
        for thread in self.threads.withLock({ $0 }) { thread.join() }
    }

    /// Turns a password into what the database holds.
    func hash(_ password: String) async throws(DirectoryError) -> String {
        // New accounts get half of the places, so that a storm of them leaves room for those who log in.
        let lane = try self.reserve(below: self.limit / 2)
        let hash = await withCheckedContinuation { lane.mailbox.send(.hash(password, $0)) }
        guard let hash else { throw Self.overloaded }
        return hash
    }

    /// Whether `password` is the one that `hash` was made from.
    func verify(_ password: String, against hash: String) async throws(DirectoryError) -> Bool {
        let lane = try self.reserve(below: self.limit)
        let isRight = await withCheckedContinuation { lane.mailbox.send(.verify(password, hash: hash, $0)) }
        guard let isRight else { throw Self.overloaded }
        return isRight
    }

    private static var overloaded: DirectoryError {
        DirectoryError(.unavailable, "too many logins at the same time")
    }

    /// Takes a place in the shortest queue.
    private func reserve(below limit: Int) throws(DirectoryError) -> Lane {
        let index = self.load.withLock { load -> Int? in
            guard !load.isClosed, load.assigned.reduce(0, +) < limit else { return nil }
            let index = load.assigned.indices.min { load.assigned[$0] < load.assigned[$1] }
            if let index { load.assigned[index] += 1 }
            return index
        }
        guard let index else { throw Self.overloaded }
        return self.lanes[index]
    }

    /// The life of one thread: ends when it was told to stop and every job that was promised to it has come.
    private func work(_ index: Int) {
        let lane = self.lanes[index]
        var batch: [Job] = []
        var isStopping = false
        while true {
            lane.mailbox.drain(into: &batch)
            for job in batch {
                if case .stop = job {
                    isStopping = true
                    continue
                }
                if isStopping { job.refuse() } else { self.perform(job) }
                self.load.withLock { $0.assigned[index] -= 1 }
            }
            if isStopping, self.load.withLock({ $0.assigned[index] }) == 0 { return }
            if batch.isEmpty { lane.signal.wait() }
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .hash(let password, let continuation):
            continuation.resume(returning: self.cost.hash(password))
        case .verify(let password, let hash, let continuation):
            continuation.resume(returning: PasswordCost.verify(password, against: hash))
        case .stop:
            break
        }
    }
}
