/// The assignment of members to slots in a group's gathering machine.
struct MemberRoster: Sendable {
    /// The assigned slots.
    private(set) var enrolled = MemberSet()
    /// The member of each slot; undefined for a free slot.
    private(set) var users: ContiguousArray<UserID> = []

    /// Reserves capacity for members.
    mutating func reserveCapacity(_ count: Int) { self.users.reserveCapacity(count) }

    /// The number of slots, including free ones between the others.
    var count: Int { self.users.count }

    /// The member of a slot; nil if it is free.
    func user(of slot: Int) -> UserID? { self.enrolled.contains(slot) ? self.users[slot] : nil }

    /// The members of some slots, sorted by id.
    func users(of slots: MemberSet) -> [UserID] { slots.compactMap { self.user(of: $0) }.sorted() }

    /// Whether a slot belongs to a member, if it is assigned.
    @inline(__always)
    func holds(_ user: UserID, at slot: Int) -> Bool { slot < self.users.count && self.users[slot] == user }

    /// The slot of a member; nil if there is none.
    @inline(never)
    func slot(of user: UserID) -> Int? {
        self.users.indices.first { self.users[$0] == user && self.enrolled.contains($0) }
    }

    /// Assigns the first free slot to a member; nil if there is none.
    mutating func add(_ user: UserID) -> Int? {
        let slot = self.users.indices.first { !self.enrolled.contains($0) } ?? self.users.count
        guard slot < MemberSet.capacity else { return nil }
        if slot == self.users.count { self.users.append(user) } else { self.users[slot] = user }
        self.enrolled.insert(slot)
        return slot
    }

    /// Assigns a free slot to a member; nil if it is taken or out of range.
    mutating func add(_ user: UserID, at slot: Int) -> Int? {
        guard 0..<MemberSet.capacity ~= slot, !self.enrolled.contains(slot) else { return nil }
        while self.users.count <= slot { self.users.append(user) }
        self.users[slot] = user
        self.enrolled.insert(slot)
        return slot
    }

    /// Releases a slot.
    mutating func remove(_ slot: Int) { self.enrolled.remove(slot) }
}
