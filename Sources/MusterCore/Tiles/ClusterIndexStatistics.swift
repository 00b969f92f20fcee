/// The current size of a cluster index, and its totals so far.
package struct ClusterIndexStatistics: Hashable, Sendable {
    /// Points.
    package var points = 0
    /// Subscribed tiles.
    package var subscribedTiles = 0
    /// Subscribed tiles that may have changed and were not returned yet.
    package var changedTiles = 0
    /// Blocks of cells in memory, over all zooms.
    package var blocks = 0
    /// The memory in bytes.
    package var bytes = 0
    /// The number of times an evaluated cell became a centre, or ceased to be one.
    package var flips = 0
    /// The number of steps of all work so far: cells gathered, evaluated and assigned.
    ///
    /// Tests limit the work by this number, because it is the same on every machine.
    package var steps = 0

    /// Creates statistics with zeros.
    package init() {}
}
