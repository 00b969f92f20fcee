/// The settings of a group's gatherings, chosen by its owner.
package struct GroupSettings: Sendable, Equatable, Encodable {
    /// The distance in metres within which two members are together, 20…2000.
    package var radius: Double
    /// The time in seconds that a state must last before it counts, 0…3600.
    package var dwell: Int
    /// The largest number of missing members for which alerts are sent, 1…10.
    package var maxAbsent: Int
    /// The time in seconds within which a second alert of one variant to one member is dropped, 0…86400.
    package var cooldown: Int

    /// Creates settings; the defaults are those of the protocol.
    package init(radius: Double = 100, dwell: Int = 180, maxAbsent: Int = 1, cooldown: Int = 1800) {
        self.radius = radius
        self.dwell = dwell
        self.maxAbsent = maxAbsent
        self.cooldown = cooldown
    }
}
