import Foundation
import MusterCore

// In GeoJSON's geometries (RFC 7946, 3.1) positions are nested to a depth that depends on the type. The innermost list
// of positions is a part: a line, a ring, or the points of a MultiPoint. A collection has the parts of its members.

/// The points of a feature's geometry.
struct FeatureShape {
    /// Why a geometry cannot be read.
    enum Problem: String, Error {
        /// The geometry is valid, but has no position.
        case empty
        case notGeometry = "has a `geometry` without `coordinates`"
        case notPositions = "has `coordinates` that are not lists of [longitude, latitude]"
        case offEarth =
            "has a position out of range: first the longitude, −180 to 180, then the latitude, −90 to 90"
    }

    /// All points.
    private(set) var points: [Coordinate] = []
    /// Whether the geometry is a single line.
    let isLine: Bool
    private var arcs: [LongitudeArc] = []

    /// Reads a geometry.
    ///
    /// - Throws: the problem with it.
    init(_ geometry: Any) throws(Problem) {
        guard let geometry = geometry as? [String: Any] else { throw .notGeometry }
        self.isLine = geometry["type"] as? String == "LineString"
        try self.add(geometry)
        guard !self.points.isEmpty else { throw .empty }
    }

    /// The middle vertex of a line, otherwise the middle of the bounding box.
    var centre: Coordinate {
        if self.points.count == 1 || self.isLine { return self.points[self.points.count / 2] }
        let box = self.box
        return Coordinate(
            latitude: (box.south + box.north) / 2,
            longitude: LongitudeArc(west: box.west, east: box.east).middle
        )
    }

    /// The bounding box; nil for a point.
    var extent: Place.Extent? { self.points.count == 1 ? nil : self.box }

    private var box: Place.Extent {
        let latitudes = self.points.map(\.latitude)
        let arc = LongitudeArc.holding(self.arcs)
        return Place.Extent(
            west: arc?.west ?? 0,
            south: latitudes.min() ?? 0,
            east: arc?.east ?? 0,
            north: latitudes.max() ?? 0
        )
    }

    private mutating func add(_ geometry: [String: Any]) throws(Problem) {
        if geometry["type"] as? String == "GeometryCollection" {
            guard let members = geometry["geometries"] as? [Any] else { throw .notGeometry }
            for member in members {
                guard let member = member as? [String: Any] else { throw .notGeometry }
                try self.add(member)
            }
            return
        }
        guard let coordinates = geometry["coordinates"] as? [Any] else { throw .notGeometry }
        let first = self.points.count
        if try self.addPosition(coordinates) {
            self.endPart(from: first, isLine: false)
        } else {
            try self.add(coordinates, isLine: geometry["type"] as? String != "MultiPoint")
        }
    }

    /// Adds a list of positions, or a list of such lists.
    private mutating func add(_ list: [Any], isLine: Bool) throws(Problem) {
        let first = self.points.count
        for member in list {
            guard let member = member as? [Any] else { throw .notPositions }
            if try !self.addPosition(member) { try self.add(member, isLine: isLine) }
        }
        // In nested lists the inner lists have already ended their parts.
        if (list.first as? [Any])?.first is NSNumber { self.endPart(from: first, isLine: isLine) }
    }

    /// Adds a position.
    ///
    /// - Returns: false when the list is not a position.
    private mutating func addPosition(_ list: [Any]) throws(Problem) -> Bool {
        guard let longitude = (list.first as? NSNumber)?.doubleValue else {
            guard list.first == nil || list.first is [Any] else { throw .notPositions }
            return false
        }
        guard list.count >= 2, let latitude = (list[1] as? NSNumber)?.doubleValue else { throw .notPositions }
        guard let point = Coordinate(validating: latitude, longitude) else { throw .offEarth }
        self.points.append(point)
        return true
    }

    private mutating func endPart(from first: Int, isLine: Bool) {
        let longitudes = self.points[first...].map(\.longitude)
        if isLine {
            self.arcs += LongitudeArc(line: longitudes).map { [$0] } ?? []
        } else {
            self.arcs += longitudes.map { LongitudeArc(west: $0, east: $0) }
        }
    }
}
