extension Coordinate {
    /// The nearest point of the 0.01° grid, which `approximate` sharing shows.
    ///
    /// Snapping moves the position by at most about 1.1 km. The result is the same for all positions in a cell, so
    /// repeated queries reveal nothing more.
    package var snappedToGrid: Self {
        Self(latitude: Self.snapped(self.latitude), longitude: Self.snapped(self.longitude))
    }

    // Dividing by 100 rather than multiplying by 0.01 gives the double nearest to the decimal, so it prints short.
    private static func snapped(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}
