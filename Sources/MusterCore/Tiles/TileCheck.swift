/// The result of checking a subscribed tile that may have changed.
enum TileCheck: Hashable, Sendable {
    /// The tile shows other features than before.
    case changed(TileAddress)
    /// The tile shows the same features.
    case unchanged
    /// No tile is left to check.
    case noneLeft
}
