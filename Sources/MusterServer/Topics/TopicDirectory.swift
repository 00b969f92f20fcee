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
        let shard: Int
        var groups: Set<GroupID> = []
    }

    private var sessions: [SessionID: Session] = [:]
    private var followers: [GroupID: [Int: Int]] = [:]

    /// Notes that a session follows a roster.
    mutating func subscribe(_ session: SessionID, on shard: Int, to group: GroupID) -> Subscription {
        guard self.sessions[session, default: Session(shard: shard)].groups.insert(group).inserted else {
            return .joinsMirror
        }
        let count = self.followers[group, default: [:]][shard, default: 0]
        self.followers[group, default: [:]][shard] = count + 1
        return count == 0 ? .opensMirror : .joinsMirror
    }

    /// Notes that a session follows a roster no longer.
    ///
    /// - Returns: the shard whose mirror nobody needs any more.
    mutating func unsubscribe(_ session: SessionID, from group: GroupID) -> Int? {
        guard let shard = self.sessions[session]?.shard, self.sessions[session]?.groups.remove(group) != nil else {
            return nil
        }
        return self.release(group, on: shard)
    }

    /// Notes that a session is gone.
    ///
    /// - Returns: the mirrors that nobody needs any more.
    mutating func remove(_ session: SessionID) -> [(group: GroupID, shard: Int)] {
        guard let removed = self.sessions.removeValue(forKey: session) else { return [] }
        return removed.groups.compactMap { group in self.release(group, on: removed.shard).map { (group, $0) } }
    }

    /// Forgets a roster that is no longer kept.
    ///
    /// - Returns: the shards that mirror it.
    mutating func remove(_ group: GroupID) -> [Int] {
        guard let shards = self.followers.removeValue(forKey: group) else { return [] }
        for session in self.sessions.keys { self.sessions[session]?.groups.remove(group) }
        return shards.keys.sorted()
    }

    /// The shards that mirror a roster.
    func shards(mirroring group: GroupID) -> some Collection<Int> {
        self.followers[group, default: [:]].keys
    }

    private mutating func release(_ group: GroupID, on shard: Int) -> Int? {
        let rest = self.followers[group, default: [:]][shard, default: 1] - 1
        guard rest == 0 else {
            self.followers[group]?[shard] = rest
            return nil
        }
        self.followers[group]?[shard] = nil
        if self.followers[group]?.isEmpty == true { self.followers[group] = nil }
        return shard
    }
}
