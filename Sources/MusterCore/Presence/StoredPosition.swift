/// A position as the `position` table holds it.
package struct StoredPosition: Sendable, Equatable, Codable {
    /// The device that took it.
    package var device: DeviceID
    /// The fix; its `at` is set.
    package var fix: Fix
    /// Whether the person stayed where they were (`StationaryDetector`), which keeps a position usable for longer.
    package var isStationary: Bool
    /// Whether the device's clock is known by now, so that `fix.at` is when it was taken.
    package var isClockKnown: Bool

    /// Creates a stored position.
    package init(device: DeviceID, fix: Fix, isStationary: Bool, isClockKnown: Bool = true) {
        self.device = device
        self.fix = fix
        self.isStationary = isStationary
        self.isClockKnown = isClockKnown
    }
}
