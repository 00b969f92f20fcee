/// A walking route between two points, with its geometry.
struct WalkLeg: Sendable, Equatable {
    var seconds: Double
    var metres: Double
    /// The geometry as a polyline with five decimals, in the format of Google and OSRM.
    var geometry: String
}
