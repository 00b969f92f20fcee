/// Values under keys, packed without gaps.
///
/// A slot is the place of a value and holds until the next removal: look it up once an operation, then work on the
/// value in place.
struct DenseTable<Key: Hashable, Value> {
    private(set) var keys = ChunkedArray<Key>()
    private var values = ChunkedArray<Value>()
    // Four bytes a slot: with the key, a fourth less than an `Int` would take.
    private var slots: [Key: UInt32] = [:]

    /// How many values there are.
    var count: Int { self.keys.count }

    /// All slots.
    var indices: Range<Int> { self.keys.indices }

    /// The place of the value under `key`; nil when there is none.
    func slot(of key: Key) -> Int? { self.slots[key].map(Int.init) }

    /// Whether there is a value under `key`.
    func contains(_ key: Key) -> Bool { self.slots[key] != nil }

    /// The value in a slot.
    subscript(slot: Int) -> Value {
        _read { yield self.values[slot] }
        _modify { yield &self.values[slot] }
    }

    /// A copy of the value under `key`.
    func value(of key: Key) -> Value? { self.slots[key].map { self.values[Int($0)] } }

    /// Adds a value under a key that has none, and says where.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> Int {
        precondition(self.slots[key] == nil, "a key has one value")
        let slot = self.keys.count
        self.keys.append(key)
        self.values.append(value)
        self.slots[key] = UInt32(slot)
        return slot
    }

    /// Takes the value under `key` out; the last value moves into its slot.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = self.slots.removeValue(forKey: key).map(Int.init) else { return nil }
        self.keys.swapRemove(at: slot)
        let value = self.values.swapRemove(at: slot)
        if slot < self.keys.count { self.slots[self.keys[slot]] = UInt32(slot) }
        return value
    }
}
