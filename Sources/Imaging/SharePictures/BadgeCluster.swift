import ImagingWire

/// A group of people whose badges would overlap, so that they share one position.
struct BadgeCluster: Equatable {
    /// The members, as ascending indices of the picture's people.
    var members: [Int]
    /// The mean of their positions.
    var middle: Pixel

    /// The minimum distance of two badges in pixels.
    static let spacing = 52.0

    /// Merges people, the nearest first, until no two clusters are nearer than `spacing`.
    ///
    /// - Complexity: O(n³) if all are at one position, and so in one cluster; at most 250 people are.
    static func merging(_ places: [Pixel]) -> [BadgeCluster] {
        var clusters = places.enumerated().map { BadgeCluster(members: [$0], middle: $1) }
        while let (one, other) = self.nearestPair(clusters) {
            let joined = clusters.remove(at: other)
            clusters[one].join(joined)
        }
        for index in clusters.indices { clusters[index].members.sort() }
        return clusters
    }

    /// Returns the indices of the two nearest clusters, the lower one first; nil when none are too near.
    private static func nearestPair(_ clusters: [BadgeCluster]) -> (Int, Int)? {
        var nearest = self.spacing * self.spacing
        var pair: (Int, Int)?
        for one in clusters.indices {
            for other in clusters.indices.dropFirst(one + 1) {
                let distance = clusters[one].middle.distanceSquared(to: clusters[other].middle)
                guard distance < nearest else { continue }
                nearest = distance
                pair = (one, other)
                // No pair can be nearer.
                if distance == 0 { return pair }
            }
        }
        return pair
    }

    private mutating func join(_ other: Self) {
        let (ours, theirs) = (Double(self.members.count), Double(other.members.count))
        self.middle = Pixel(
            x: (self.middle.x * ours + other.middle.x * theirs) / (ours + theirs),
            y: (self.middle.y * ours + other.middle.y * theirs) / (ours + theirs)
        )
        self.members += other.members
    }
}
