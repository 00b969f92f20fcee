/// The state of two members at their last comparison, as `ProximityField` counts.
enum PairState: Int8, Sendable {
    /// Linked, and within R.
    case within = -4
    /// Beyond R, but within R after accuracy credit, and either linked or apart.
    case between = -2
    /// Beyond R after accuracy credit and apart, or not placed.
    case far = 0
    /// Closing or opening, or linked beyond R after accuracy credit: each fix matters. Equal to no sum.
    case unstable = 1
    /// The same within R.
    case unstableWithin = 2

    /// Whether the two were within R.
    var isWithin: Bool {
        switch self {
        case .within, .unstableWithin: true
        case .between, .far, .unstable: false
        }
    }
}
