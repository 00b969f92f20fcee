/// A way on foot with its course.
struct WalkLeg: Sendable, Equatable {
    var seconds: Double
    var metres: Double
    /// Its course as a polyline with five decimals, as Google's polylines and OSRM write it.
    var geometry: String
}
