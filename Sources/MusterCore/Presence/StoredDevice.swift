/// The stored state of a device whose user may not be loaded.
package struct StoredDevice: Sendable, Equatable {
    /// The verdicts of accepted fixes, provided that they are accurate.
    ///
    /// `secondary` fixes and older ones are evaluated as well.
    package static let acceptedVerdicts: [FixVerdict] = [.ok, .future, .outOfOrder, .secondary]
    /// The maximum time in milliseconds since the last contact of a device that can still lead when a fix arrives that
    /// is not late.
    package static let leadingAge = Freshness.recentAge + FixGate.lateAge

    /// The device.
    package var device: DeviceID
    /// The kind of the device.
    package var kind: DeviceKind
    /// The position of its last movement; nil when none was stored.
    package var anchor: DeviceAnchor?
    /// Its newest accepted fix, unless it is the shown position; its `at` is set.
    package var accepted: Fix?
    /// The fix that waits for confirmation; its `at` is set.
    package var pendingFix: Fix?

    /// Creates the stored state.
    package init(
        device: DeviceID,
        kind: DeviceKind,
        anchor: DeviceAnchor? = nil,
        accepted: Fix? = nil,
        pendingFix: Fix? = nil
    ) {
        self.device = device
        self.kind = kind
        self.anchor = anchor
        self.accepted = accepted
        self.pendingFix = pendingFix
    }
}
