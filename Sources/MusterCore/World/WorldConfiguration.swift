/// The numbers that the world runs by.
///
/// Durations are milliseconds.
package struct WorldConfiguration: Sendable {
    /// The node's number, in every id that it makes.
    package var node: UInt8 = 0
    /// When this process began to serve: presence is as it was until `restartGrace` after it.
    package var startedAt: Timestamp
    /// How long every step down of presence waits.
    package var presenceGrace: Int64 = 15_000
    /// How long stored presence holds after a restart.
    package var restartGrace: Int64 = 30_000
    /// How old a fix may be to be stored.
    package var retention: Int64 = 30 * 86_400_000
    /// The most records that may wait for the journal; beyond it fixes stay unacknowledged until there is room.
    package var journalLimit: Int64 = 400_000
    /// How long a group without sessions is kept.
    package var groupIdle: Int64 = 60_000
    /// How long a device that says nothing and waits for nothing is kept; later storage says what it was.
    package var deviceIdle: Int64 = 600_000
    /// Whether `drainReasons` tells why gatherings were decided as they were.
    package var tracesGatherings = false
    /// The most instants that one call of a group's gathering machine decides about.
    package var instantBudget = GatheringMachine.instantBudget
    /// How long one call of a group's gathering machine may take.
    package var slowDecision: Int64 = 1_000
    /// Returns the nanoseconds of a clock that measures those calls; nil when nobody measures.
    ///
    /// No decision depends on it but one: a group whose call took longer than `slowDecision` is set aside.
    package var stopwatch: (@Sendable () -> Int64)?
    /// What becomes of deadlines that do not pass.
    package var progress = DeadlineProgress()
    /// How long a request to know where someone is waits.
    package var locateTimeout: Int64 = 60_000

    /// The layers of map tiles that there are.
    package var layers = LayerTable.muster
    /// How long a group is shown on its layer after the last who looked.
    package var tileIdle: Int64 = 30_000

    /// Creates a configuration with the protocol's numbers.
    package init(startedAt: Timestamp) { self.startedAt = startedAt }
}
