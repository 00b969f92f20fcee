/// The state of a device that must survive a restart, in addition to its clock offset: its anchor and its pending fix.
///
/// It changes when the device has moved by 100 m, and when a fix becomes or ceases to be pending. It is written only
/// then.
package struct DeviceMemory: Sendable, Equatable {
    /// The position of its last movement; nil when no accepted fix of it is known.
    package var anchor: DeviceAnchor?
    /// The time of the fix that waits for confirmation, as in the history; nil when none waits.
    @Packed package var pendingAt: Timestamp?

    /// Creates the state.
    init(anchor: DeviceAnchor? = nil, pendingAt: Timestamp? = nil) {
        self.anchor = anchor
        self.pendingAt = pendingAt
    }
}
