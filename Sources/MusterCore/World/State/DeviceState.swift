/// A device that the world holds.
struct DeviceState {
    let user: UserID
    /// Its one session, while it is connected: what `World.sessionOfDevice` says.
    @Packed var session: SessionID?
    /// When it was last heard.
    var lastActivity: Timestamp
    var gate: FixGate
    var ledger: AckLedger
    /// What it is, as it said when it was last taken in.
    var kind: DeviceKind
    /// Whether it is in the world's list of those to ask when the journal has room.
    var isStalled = false
    /// Whether it is in the world's list of those to be told what is durable.
    var isSettling = false
}
