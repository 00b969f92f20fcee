import MusterCore

/// New values for some of a group's settings; what is nil stays as it is.
package struct GroupSettingsChange: Sendable, Equatable {
    package var radius: Double?
    package var dwell: Int?
    package var maxAbsent: Int?
    package var cooldown: Int?

    /// Creates a change.
    package init(radius: Double? = nil, dwell: Int? = nil, maxAbsent: Int? = nil, cooldown: Int? = nil) {
        self.radius = radius
        self.dwell = dwell
        self.maxAbsent = maxAbsent
        self.cooldown = cooldown
    }

    /// The settings after the change.
    ///
    /// - Throws: `badRequest` with the path of the first field that is out of range.
    func applied(to settings: GroupSettings) throws(DirectoryError) -> GroupSettings {
        let changed = GroupSettings(
            radius: self.radius ?? settings.radius,
            dwell: self.dwell ?? settings.dwell,
            maxAbsent: self.maxAbsent ?? settings.maxAbsent,
            cooldown: self.cooldown ?? settings.cooldown
        )
        try require((20...2000).contains(changed.radius), "settings.radius", "must be 20 to 2000 metres")
        try require((0...3600).contains(changed.dwell), "settings.dwell", "must be 0 to 3600 seconds")
        try require((1...10).contains(changed.maxAbsent), "settings.maxAbsent", "must be 1 to 10")
        try require((0...86_400).contains(changed.cooldown), "settings.cooldown", "must be 0 to 86400 seconds")
        return changed
    }
}
