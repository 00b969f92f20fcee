/// The walks between any two of some points.
struct WalkTable: Sendable, Equatable {
    /// The maximum number of points in a table.
    static let mostPoints = 100

    /// A walk from one point to another.
    struct Walk: Sendable, Equatable {
        var seconds: Double
        var metres: Double
    }

    /// The number of points.
    let points: Int
    private let walks: [Walk?]

    /// Creates a table from walks, row by row; nil where there is no route.
    ///
    /// - Precondition: there are as many walks as pairs of points.
    init(points: Int, walks: [Walk?]) {
        precondition(walks.count == points * points, "a table has a way for each pair of points")
        self.points = points
        self.walks = walks
    }

    /// The walk from one point to another, by their numbers; nil when there is none.
    subscript(start: Int, end: Int) -> Walk? { self.walks[start * self.points + end] }
}
