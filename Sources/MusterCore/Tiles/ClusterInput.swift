/// An input of the cluster service.
package enum ClusterInput: Equatable, Sendable {
    // Layers whose points come from storage.
    /// All points of the layer follow, in `loaded` chunks up to `loadEnded`; changes received in between are newer than
    /// they are.
    case loadBegan(TileLayer)
    /// Some of the points in storage.
    case loaded(TileLayer, [TilePoint])
    /// The load is complete; earlier points that were not among the loaded ones are removed.
    case loadEnded(TileLayer)
    /// Points were added or changed.
    case put(TileLayer, [TilePoint])
    /// Points show less than before, which must take effect at once.
    case narrowed(TileLayer, [TilePoint])
    /// Points are removed.
    case removed(TileLayer, [Int64])

    // Layers whose points come from a roster.
    /// The layer is requested; these are its points.
    case opened(TileLayer, [TilePoint])
    /// Changes of points since then.
    case moved(TileLayer, [TileMove])
    /// The layer is no longer kept up to date, or no longer exists.
    case closed(TileLayer)

    // Sessions and requests.
    /// A permitted question.
    case asked(ClusterRequester, TileLayer, ClusterQuestion)
    /// A question that is not permitted.
    case refused(ClusterRequester, ClusterRefusal)
    /// A session may no longer subscribe to the layer.
    case layerUnsubscribed(SessionID, TileLayer)
    /// A session ended.
    case ended(SessionID)
    /// A request waits until all earlier inputs are applied.
    case reached(ClusterRequester)
    /// The encoded form of a tile is no longer cached.
    case released(TileLayer, TileAddress)
}
