import Synchronization

/// A counter that several threads increment.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { self.number.load(ordering: .acquiring) }

    func add(_ count: Int = 1) { self.number.wrappingAdd(count, ordering: .releasing) }
}
