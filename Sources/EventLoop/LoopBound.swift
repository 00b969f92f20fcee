import CMusterShims

/// Carries a non-`Sendable` value to code that is known to run on one thread, and proves it at each access.
// @unchecked: every access checks that the current thread is the one that made the box.
package struct LoopBound<Value>: @unchecked Sendable {
    private let thread: UInt64
    private var boxed: Value

    /// Boxes `value` for the current thread.
    package init(_ value: Value) {
        self.thread = muster_thread_id()
        self.boxed = value
    }

    /// The value; trapping on any thread but the one that made the box.
    package var value: Value {
        get {
            precondition(muster_thread_id() == self.thread, "a loop-bound value was read off its thread")
            return self.boxed
        }
        _modify {
            precondition(muster_thread_id() == self.thread, "a loop-bound value was changed off its thread")
            yield &self.boxed
        }
    }
}
