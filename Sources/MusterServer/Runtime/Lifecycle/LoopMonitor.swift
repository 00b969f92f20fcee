import EventLoop
import Synchronization

/// Monitors the loops of the process, and reports those that have stalled.
///
/// A separate thread checks them once a second. Time in which the process itself was stopped does not count.
final class LoopMonitor: Sendable {
    private struct State {
        var monitors: [Heartbeat.Monitor] = []
        var stalled: [String] = []
        var isStopping = false
    }

    /// Milliseconds between two checks.
    private static let interval: Int64 = 1000

    private let logger: Logger
    private let state = Mutex(State())
    private let wake = WakeSignal()
    private let thread = Mutex<WorkerThread?>(nil)

    init(logger: Logger) { self.logger = logger }

    /// Adds loops to monitor.
    func monitor(_ heartbeats: [Heartbeat]) {
        self.state.withLock { state in state.monitors += heartbeats.map { Heartbeat.Monitor($0) } }
    }

    /// Starts the thread.
    func start() {
        let thread = WorkerThread(name: "loops") { [self] in
            var last = Pacer.now
            let tasks = TaskProbe()
            self.monitor([tasks.heartbeat])
            while !self.state.withLock({ $0.isStopping }) {
                self.wake.wait(timeoutMilliseconds: Int32(Self.interval))
                let now = Pacer.now
                self.look(after: min((now - last) / 1_000_000, 2 * Self.interval))
                last = now
                tasks.send()
            }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Ends the thread; blocks until it has ended.
    func stop() {
        self.state.withLock { $0.isStopping = true }
        self.wake.raise()
        self.thread.withLock { $0.take() }?.join()
    }

    /// The names of the loops that have stalled; empty while all make progress.
    var stalled: [String] { self.state.withLock { $0.stalled } }

    /// One sentence that names the loops that have stalled; nil while all make progress.
    var report: String? {
        let stalled = self.stalled
        return stalled.isEmpty ? nil : "These loops make no progress: \(stalled.joined(separator: ", "))."
    }

    /// The name of each loop, and whether it has stalled.
    var loops: [(name: String, isStalled: Bool)] {
        self.state.withLock { state in
            state.monitors.map { ($0.heartbeat.name, state.stalled.contains($0.heartbeat.name)) }
        }
    }

    private func look(after elapsed: Int64) {
        let (before, now) = self.state.withLock { state -> ([String], [String]) in
            let before = state.stalled
            state.stalled = []
            for index in state.monitors.indices where state.monitors[index].look(after: elapsed) {
                state.stalled.append(state.monitors[index].heartbeat.name)
            }
            return (before, state.stalled)
        }
        for name in now where !before.contains(name) {
            self.logger.error("a loop has stalled", ["loop.name": .text(name)])
        }
        for name in before where !now.contains(name) {
            self.logger.info("a stalled loop makes progress again", ["loop.name": .text(name)])
        }
    }
}

/// Checks that Swift's cooperative threads run tasks at all.
///
/// It is a loop named `tasks`, whose input is a task a second.
private final class TaskProbe: Sendable {
    let heartbeat: Heartbeat
    private let isWaiting: SharedFlag

    init() {
        let isWaiting = SharedFlag()
        self.isWaiting = isWaiting
        self.heartbeat = Heartbeat("tasks", hasInput: { isWaiting.value.load(ordering: .acquiring) })
    }

    /// Starts a task, unless the previous one has not run yet.
    func send() {
        guard !self.isWaiting.value.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task {
            self.heartbeat.begin()
            self.heartbeat.end()
            self.isWaiting.value.store(false, ordering: .releasing)
        }
    }
}

/// A flag that two threads share.
private final class SharedFlag: Sendable {
    let value = Atomic(false)
}
