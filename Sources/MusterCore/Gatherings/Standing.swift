/// How two members stood to each other when they were last compared, as `ProximityField` counts.
enum Standing: Int8, Sendable {
    /// Linked, and within R.
    case within = -4
    /// Beyond R, and not with accuracy credited, and either linked or apart.
    case between = -2
    /// Beyond R with accuracy credited, and apart, or not placed.
    case far = 0
    /// On their way, or linked beyond R with accuracy credited: each fix matters. No count is that.
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
