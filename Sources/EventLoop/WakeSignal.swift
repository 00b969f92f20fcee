import CMusterShims
import Glibc

/// An `eventfd` that any thread raises and one thread waits for, alone or together with other descriptors.
package final class WakeSignal: Sendable {
    /// The descriptor, readable while the signal is raised; for loops that poll several.
    package let descriptor: Int32

    /// Creates a signal that is not raised.
    package init() {
        self.descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(self.descriptor >= 0, "the process has no descriptor left for a wake signal")
    }

    deinit { close(self.descriptor) }

    /// Raises the signal; cheap, and safe from any thread.
    package func raise() {
        eventfd_write(self.descriptor, 1)
    }

    /// Clears the signal.
    package func clear() {
        var count: eventfd_t = 0
        eventfd_read(self.descriptor, &count)
    }

    /// Waits until the signal is raised, then clears it.
    package func wait() { self.wait(pollTimeout: -1) }

    /// Waits until the signal is raised or `timeoutMilliseconds` have passed, then clears it.
    ///
    /// A negative timeout counts as 0, because the deadline of a caller may have passed already.
    package func wait(timeoutMilliseconds: Int32) { self.wait(pollTimeout: max(0, timeoutMilliseconds)) }

    private func wait(pollTimeout: Int32) {
        var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, pollTimeout) > 0 { self.clear() }
    }
}
