extension Coordinate {
    /// The nearest point of the 0.01° grid, which is what `approximate` sharing shows.
    ///
    /// Snapping hides the position within a cell of about 1.1 km by at most as much; it is the same for every position of
    /// a cell, so that repeated looks tell nothing more.
    package var snappedToGrid: Self {
        Self(latitude: Self.snapped(self.latitude), longitude: Self.snapped(self.longitude))
    }

    // Dividing by 100 rather than multiplying by 0.01 gives the double nearest to the decimal, so it prints short.
    private static func snapped(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
}
