import Synchronization

/// A number that several threads count up.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { self.number.load(ordering: .acquiring) }

    func add(_ count: Int = 1) { self.number.wrappingAdd(count, ordering: .releasing) }
}
