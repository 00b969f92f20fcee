/// Lets so many through at once; the others wait in order.
package actor Turnstile {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a turnstile for `count` at once.
    package init(_ count: Int) { self.free = count }

    /// Waits for a place.
    package func enter() async {
        guard self.free == 0 else {
            self.free -= 1
            return
        }
        await withCheckedContinuation { self.waiting.append($0) }
    }

    /// Gives the place to the next.
    package func leave() {
        if self.waiting.isEmpty { self.free += 1 } else { self.waiting.removeFirst().resume() }
    }
}
