/// The parameters of the world.
///
/// Durations are milliseconds.
package struct WorldConfiguration: Sendable {
    /// The node's number, which is part of every id that the node generates.
    package var node: UInt8 = 0
    /// The start of this process; stored presence holds until `restartGrace` after it.
    package var startedAt: Timestamp
    /// The delay of every downward step of presence.
    var presenceGrace: Int64 = 15_000
    /// The time for which stored presence holds after a restart.
    var restartGrace: Int64 = 30_000
    /// The maximum age of a fix that is stored.
    package var retention: Int64 = 30 * 86_400_000
    /// The maximum number of records that wait for the journal.
    ///
    /// Beyond it, fixes stay unacknowledged until there is space.
    var journalLimit: Int64 = 400_000
    /// The time for which a group without sessions stays loaded.
    package var groupIdle: Int64 = 60_000
    /// The time for which an idle device stays loaded; after that its state comes from storage.
    package var deviceIdle: Int64 = 600_000
    /// Whether `drainReasons` returns the reasons of gathering decisions.
    package var tracesGatherings = false
    /// The maximum number of instants that one call of a group's gathering machine decides.
    package var instantBudget = GatheringMachine.instantBudget
    /// The maximum duration of one call of a group's gathering machine.
    var slowDecision: Int64 = 1_000
    /// Returns the nanoseconds of a clock that measures those calls; nil disables the measurement.
    ///
    /// Only one decision depends on it: a group whose call took longer than `slowDecision` is suspended.
    package var stopwatch: (@Sendable () -> Int64)?
    /// The policy for deadlines that make no progress.
    var progress = DeadlineProgress()
    /// The lifetime of a locate request.
    var locateTimeout: Int64 = 60_000

    /// The available layers of map tiles.
    package var layers = LayerTable.muster
    /// The time for which a group stays on its layer after the last subscriber left.
    var tileIdle: Int64 = 30_000

    /// Creates a configuration with the protocol's default values.
    package init(startedAt: Timestamp) { self.startedAt = startedAt }
}
