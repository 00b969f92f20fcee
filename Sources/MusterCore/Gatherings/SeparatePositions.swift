/// The positions of members who are not in the graph, or are at another position there.
struct SeparatePositions: Sendable {
    /// The members with such a position.
    private var slots = MemberSet()
    private var positions: [Int: MemberPosition] = [:]

    /// The position of a member; nil if there is none.
    subscript(slot: Int) -> MemberPosition? {
        get { self.slots.contains(slot) ? self.positions[slot] : nil }
        set {
            guard newValue != nil || self.slots.contains(slot) else { return }
            self.positions[slot] = newValue
            if newValue == nil { self.slots.remove(slot) } else { self.slots.insert(slot) }
        }
    }
}
