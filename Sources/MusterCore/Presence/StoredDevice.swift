/// What storage knows of a device of a person whom the world may not hold.
package struct StoredDevice: Sendable, Equatable, Codable {
    /// The verdicts of fixes that the gate accepts, if they are accurate: `secondary` is what another device leads, and older
    /// ones are evaluated as well.
    package static let acceptedVerdicts: [FixVerdict] = [.ok, .future, .outOfOrder, .secondary]
    /// How long ago, in milliseconds, a device may have been heard that still leads when a fix comes that is not late.
    package static let leadingAge = Freshness.recentAge + FixGate.lateAge

    /// The device.
    package var device: DeviceID
    /// What it is.
    package var kind: DeviceKind
    /// Where it was when it had moved last; nil when that was never stored.
    package var anchor: DeviceAnchor?
    /// Its newest accepted fix, as far as it is another than the position that is shown; its `at` is set.
    package var accepted: Fix?
    /// The fix that waits for another to confirm it; its `at` is set.
    package var held: Fix?

    /// Creates what storage knows.
    package init(
        device: DeviceID,
        kind: DeviceKind,
        anchor: DeviceAnchor? = nil,
        accepted: Fix? = nil,
        held: Fix? = nil
    ) {
        self.device = device
        self.kind = kind
        self.anchor = anchor
        self.accepted = accepted
        self.held = held
    }
}
