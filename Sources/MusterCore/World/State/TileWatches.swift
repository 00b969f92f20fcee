/// Which layers of tiles sessions watch, and which groups the atlas is told of.
struct TileWatches {
    /// The most layers that a session watches.
    static let layersPerSession = 8

    /// The layers of each session that watches any.
    private var layers: [SessionID: [TileLayer]] = [:]
    /// The groups whose rosters the atlas is told of, and how many sessions watch each.
    private var feeds: [GroupID: Int] = [:]

    /// Whether the atlas is told of any group.
    var hasFeeds: Bool { !self.feeds.isEmpty }

    /// Whether the atlas is told of a group.
    func feeds(_ group: GroupID) -> Bool { self.feeds[group] != nil }

    /// Whether nobody watches a group that the atlas is told of.
    func isIdle(_ group: GroupID) -> Bool { self.feeds[group] == 0 }

    /// Begins to tell the atlas of a group; false when it is told already.
    mutating func openFeed(of group: GroupID) -> Bool {
        guard self.feeds[group] == nil else { return false }
        self.feeds[group] = 0
        return true
    }

    /// Ends that; false when the atlas was not told of it.
    mutating func closeFeed(of group: GroupID) -> Bool { self.feeds.removeValue(forKey: group) != nil }

    /// The layers that a session watches.
    func layers(of session: SessionID) -> [TileLayer] { self.layers[session] ?? [] }

    /// Notes that a session watches a layer.
    ///
    /// - Parameters:
    ///   - layer: the layer.
    ///   - session: who watches.
    ///   - isFed: whether the layer shows its group's roster.
    /// - Returns: false when it watches too many others.
    mutating func add(_ layer: TileLayer, of session: SessionID, isFed: Bool) -> Bool {
        let known = self.layers(of: session)
        guard !known.contains(layer) else { return true }
        guard known.count < Self.layersPerSession else { return false }
        self.layers[session, default: []].append(layer)
        if isFed, let group = layer.group { self.feeds[group]? += 1 }
        return true
    }

    /// Notes that a session watches a layer no longer.
    ///
    /// - Returns: false when it did not.
    @discardableResult
    mutating func remove(_ layer: TileLayer, of session: SessionID, isFed: Bool) -> Bool {
        guard let place = self.layers[session]?.firstIndex(of: layer) else { return false }
        self.layers[session]?.remove(at: place)
        if self.layers[session]?.isEmpty == true { self.layers[session] = nil }
        if isFed, let group = layer.group { self.feeds[group]? -= 1 }
        return true
    }
}
