/// Everything that can happen to the atlas.
package enum AtlasInput: Equatable, Sendable, Codable {
    // Layers whose points come from storage.
    /// All points of the layer follow, in `loaded` chunks up to `loadEnded`; what is told meanwhile is newer than they are.
    case loadBegan(TileLayer)
    /// Some of the points that storage holds.
    case loaded(TileLayer, [TilePoint])
    /// These were all; points of before that were not among them are gone.
    case loadEnded(TileLayer)
    /// Points were added or changed.
    case put(TileLayer, [TilePoint])
    /// Points show less than before, so that nobody may wait for it.
    case narrowed(TileLayer, [TilePoint])
    /// Points are gone.
    case removed(TileLayer, [Int64])

    // Layers whose points come from a roster.
    /// Somebody wants to see the layer: these are its points.
    case opened(TileLayer, [TilePoint])
    /// What became of points since.
    case moved(TileLayer, [TileMove])
    /// The layer is not kept up to date any more, or is gone.
    case closed(TileLayer)

    // Those who look.
    /// A question of one who may ask it.
    case asked(AtlasAsker, TileLayer, AtlasQuestion)
    /// A question of one who may not.
    case refused(AtlasAsker, AtlasRefusal)
    /// A session may watch the layer no longer.
    case unwatched(SessionID, TileLayer)
    /// A session ended.
    case ended(SessionID)
    /// Somebody waits until all before this was taken in.
    case reached(AtlasAsker)
    /// Nobody keeps what a tile was encoded as any more.
    case released(TileLayer, TileAddress)
}
