import MusterCore

/// A search for the places of one category around a point.
struct CategorySearch: Sendable, Equatable {
    var category: PlaceCategory
    /// The start of the walk; outside of the process it is coarser.
    var center: Coordinate
    /// The maximum distance of a place, in metres.
    var radius: Double
    /// The latest time of a useful answer, in milliseconds of the process's monotonic clock.
    var deadline: Int64
}
