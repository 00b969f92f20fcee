/// The pair state of two members at their last comparison, as `ProximityField` counts.
enum Standing: Int8, Sendable {
    /// Linked, and within R.
    case within = -4
    /// Beyond R, but within R after accuracy credit, and either linked or apart.
    case between = -2
    /// Beyond R after accuracy credit and apart, or not placed.
    case far = 0
    /// Closing or opening, or linked beyond R after accuracy credit: each fix matters. Equal to no sum.
    case watched = 1
    /// The same within R.
    case watchedWithin = 2

    /// Whether the two were within R.
    var isWithin: Bool {
        switch self {
        case .within, .watchedWithin: true
        case .between, .far, .watched: false
        }
    }
}
