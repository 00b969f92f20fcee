package import MusterCore

/// A direct implementation of `ClusterRule` without caches: it sorts all cells, selects the centres and assigns the
/// other cells.
package struct NaiveClusterIndex: Sendable {
    private struct Cell {
        var x: Int
        var y: Int
        var members: [Int64]
        var place: MercatorPoint
        var hash: UInt64

        func precedes(_ other: Self) -> Bool {
            (self.members.count, self.hash) > (other.members.count, other.hash)
        }
    }

    private struct Feature {
        var center: Cell
        var members: [Int64]
    }

    private let naming: ClusterNaming
    package private(set) var points: [Int64: MercatorPoint] = [:]

    /// Creates a cluster index without points.
    package init(naming: ClusterNaming) { self.naming = naming }

    /// The number of points.
    package var count: Int { self.points.count }

    /// Adds a point, or moves the one with this id.
    ///
    /// The id must be positive.
    package mutating func put(_ id: Int64, at place: MercatorPoint) { self.points[id] = place }

    /// Removes a point if it exists.
    package mutating func remove(_ id: Int64) { self.points[id] = nil }

    /// The position of a point; nil if it does not exist.
    package func place(of id: Int64) -> MercatorPoint? { self.points[id] }

    /// The features of all non-empty tiles of a zoom.
    package func features(zoom: Int) -> [TileAddress: [TileFeature]] {
        guard ClusterRule.zooms ~= zoom else {
            let tiles = Dictionary(grouping: self.points) { $0.value.tile(zoom: zoom) }
            return tiles.reduce(into: [:]) { features, tile in
                features[tile.key] = self.rawFeatures(of: Dictionary(uniqueKeysWithValues: tile.value), in: tile.key)
            }
        }
        let sorted = self.clusters(zoom: zoom).sorted { ($0.center.y, $0.center.x) < ($1.center.y, $1.center.x) }
        return sorted.reduce(into: [:]) { features, cluster in
            let tile = cluster.center.place.tile(zoom: zoom)
            features[tile, default: []].append(self.feature(cluster.center, cluster.members, of: tile))
        }
    }

    /// The points of each feature of a zoom up to 16.
    package func members(zoom: Int) -> [[Int64]] { self.clusters(zoom: zoom).map(\.members) }

    private func rawFeatures(of inside: [Int64: MercatorPoint], in tile: TileAddress) -> [TileFeature] {
        guard inside.count <= ClusterRule.rawLimit else {
            return self.cells(zoom: tile.zoom, of: inside)
                .sorted { ($0.y, $0.x) < ($1.y, $1.x) }
                .map { self.feature($0, $0.members, of: tile) }
        }
        return inside.sorted { $0.key < $1.key }.map {
            TileFeature(at: $0.value, of: tile, count: 1, content: .point($0.key), entryKey: $0.key)
        }
    }

    /// The current summary of a cluster; nil if the cluster no longer exists.
    package func cluster(_ name: ClusterName) -> ClusterSummary? {
        guard let members = self.members(of: name), let first = members.first.flatMap({ self.points[$0] }) else {
            return nil
        }
        let places = members.compactMap { self.points[$0] }
        let easts = places.map { Int32(bitPattern: $0.x &- first.x) }
        let west = first.x &+ UInt32(bitPattern: easts.min() ?? 0)
        let east = first.x &+ UInt32(bitPattern: easts.max() ?? 0)
        let souths = places.map(\.y)
        let bounds = MercatorBounds(
            northWest: MercatorPoint(x: west, y: souths.min() ?? 0),
            southEast: MercatorPoint(x: east, y: souths.max() ?? 0)
        )
        let expansion = ClusterRule.zooms.first { zoom in
            zoom > name.zoom && !self.clusters(zoom: zoom).contains { Set($0.members).isSuperset(of: members) }
        }
        return ClusterSummary(
            count: members.count,
            bounds: bounds,
            expansionZoom: expansion ?? ClusterRule.zooms.upperBound + 1
        )
    }

    /// At most `limit` points of a cluster after a cursor; nil if the cluster no longer exists.
    package func leaves(of name: ClusterName, after cursor: LeafCursor?, limit: Int) -> LeafPage? {
        guard let members = self.members(of: name) else { return nil }
        let sorted = members.compactMap { id in
            self.points[id].map { LeafCursor(morton: $0.morton, id: id) }
        }.sorted().filter { leaf in cursor.map { leaf > $0 } ?? true }
        let page = sorted.prefix(max(0, limit))
        return LeafPage(points: page.map(\.id), next: page.count < sorted.count ? page.last ?? cursor : nil)
    }

    private func members(of name: ClusterName) -> [Int64]? {
        let features: [Feature]
        if ClusterRule.zooms ~= name.zoom {
            features = self.clusters(zoom: name.zoom)
        } else {
            let tiles = Dictionary(grouping: self.points) { $0.value.tile(zoom: name.zoom) }
            let crowded = tiles.values.filter { $0.count > ClusterRule.rawLimit }.joined().map { ($0.key, $0.value) }
            let cells = self.cells(zoom: name.zoom, of: Dictionary(uniqueKeysWithValues: crowded))
            features = cells.map { Feature(center: $0, members: $0.members) }
        }
        return features.first { self.name(of: $0.center, $0.members, zoom: name.zoom) == name && $0.members.count > 1 }?
            .members
    }

    // MARK: The rule

    private func cells(zoom: Int, of points: [Int64: MercatorPoint]) -> [Cell] {
        let shift = UInt32(ClusterRule.cellShift(zoom: zoom))
        var members: [MercatorPoint: [Int64]] = [:]
        for (id, point) in points {
            members[MercatorPoint(x: point.x >> shift, y: point.y >> shift), default: []].append(id)
        }
        return members.map { cell, ids in
            var (east, south): (UInt64, UInt64) = (0, 0)
            for case let place? in ids.map({ points[$0] }) {
                east += UInt64(place.x)
                south += UInt64(place.y)
            }
            let count = UInt64(ids.count)
            return Cell(
                x: Int(cell.x),
                y: Int(cell.y),
                members: ids,
                place: MercatorPoint(x: UInt32(east / count), y: UInt32(south / count)),
                hash: ClusterRule.hash(zoom: zoom, x: Int(cell.x), y: Int(cell.y))
            )
        }
    }

    private func clusters(zoom: Int) -> [Feature] {
        let radius = ClusterRule.squaredRadius(zoom: zoom)
        func near(_ one: Cell, _ other: Cell) -> Int64? {
            let x = Int64(Int32(bitPattern: one.place.x &- other.place.x))
            let y = Int64(one.place.y) - Int64(other.place.y)
            // Neither square may overflow.
            guard abs(x) < 1 << 30, abs(y) < 1 << 30 else { return nil }
            let distance = x * x + y * y
            return distance < radius ? distance : nil
        }
        var features: [Feature] = []
        var rest: [Cell] = []
        for cell in self.cells(zoom: zoom, of: self.points).sorted(by: { $0.precedes($1) }) {
            if features.contains(where: { near($0.center, cell) != nil }) {
                rest.append(cell)
            } else {
                features.append(Feature(center: cell, members: cell.members))
            }
        }
        for cell in rest {
            var best: (index: Int, distance: Int64)?
            for (index, feature) in features.enumerated() {
                guard let distance = near(feature.center, cell) else { continue }
                if let best, distance > best.distance { continue }
                if let best, distance == best.distance, feature.center.hash < features[best.index].center.hash {
                    continue
                }
                best = (index, distance)
            }
            if let best { features[best.index].members += cell.members }
        }
        return features
    }

    private func name(of center: Cell, _ members: [Int64], zoom: Int) -> ClusterName {
        switch self.naming {
        case .cell: .cell(zoom: zoom, x: center.x, y: center.y)
        case .leastMember: .leastMember(zoom: zoom, members.min() ?? 0)
        }
    }

    private func feature(_ center: Cell, _ members: [Int64], of tile: TileAddress) -> TileFeature {
        let name = self.name(of: center, members, zoom: tile.zoom)
        let content = members.count == 1 ? TileFeature.Content.point(members[0]) : .cluster(name)
        let entryKey =
            switch (content, name) {
            case (.point(let id), _): id
            case (.cluster, .cell): Int64(-1 - (center.y & 15) * 16 - (center.x & 15))
            case (.cluster, .leastMember(_, let member)): -member
            }
        return TileFeature(
            at: center.place,
            of: tile,
            count: members.count,
            content: content,
            entryKey: entryKey
        )
    }
}
