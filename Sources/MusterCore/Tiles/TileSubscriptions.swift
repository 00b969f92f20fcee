/// The tile layer subscriptions of sessions, and the groups that are sent to the cluster service.
struct TileSubscriptions {
    /// The maximum number of layers per session.
    static let layersPerSession = 8

    /// The layers of each subscribed session.
    private var layers: [SessionID: [TileLayer]] = [:]
    /// The groups whose rosters are sent to the cluster service, and the number of subscribed sessions of each.
    private var feeds: [GroupID: Int] = [:]

    /// Whether any group is sent to the cluster service.
    var hasFeeds: Bool { !self.feeds.isEmpty }

    /// Whether a group is sent to the cluster service.
    func feeds(_ group: GroupID) -> Bool { self.feeds[group] != nil }

    /// Whether a group is sent to the cluster service without any subscriber.
    func isIdle(_ group: GroupID) -> Bool { self.feeds[group] == 0 }

    /// Starts to send a group to the cluster service; false when it is sent already.
    mutating func openFeed(of group: GroupID) -> Bool {
        guard self.feeds[group] == nil else { return false }
        self.feeds[group] = 0
        return true
    }

    /// Stops sending a group to the cluster service; false when it was not sent.
    mutating func closeFeed(of group: GroupID) -> Bool { self.feeds.removeValue(forKey: group) != nil }

    /// The layers that a session is subscribed to.
    func layers(of session: SessionID) -> [TileLayer] { self.layers[session] ?? [] }

    /// Adds a subscription of a session to a layer.
    ///
    /// - Parameters:
    ///   - layer: the layer.
    ///   - session: the subscriber.
    ///   - isFed: whether the layer shows its group's roster.
    /// - Returns: false when the session has too many subscriptions.
    mutating func add(_ layer: TileLayer, of session: SessionID, isFed: Bool) -> Bool {
        let known = self.layers(of: session)
        guard !known.contains(layer) else { return true }
        guard known.count < Self.layersPerSession else { return false }
        self.layers[session, default: []].append(layer)
        if isFed, let group = layer.group { self.feeds[group]? += 1 }
        return true
    }

    /// Removes a subscription of a session to a layer.
    ///
    /// - Returns: false when there was none.
    @discardableResult
    mutating func remove(_ layer: TileLayer, of session: SessionID, isFed: Bool) -> Bool {
        guard let place = self.layers[session]?.firstIndex(of: layer) else { return false }
        self.layers[session]?.remove(at: place)
        if self.layers[session]?.isEmpty == true { self.layers[session] = nil }
        if isFed, let group = layer.group { self.feeds[group]? -= 1 }
        return true
    }
}
