/// A loaded device.
struct DeviceState {
    let user: UserID
    /// The session, while the device is connected; equal to its entry in `World.sessionOfDevice`.
    @Packed var session: SessionID?
    /// The time of the last contact.
    var lastActivity: Timestamp
    var gate: FixGate
    var tracker: AckTracker
    /// The kind that the device last announced.
    var kind: DeviceKind
    /// Whether the device is in the list of those to ask for a resend when the journal has space.
    var isStalled = false
    /// Whether the device is in the list of those to acknowledge.
    var isAcknowledging = false
}
