extension Coordinate {
    /// The median of latitudes and the median of longitudes, which a single outlier cannot move far; nil for no
    /// coordinates.
    ///
    /// Longitudes are taken relative to the first, so that a group on both sides of the date line stays together. For
    /// an even number, the result is the middle of the two medians.
    package static func median(of coordinates: [Self]) -> Self? {
        guard let first = coordinates.first else { return nil }
        let east = Self.middle(coordinates.map { Self.wrapped($0.longitude - first.longitude) })
        return Self(
            latitude: Self.middle(coordinates.map(\.latitude)),
            longitude: Self.wrapped(first.longitude + east)
        )
    }

    /// The longitude in −180…180.
    private static func wrapped(_ longitude: Double) -> Double {
        if longitude > 180 { longitude - 360 } else if longitude < -180 { longitude + 360 } else { longitude }
    }

    private static func middle(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }
}
