/// What clusters of a layer are named by.
package enum ClusterNaming: Sendable {
    /// The cell of the centre: right where points are many and seldom move.
    case cell
    /// The least id among the points: right for people, who cross a cell every few steps.
    case leastMember
}

/// The name of a cluster: `c:12:4823:6158` by the cell of its centre, `c:12:u7` by its least member.
///
/// Part of the contract with clients: names stay from one state to the next while the cluster is the same place, or has the
/// same least member.
package enum ClusterName: Hashable, Sendable {
    /// By the column and row of the centre's cell, each a sixteenth of a tile's side.
    case cell(zoom: Int, x: Int, y: Int)
    /// By the least id among its points.
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

    /// Reads a name; nil unless it is written exactly as `description` does, of a zoom and a cell that exist.
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
        // No sign, no leading zero, no other head.
        guard self.description == description else { return nil }
    }
}
