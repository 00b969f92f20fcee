/// A key that is represented by a number.
protocol Numbered {
    /// The number.
    var rawValue: Int64 { get }
}

extension Identifier: Numbered {}

/// A table of values by key, stored without gaps.
///
/// A slot is the index of a value and is valid until the next removal. Look it up once per operation, then work on the
/// value in place.
struct DenseTable<Key: Numbered, Value> {
    private(set) var keys = ChunkedArray<Key>()
    private var values = ChunkedArray<Value>()
    private var slots = NumberMap<UInt32>()

    /// The number of values.
    var count: Int { self.keys.count }

    /// All slots.
    var indices: Range<Int> { self.keys.indices }

    /// The slot of `key`; nil when there is no value.
    func slot(of key: Key) -> Int? { self.slots[key.rawValue].map(Int.init) }

    /// The slot of `key`, found without a lookup when it equals the hint.
    ///
    /// Adjacent keys share cache lines, while each lookup touches a cache line of its own.
    func slot(of key: Key, expectedAt hint: UInt32) -> Int? {
        let index = Int(hint)
        return index < self.count && self.keys[index].rawValue == key.rawValue ? index : self.slot(of: key)
    }

    /// Whether there is a value under `key`.
    func contains(_ key: Key) -> Bool { self.slots[key.rawValue] != nil }

    /// The value in a slot.
    subscript(slot: Int) -> Value {
        unsafeAddress { self.values.address(of: slot) }
        unsafeMutableAddress { self.values.mutableAddress(of: slot) }
    }

    /// Returns a copy of the value under `key`.
    func value(of key: Key) -> Value? { self.slot(of: key).map { self.values[$0] } }

    /// Adds a value under a key that has none, and returns its slot.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> Int {
        precondition(!self.contains(key), "a key has one value")
        let slot = self.keys.count
        self.keys.append(key)
        self.values.append(value)
        self.slots[key.rawValue] = UInt32(slot)
        return slot
    }

    /// Removes the value under `key`; the last value moves into its slot.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = self.slot(of: key) else { return nil }
        self.slots[key.rawValue] = nil
        self.keys.swapRemove(at: slot)
        let value = self.values.swapRemove(at: slot)
        if slot < self.keys.count { self.slots[self.keys[slot].rawValue] = UInt32(slot) }
        return value
    }
}
