/// What a group's owner chose about gatherings.
package struct GroupSettings: Sendable, Equatable, Codable {
    /// Metres within which two members count as together, 20…2000.
    package var radius: Double
    /// Seconds that something must last before it counts, 0…3600.
    package var dwell: Int
    /// The most members who may be missing for an alert to be sent, 1…10.
    package var maxAbsent: Int
    /// Seconds for which a second alert of one variant to one member is dropped, 0…86400.
    package var cooldown: Int

    /// Creates settings; the defaults are the protocol's.
    package init(radius: Double = 100, dwell: Int = 180, maxAbsent: Int = 1, cooldown: Int = 1800) {
        self.radius = radius
        self.dwell = dwell
        self.maxAbsent = maxAbsent
        self.cooldown = cooldown
    }
}
