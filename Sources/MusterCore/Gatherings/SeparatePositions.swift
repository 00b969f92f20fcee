/// Positions of members whom the graph does not have, or has elsewhere.
struct SeparatePositions: Sendable {
    /// Of whom there is one.
    private(set) var slots = MemberSet()
    private var positions: [Int: MemberPosition] = [:]

    /// The position of a member; nil when there is none.
    subscript(slot: Int) -> MemberPosition? {
        get { self.slots.contains(slot) ? self.positions[slot] : nil }
        set {
            guard newValue != nil || self.slots.contains(slot) else { return }
            self.positions[slot] = newValue
            if newValue == nil { self.slots.remove(slot) } else { self.slots.insert(slot) }
        }
    }
}
