package import MusterCore

extension JSONFields {
    /// Returns the field `lat`.
    package func latitude() throws(FrameError) -> Double? { try self.number("lat", in: Coordinate.latitudes) }

    /// Returns the field `lon`.
    package func longitude() throws(FrameError) -> Double? { try self.number("lon", in: Coordinate.longitudes) }

    /// Returns the fields `lat` and `lon`.
    package func coordinate() throws(FrameError) -> Coordinate {
        Coordinate(
            latitude: try self.required("lat", self.latitude()),
            longitude: try self.required("lon", self.longitude())
        )
    }

    /// Checks that `bbox` is the west, south, east and north of a box, whose west may be greater than its east.
    package func requireBox(_ bbox: [Double]) throws(FrameError) {
        let (west, south, east, north) = (bbox[0], bbox[1], bbox[2], bbox[3])
        guard [west, east].allSatisfy(Coordinate.longitudes.contains),
            [south, north].allSatisfy(Coordinate.latitudes.contains), south <= north
        else { throw self.error("bbox", "must be [west, south, east, north] in degrees, with south at most north") }
    }
}
