import MusterCore

/// The greedy algorithm of supercluster, from its description.
///
/// Zooms are processed from the finest up. Each feature of the zoom below that is not in a cluster yet takes all others
/// within the radius. The cluster lies at the mean of its points.
package struct GreedyClusters {
    /// A feature: its position and its points.
    package struct Feature {
        package var x: Double
        package var y: Double
        package var members: [Int]
    }

    /// The features of each zoom, 0…16.
    package private(set) var zooms: [[Feature]] = []

    /// Clusters points given as fractions of the map's side.
    package init(_ points: [(x: Double, y: Double)]) {
        var features = points.enumerated().map { Feature(x: $1.x, y: $1.y, members: [$0]) }
        for zoom in ClusterRule.zooms.reversed() {
            features = Self.clustered(features, radius: 40.0 / 512 / Double(1 << zoom))
            self.zooms.insert(features, at: 0)
        }
    }

    private static func clustered(_ features: [Feature], radius: Double) -> [Feature] {
        let side = max(1, Int(1 / radius))
        var cells: [Int: [Int]] = [:]
        func column(_ part: Double) -> Int { min(side - 1, max(0, Int(part * Double(side)))) }
        for (index, feature) in features.enumerated() {
            cells[column(feature.y) * side + column(feature.x), default: []].append(index)
        }
        var isTaken = Array(repeating: false, count: features.count)
        var clusters: [Feature] = []
        for (index, feature) in features.enumerated() where !isTaken[index] {
            var taken: [Int] = []
            let (x, y) = (column(feature.x), column(feature.y))
            for row in max(0, y - 1)...min(side - 1, y + 1) {
                for column in max(0, x - 1)...min(side - 1, x + 1) {
                    taken += (cells[row * side + column] ?? []).filter { other in
                        let (east, south) = (features[other].x - feature.x, features[other].y - feature.y)
                        return !isTaken[other] && east * east + south * south <= radius * radius
                    }
                }
            }
            var (east, south, weight) = (0.0, 0.0, 0.0)
            var members: [Int] = []
            for other in taken {
                isTaken[other] = true
                let count = Double(features[other].members.count)
                east += features[other].x * count
                south += features[other].y * count
                weight += count
                members += features[other].members
            }
            clusters.append(Feature(x: east / weight, y: south / weight, members: members))
        }
        return clusters
    }
}
