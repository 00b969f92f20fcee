/// The sender of a question to a layer.
package enum ClusterRequester: Hashable, Sendable {
    /// A session, with the optional tag of its request.
    case session(SessionID, RequestTag?)
    /// A pending HTTP request.
    case request(Int64)
}

/// A question to a layer.
package enum ClusterQuestion: Equatable, Sendable {
    /// A subscription to these tiles, which replaces the session's previous one to the layer.
    case subscribe(TileCover)
    /// The end of the subscription to the layer.
    case unsubscribe
    /// The content of a tile.
    case tile(TileAddress)
    /// The summary of a cluster, by its name.
    case cluster(String)
    /// The points of a cluster, by its name, after the cursor of an earlier page.
    case leaves(String, after: String?, limit: Int)
}

/// A question with the data needed to check permission.
package struct ClusterRequest: Equatable, Sendable {
    package var asker: ClusterRequester
    package var user: UserID
    package var layer: TileLayer
    package var question: ClusterQuestion

    /// Creates a request.
    package init(asker: ClusterRequester, user: UserID, layer: TileLayer, question: ClusterQuestion) {
        self.asker = asker
        self.user = user
        self.layer = layer
        self.question = question
    }
}

/// The reason why a question was refused.
package enum ClusterRefusal: Equatable, Sendable {
    /// The layer does not exist.
    case unknownLayer
    /// The layer belongs to a group, and the user is not a member.
    case notMember
    /// The session is subscribed to eight other layers.
    case tooManyLayers
    /// The layer is being loaded, or cannot be loaded now.
    case loading
    /// The cluster does not exist, or no longer does.
    case clusterGone
    /// The cursor does not come from a page of leaves.
    case badCursor
}
