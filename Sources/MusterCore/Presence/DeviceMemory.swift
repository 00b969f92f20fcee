/// What is to be kept of a device over a restart, beside its clock: what says whether it leads, and that a fix of it is held.
///
/// It changes when a device has moved by 100 m, and when a fix is held or no more, so it is written then only.
package struct DeviceMemory: Sendable, Equatable, Codable {
    /// Where it was when it had moved last; nil when no accepted fix of it is known.
    package var anchor: DeviceAnchor?
    /// When the fix was taken that waits for another to confirm it, as history has it; nil when none waits.
    @Packed package var heldAt: Timestamp?

    /// Creates a memory.
    package init(anchor: DeviceAnchor? = nil, heldAt: Timestamp? = nil) {
        self.anchor = anchor
        self.heldAt = heldAt
    }
}
