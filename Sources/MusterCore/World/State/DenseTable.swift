/// Values under keys, packed without gaps in one array.
///
/// A slot is the place of a value and holds until the next removal: look it up once an operation, then work on the
/// value in place.
struct DenseTable<Key: Hashable, Value> {
    private(set) var keys: ContiguousArray<Key> = []
    private var values: ContiguousArray<Value> = []
    private var slots: [Key: Int] = [:]

    /// How many values there are.
    var count: Int { self.keys.count }

    /// All slots.
    var indices: Range<Int> { self.keys.indices }

    /// The place of the value under `key`; nil when there is none.
    func slot(of key: Key) -> Int? { self.slots[key] }

    /// Whether there is a value under `key`.
    func contains(_ key: Key) -> Bool { self.slots[key] != nil }

    /// The value in a slot.
    subscript(slot: Int) -> Value {
        _read { yield self.values[slot] }
        _modify { yield &self.values[slot] }
    }

    /// A copy of the value under `key`.
    func value(of key: Key) -> Value? { self.slots[key].map { self.values[$0] } }

    /// Adds a value under a key that has none, and says where.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> Int {
        precondition(self.slots[key] == nil, "a key has one value")
        let slot = self.keys.count
        self.keys.append(key)
        self.values.append(value)
        self.slots[key] = slot
        return slot
    }

    /// Takes the value under `key` out; the last value moves into its slot.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = self.slots.removeValue(forKey: key) else { return nil }
        let last = self.keys.count - 1
        self.keys.swapAt(slot, last)
        self.values.swapAt(slot, last)
        self.keys.removeLast()
        let value = self.values.removeLast()
        if slot < last { self.slots[self.keys[slot]] = slot }
        return value
    }
}
