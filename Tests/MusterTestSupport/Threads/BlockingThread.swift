import EventLoop
import Synchronization

/// A thread on which async test code may block, because no other task runs there.
package final class BlockingThread: TaskExecutor {
    private let mailbox: Mailbox<UnownedJob>
    private let wake: WakeSignal
    private let isStopping = Atomic(false)

    /// Starts the thread.
    package init() {
        let wake = WakeSignal()
        self.wake = wake
        self.mailbox = Mailbox { wake.raise() }
        // The thread owns the executor until `stop`.
        _ = WorkerThread(name: "blocking test") { self.run() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        self.mailbox.send(UnownedJob(job))
    }

    /// Ends the thread after its pending jobs.
    package func stop() {
        self.isStopping.store(true, ordering: .releasing)
        self.wake.raise()
    }

    private func run() {
        var jobs: [UnownedJob] = []
        while !self.isStopping.load(ordering: .acquiring) || self.mailbox.count > 0 {
            self.wake.wait(timeoutMilliseconds: 1000)
            self.mailbox.drain(into: &jobs)
            for job in jobs { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
