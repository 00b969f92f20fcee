/// What is known of a cell's part in the rule.
struct CellState: Equatable, Sendable {
    let rawValue: UInt8

    /// Nobody has asked.
    static let unknown = Self(rawValue: 0)
    /// No centre; to which one it goes, nobody has asked.
    static let absorbed = Self(rawValue: 1)
    /// A centre: it goes to itself.
    static let center = Self(goingTo: 12)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It goes to the centre there: 5 · (row + 2) + column + 2, counted from the cell.
    init(goingTo offset: UInt8) { self.rawValue = offset + 2 }

    /// Where its centre is, from the cell; nil when that is not known.
    var centerOffset: UInt8? { self.rawValue < 2 ? nil : self.rawValue - 2 }

    /// Whether the cell goes to another one that is known.
    var isGone: Bool { self.rawValue >= 2 && self != .center }
}
