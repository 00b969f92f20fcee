/// The optional fields of a fix.
///
/// A fix is accepted without those whose values are invalid.
package struct FixDetails: OptionSet, Sendable, Hashable {
    package static let altitude = FixDetails(rawValue: 1 << 0)
    package static let speed = FixDetails(rawValue: 1 << 1)
    package static let course = FixDetails(rawValue: 1 << 2)
    package static let battery = FixDetails(rawValue: 1 << 3)
    package static let trigger = FixDetails(rawValue: 1 << 4)
    package static let answer = FixDetails(rawValue: 1 << 5)

    private static let table: [(FixDetails, String)] = [
        (.altitude, "altitude"), (.speed, "speed"), (.course, "course"), (.battery, "battery"), (.trigger, "trigger"),
        (.answer, "answer"),
    ]

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The names of the fields on the wire.
    package var names: [String] { Self.table.filter { self.contains($0.0) }.map(\.1) }
}
