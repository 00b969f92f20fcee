/// Ways on foot between any two of some points.
struct WalkTable: Sendable, Equatable {
    /// Points that one table may have.
    static let mostPoints = 100

    /// One way.
    struct Walk: Sendable, Equatable {
        var seconds: Double
        var metres: Double
    }

    /// How many points there are.
    let points: Int
    private let walks: [Walk?]

    /// Creates a table of ways, row by row; nil where there is no way.
    ///
    /// - Precondition: there are as many ways as pairs of points.
    init(points: Int, walks: [Walk?]) {
        precondition(walks.count == points * points, "a table has a way for each pair of points")
        self.points = points
        self.walks = walks
    }

    /// The way from one point to another, by their numbers; nil when there is none.
    subscript(start: Int, end: Int) -> Walk? { self.walks[start * self.points + end] }
}
