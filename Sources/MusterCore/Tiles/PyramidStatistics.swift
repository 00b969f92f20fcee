/// What a pyramid holds and has done so far.
package struct PyramidStatistics: Hashable, Sendable {
    /// Points in it.
    package var points = 0
    /// Tiles that are watched.
    package var watchedTiles = 0
    /// Watched tiles that may have changed and were not taken yet.
    package var changedTiles = 0
    /// Blocks of cells that are kept, over all zooms.
    package var blocks = 0
    /// Memory of all of it, in bytes.
    package var bytes = 0
    /// How often a cell that had been decided became the other: a centre, or none any more.
    package var flips = 0
    /// How many steps all the work so far took: cells gathered, judged and assigned.
    ///
    /// Tests bound work by it, for it is the same on every machine.
    package var steps = 0

    /// Nothing yet.
    package init() {}
}
