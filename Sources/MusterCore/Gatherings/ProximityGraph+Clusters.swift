extension ProximityGraph {
    /// The clusters of at least two members, computed one after the other without an array.
    struct Clusters: Sequence, IteratorProtocol {
        fileprivate let graph: ProximityGraph
        fileprivate var rest: MemberSet

        mutating func next() -> MemberSet? {
            while let start = self.rest.first {
                let cluster = self.graph.cluster(of: start)
                self.rest = self.rest - cluster
                if cluster.count >= 2 { return cluster }
            }
            return nil
        }
    }

    /// The clusters of at least two members.
    var clusters: Clusters { Clusters(graph: self, rest: self.placed) }

    /// The member and all members connected to them by links.
    func cluster(of slot: Int) -> MemberSet {
        var cluster = MemberSet(slot)
        var frontier = cluster
        while let slot = frontier.first {
            frontier.remove(slot)
            let new = self.linked[slot] - cluster
            cluster = cluster | new
            frontier = frontier | new
        }
        return cluster
    }

    /// The non-empty intersections of `members` with each cluster, largest first; if equally large, the one with the
    /// lowest slot first.
    func parts(of members: MemberSet) -> [MemberSet] {
        var parts: [MemberSet] = []
        var rest = members
        while let start = rest.first {
            let part = self.cluster(of: start) & members
            rest = rest - part
            // Parts are found in the order of their lowest slots.
            let place = parts.firstIndex { $0.count < part.count } ?? parts.count
            parts.insert(part, at: place)
        }
        return parts
    }
}
