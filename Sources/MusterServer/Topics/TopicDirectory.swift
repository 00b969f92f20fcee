import MusterCore

/// Who follows which roster on which shard, so that a shard mirrors a roster exactly while somebody there follows it.
struct TopicDirectory {
    /// What a subscription means for the shard's mirror.
    enum Subscription: Equatable {
        /// The shard has no mirror yet: open it first.
        case opensMirror
        /// The shard has one.
        case joinsMirror
    }

    private struct Session {
        var groups = ShortList<GroupID>()
        let shard: Int32
    }

    private var sessions: [SessionID: Session] = [:]
    /// How many follow a roster, by shard.
    private var followers: [GroupID: [Int32]] = [:]

    /// Notes that a session follows a roster.
    mutating func subscribe(_ session: SessionID, on shard: Int, to group: GroupID) -> Subscription {
        guard self.sessions[session]?.groups.contains(group) != true else { return .joinsMirror }
        self.sessions[session, default: Session(shard: Int32(shard))].groups.append(group)
        return self.follow(group, on: shard) == 1 ? .opensMirror : .joinsMirror
    }

    /// Notes that a session follows a roster no longer.
    ///
    /// - Returns: the shard whose mirror nobody needs any more.
    mutating func unsubscribe(_ session: SessionID, from group: GroupID) -> Int? {
        guard let known = self.sessions[session], known.groups.contains(group) else { return nil }
        self.sessions[session]?.groups.removeAll { $0 == group }
        return self.release(group, on: Int(known.shard))
    }

    /// Notes that a session is gone.
    ///
    /// - Returns: the mirrors that nobody needs any more.
    mutating func remove(_ session: SessionID) -> [(group: GroupID, shard: Int)] {
        guard let removed = self.sessions.removeValue(forKey: session) else { return [] }
        let shard = Int(removed.shard)
        return removed.groups.compactMap { group in self.release(group, on: shard).map { (group, $0) } }
    }

    /// Forgets a roster that is no longer kept.
    ///
    /// - Returns: the shards that mirror it.
    mutating func remove(_ group: GroupID) -> [Int] {
        guard let counts = self.followers.removeValue(forKey: group) else { return [] }
        for session in self.sessions.keys { self.sessions[session]?.groups.removeAll { $0 == group } }
        return counts.indices.filter { counts[$0] > 0 }
    }

    /// The shards that mirror a roster.
    func shards(mirroring group: GroupID) -> some Collection<Int> {
        let counts = self.followers[group] ?? []
        return counts.indices.lazy.filter { counts[$0] > 0 }
    }

    private mutating func follow(_ group: GroupID, on shard: Int) -> Int32 {
        // In place: taken out and put back it would be copied.
        let missing = shard + 1 - self.followers[group, default: []].count
        if missing > 0 { self.followers[group, default: []].append(contentsOf: repeatElement(0, count: missing)) }
        self.followers[group, default: []][shard] += 1
        return self.followers[group, default: []][shard]
    }

    private mutating func release(_ group: GroupID, on shard: Int) -> Int? {
        guard let counts = self.followers[group], shard < counts.count, counts[shard] > 0 else { return nil }
        guard counts[shard] == 1 else {
            self.followers[group]?[shard] -= 1
            return nil
        }
        if counts.reduce(0, +) == 1 { self.followers[group] = nil } else { self.followers[group]?[shard] = 0 }
        return shard
    }
}
