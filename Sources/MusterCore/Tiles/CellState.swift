/// The state of a cell in the clustering rule.
struct CellState: Equatable, Sendable {
    let rawValue: UInt8

    /// Not evaluated.
    static let unknown = Self(rawValue: 0)
    /// Not a centre; its own centre is not known yet.
    static let absorbed = Self(rawValue: 1)
    /// A centre, assigned to itself.
    static let center = Self(goingTo: 12)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the state of a cell assigned to a centre at an offset from the cell: 5 · (row + 2) + column + 2.
    init(goingTo offset: UInt8) { self.rawValue = offset + 2 }

    /// The offset of the assigned centre; nil if it is not known.
    var centerOffset: UInt8? { self.rawValue < 2 ? nil : self.rawValue - 2 }

    /// Whether the cell is assigned to another cell.
    var isGone: Bool { self.rawValue >= 2 && self != .center }
}
