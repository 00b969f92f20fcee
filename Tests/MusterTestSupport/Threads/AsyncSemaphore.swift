/// A semaphore for async code; waiting callers continue in order.
package actor AsyncSemaphore {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a turnstile that admits `count` callers at once.
    package init(_ count: Int) { self.free = count }

    /// Waits for a free slot.
    package func enter() async {
        guard self.free == 0 else {
            self.free -= 1
            return
        }
        await withCheckedContinuation { self.waiting.append($0) }
    }

    /// Passes the slot to the next caller.
    package func leave() {
        if self.waiting.isEmpty { self.free += 1 } else { self.waiting.removeFirst().resume() }
    }
}
