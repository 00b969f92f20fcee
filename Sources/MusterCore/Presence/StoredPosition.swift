/// A position as stored in the `position` table.
package struct StoredPosition: Sendable, Equatable {
    /// The device that took it.
    package var device: DeviceID
    /// The fix; its `at` is set.
    package var fix: Fix
    /// Whether the user stayed in place (`StationaryDetector`), which extends the time for which the position is
    /// usable.
    package var isStationary: Bool
    /// Whether the device's clock was known, so that `fix.at` is reliable.
    package var isClockKnown: Bool

    /// Creates a stored position.
    package init(device: DeviceID, fix: Fix, isStationary: Bool, isClockKnown: Bool = true) {
        self.device = device
        self.fix = fix
        self.isStationary = isStationary
        self.isClockKnown = isClockKnown
    }
}
