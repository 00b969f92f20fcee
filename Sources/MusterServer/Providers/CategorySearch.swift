import MusterCore

/// Asks for the places of one category around a point.
struct CategorySearch: Sendable, Equatable {
    var category: PlaceCategory
    /// Where one sets out; what goes out of the process is coarser.
    var center: Coordinate
    /// How far away a place may be, in metres.
    var radius: Double
    /// When an answer is of no use any more, in milliseconds of the process's monotonic clock.
    var deadline: Int64
}
