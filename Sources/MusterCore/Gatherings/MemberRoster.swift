/// Who has which slot in a group's gathering machine.
struct MemberRoster: Sendable {
    /// The slots that are taken.
    private(set) var enrolled = MemberSet()
    /// Who has each slot; means nothing for a slot that is free.
    private(set) var users: ContiguousArray<UserID> = []

    /// Makes room for members to come.
    mutating func reserveCapacity(_ count: Int) { self.users.reserveCapacity(count) }

    /// How many slots there are, free ones between the others included.
    var count: Int { self.users.count }

    /// Who has a slot; nil when it is free.
    func user(of slot: Int) -> UserID? { self.enrolled.contains(slot) ? self.users[slot] : nil }

    /// Those who have some slots, by id.
    func users(of slots: MemberSet) -> [UserID] { slots.compactMap { self.user(of: $0) }.sorted() }

    /// Whether a slot is a member's, if it is taken.
    @inline(__always)
    func holds(_ user: UserID, at slot: Int) -> Bool { slot < self.users.count && self.users[slot] == user }

    /// The slot of a member; nil when they are none.
    @inline(never)
    func slot(of user: UserID) -> Int? {
        self.users.indices.first { self.users[$0] == user && self.enrolled.contains($0) }
    }

    /// Gives somebody the first free slot; nil when there is none.
    mutating func add(_ user: UserID) -> Int? {
        let slot = self.users.indices.first { !self.enrolled.contains($0) } ?? self.users.count
        guard slot < MemberSet.capacity else { return nil }
        if slot == self.users.count { self.users.append(user) } else { self.users[slot] = user }
        self.enrolled.insert(slot)
        return slot
    }

    /// Gives somebody a slot that is free; nil when it is not, or when there is none such.
    mutating func add(_ user: UserID, at slot: Int) -> Int? {
        guard 0..<MemberSet.capacity ~= slot, !self.enrolled.contains(slot) else { return nil }
        while self.users.count <= slot { self.users.append(user) }
        self.users[slot] = user
        self.enrolled.insert(slot)
        return slot
    }

    /// Takes a member's slot away.
    mutating func remove(_ slot: Int) { self.enrolled.remove(slot) }
}
