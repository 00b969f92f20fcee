/// Who asks something of a layer, and is answered.
package enum AtlasAsker: Hashable, Sendable, Codable {
    /// A session, by a request that may be marked.
    case session(SessionID, RequestTag?)
    /// An HTTP request that waits.
    case request(Int64)
}

/// What can be asked of a layer.
package enum AtlasQuestion: Equatable, Sendable, Codable {
    /// To be told of these tiles from now on, in place of those of the layer before.
    case watch(TileCover)
    /// To be told of none of the layer any more.
    case unwatch
    /// A tile as it is.
    case tile(TileAddress)
    /// What a cluster holds, by its name.
    case cluster(String)
    /// The points of a cluster, by its name; behind a cursor as an earlier page named it.
    case leaves(String, after: String?, limit: Int)
}

/// A question with all that is needed to say whether it may be asked.
package struct AtlasRequest: Equatable, Sendable, Codable {
    package var asker: AtlasAsker
    package var user: UserID
    package var layer: TileLayer
    package var question: AtlasQuestion

    /// Creates a request.
    package init(asker: AtlasAsker, user: UserID, layer: TileLayer, question: AtlasQuestion) {
        self.asker = asker
        self.user = user
        self.layer = layer
        self.question = question
    }
}

/// Why a question was not answered.
package enum AtlasRefusal: Equatable, Sendable, Codable {
    /// There is no such layer.
    case unknownLayer
    /// The layer is that of a group in which the one who asks is not.
    case notMember
    /// The session watches eight other layers.
    case tooManyLayers
    /// The layer is being loaded, or cannot be now.
    case loading
    /// There is no such cluster, or none any more.
    case clusterGone
    /// The cursor was not read from a page of leaves.
    case badCursor
}
