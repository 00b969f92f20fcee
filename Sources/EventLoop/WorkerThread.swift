import CMusterShims
import Glibc

/// A named thread outside Swift's cooperative pool, for loops that block.
package final class WorkerThread: Sendable {
    /// The scheduling priority of a thread.
    package enum Urgency: Sendable {
        /// The system's default.
        case ordinary
        /// For short iterations that clients wait for: ahead of batch work, such as a commit in PostgreSQL.
        case preferred
    }

    private let handle: pthread_t

    /// Starts a thread that runs `body` once.
    ///
    /// - Parameters:
    ///   - name: shown by `top -H` and debuggers; at most 15 bytes are kept.
    ///   - processor: the only processor that it may run on; nil for any.
    ///   - urgency: its scheduling priority.
    ///   - body: the main function of the thread.
    package init(
        name: String,
        processor: Int? = nil,
        urgency: Urgency = .ordinary,
        body: @escaping @Sendable () -> Void
    ) {
        var handle = pthread_t()
        // Retained here. The thread's main function takes over the reference.
        let start = Unmanaged.passRetained(Start(name: name, processor: processor, urgency: urgency, body: body))
        let status = pthread_create(&handle, nil, runThread, start.toOpaque())
        precondition(status == 0, "the system has no thread left")
        self.handle = handle
    }

    /// Waits until the thread's body has returned.
    ///
    /// Call it once.
    package func join() {
        pthread_join(self.handle, nil)
    }
}

private final class Start: Sendable {
    let name: String
    let processor: Int?
    let urgency: WorkerThread.Urgency
    let body: @Sendable () -> Void

    init(
        name: String,
        processor: Int?,
        urgency: WorkerThread.Urgency,
        body: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.processor = processor
        self.urgency = urgency
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    muster_thread_set_name(start.name)
    if let processor = start.processor { Processors.bindThread(to: [processor]) }
    switch start.urgency {
    case .ordinary: break
    case .preferred: Processors.preferThread()
    }
    start.body()
    return nil
}
