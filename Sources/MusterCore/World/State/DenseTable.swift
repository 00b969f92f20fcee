/// A key that is a number.
protocol Numbered {
    /// The number.
    var rawValue: Int64 { get }
}

extension Identifier: Numbered {}

/// Values under keys, packed without gaps.
///
/// A slot is the place of a value and holds until the next removal: look it up once an operation, then work on the
/// value in place.
struct DenseTable<Key: Numbered, Value> {
    private(set) var keys = ChunkedArray<Key>()
    private var values = ChunkedArray<Value>()
    private var slots = NumberMap<UInt32>()

    /// How many values there are.
    var count: Int { self.keys.count }

    /// All slots.
    var indices: Range<Int> { self.keys.indices }

    /// The place of the value under `key`; nil when there is none.
    func slot(of key: Key) -> Int? { self.slots[key.rawValue].map(Int.init) }

    /// The same, at once when it is where it is expected, and by the key otherwise: keys lie close together, and to be looked
    /// up each takes a line of memory of its own.
    func slot(of key: Key, expectedAt hint: UInt32) -> Int? {
        let place = Int(hint)
        return place < self.count && self.keys[place].rawValue == key.rawValue ? place : self.slot(of: key)
    }

    /// Whether there is a value under `key`.
    func contains(_ key: Key) -> Bool { self.slots[key.rawValue] != nil }

    /// The value in a slot.
    subscript(slot: Int) -> Value {
        unsafeAddress { self.values.address(of: slot) }
        unsafeMutableAddress { self.values.mutableAddress(of: slot) }
    }

    /// A copy of the value under `key`.
    func value(of key: Key) -> Value? { self.slot(of: key).map { self.values[$0] } }

    /// Adds a value under a key that has none, and says where.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> Int {
        precondition(!self.contains(key), "a key has one value")
        let slot = self.keys.count
        self.keys.append(key)
        self.values.append(value)
        self.slots[key.rawValue] = UInt32(slot)
        return slot
    }

    /// Takes the value under `key` out; the last value moves into its slot.
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
