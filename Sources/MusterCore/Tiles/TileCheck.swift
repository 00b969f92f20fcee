/// What came of looking at a watched tile that may have changed.
package enum TileCheck: Hashable, Sendable {
    /// It shows something else than before.
    case changed(TileAddress)
    /// It shows what it did.
    case unchanged
    /// There is no tile that may have changed.
    case noneLeft
}
