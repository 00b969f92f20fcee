/// The naming scheme for the clusters of a layer.
package enum ClusterNaming: Sendable {
    /// By the cell of the centre: for many points that rarely move.
    case cell
    /// By the smallest id among the points: for people, who often move from cell to cell.
    case leastMember
}

/// The name of a cluster: `c:12:4823:6158` by the cell of its centre, `c:12:u7` by its smallest member id.
///
/// Part of the contract with clients: a name stays the same while the cluster is at the same place, or has the same
/// smallest id.
package enum ClusterName: Hashable, Sendable {
    /// By the column and row of the centre's cell, each in sixteenths of a tile's side.
    case cell(zoom: Int, x: Int, y: Int)
    /// By the smallest id among the points.
    case leastMember(zoom: Int, Int64)

    /// The zoom at which it is a cluster.
    package var zoom: Int {
        switch self {
        case .cell(let zoom, _, _): zoom
        case .leastMember(let zoom, _): zoom
        }
    }
}

extension ClusterName: LosslessStringConvertible {
    package var description: String {
        switch self {
        case .cell(let zoom, let x, let y): "c:\(zoom):\(x):\(y)"
        case .leastMember(let zoom, let member): "c:\(zoom):u\(member)"
        }
    }

    /// Parses a name; nil unless it has exactly the form of `description`, with a valid zoom and cell.
    package init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, let zoom = Int(parts[1]), TileAddress.zooms ~= zoom else { return nil }
        if parts.count == 3, parts[2].first == "u", let member = Int64(parts[2].dropFirst()) {
            self = .leastMember(zoom: zoom, member)
        } else if parts.count == 4, let x = Int(parts[2]), let y = Int(parts[3]),
            ClusterRule.cells(zoom: zoom) ~= x, ClusterRule.cells(zoom: zoom) ~= y
        {
            self = .cell(zoom: zoom, x: x, y: y)
        } else {
            return nil
        }
        // Rejects signs, leading zeros and other prefixes.
        guard self.description == description else { return nil }
    }
}
