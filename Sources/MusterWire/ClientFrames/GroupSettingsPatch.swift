package import MusterCore

/// A change of group settings.
///
/// A setting that is nil stays unchanged.
package struct GroupSettingsPatch: Equatable, Sendable {
    /// The allowed radius in metres, 20…2000.
    package static let radiusRange = 20.0...2000.0
    /// The allowed dwell time in seconds, 0…3600.
    package static let dwellRange = 0...3600
    /// The allowed number of absent members, 1…10.
    package static let maxAbsentRange = 1...10
    /// The allowed cooldown in seconds, 0…86400.
    package static let cooldownRange = 0...86_400

    package var radius: Double?
    package var dwell: Int?
    package var maxAbsent: Int?
    package var cooldown: Int?

    /// Creates a patch; the default changes nothing.
    package init(radius: Double? = nil, dwell: Int? = nil, maxAbsent: Int? = nil, cooldown: Int? = nil) {
        self.radius = radius
        self.dwell = dwell
        self.maxAbsent = maxAbsent
        self.cooldown = cooldown
    }

    /// Decodes the field `settings`.
    ///
    /// Without it the patch changes nothing.
    package init(reading fields: JSONFields) throws(FrameError) {
        self.init()
        guard let settings = try fields.object("settings") else { return }
        self.radius = try settings.number("radius", in: Self.radiusRange)
        self.dwell = try settings.integer("dwell", in: Self.dwellRange)
        self.maxAbsent = try settings.integer("maxAbsent", in: Self.maxAbsentRange)
        self.cooldown = try settings.integer("cooldown", in: Self.cooldownRange)
    }

    /// Whether the patch changes nothing.
    package var isEmpty: Bool { self == GroupSettingsPatch() }

    /// The name of a setting that is out of range; nil when there is none.
    package var outOfRange: String? {
        func isOutside<Value>(_ value: Value?, _ range: ClosedRange<Value>) -> Bool {
            value.map { !range.contains($0) } ?? false
        }
        if isOutside(self.radius, Self.radiusRange) { return "radius" }
        if isOutside(self.dwell, Self.dwellRange) { return "dwell" }
        if isOutside(self.maxAbsent, Self.maxAbsentRange) { return "maxAbsent" }
        if isOutside(self.cooldown, Self.cooldownRange) { return "cooldown" }
        return nil
    }

    /// Returns `old` with the changed settings.
    package func applied(to old: GroupSettings) -> GroupSettings {
        GroupSettings(
            radius: self.radius ?? old.radius,
            dwell: self.dwell ?? old.dwell,
            maxAbsent: self.maxAbsent ?? old.maxAbsent,
            cooldown: self.cooldown ?? old.cooldown
        )
    }
}
