// The world knows the permissions for each layer and the positions that users share. So each query for a layer passes
// through the world and reaches the cluster service after all earlier effects. A query after a pause of sharing
// therefore sees the pause.

extension World {
    /// Forwards a query to the cluster service, if it is authorised.
    ///
    /// - Parameters:
    ///   - request: the query and its origin.
    ///   - isLoaded: whether the group was just loaded for this request.
    mutating func pass(_ request: ClusterRequest, isLoaded: Bool = false) {
        if case .session(let id, _) = request.asker {
            guard self.sessions.value(of: id)?.isOpen == true else { return }
        }
        guard let kind = self.configuration.layers.kind(request.layer.kind) else {
            self.effects.append(.clusters(.refused(request.asker, .unknownLayer)))
            return
        }
        // A user who has left a layer's group may still unsubscribe; this reveals nothing.
        if case .unsubscribe = request.question {
            _ = self.note(request, isFed: kind.source == .roster)
            self.effects.append(.clusters(.asked(request.asker, request.layer, request.question)))
            return
        }
        switch kind.audience {
        case .anybody, .people: break
        case .members:
            guard let group = request.layer.group else {
                self.effects.append(.clusters(.refused(request.asker, .unknownLayer)))
                return
            }
            // The groups of users with sessions are always loaded.
            if case .request = request.asker, !isLoaded, !self.groups.contains(group) {
                self.requestLoad(of: group)
                self.loads[group]?.questions.append(request)
                return
            }
            guard self.groups.slot(of: group).map({ self.groups[$0].index(of: request.user) != nil }) == true else {
                self.effects.append(.clusters(.refused(request.asker, .notMember)))
                return
            }
            switch kind.source {
            case .storage: break
            case .roster: self.feed(group, request.layer)
            case .events: self.openEvents(of: group, request.layer)
            }
        }
        guard self.note(request, isFed: kind.source == .roster) else {
            self.effects.append(.clusters(.refused(request.asker, .tooManyLayers)))
            return
        }
        self.effects.append(.clusters(.asked(request.asker, request.layer, request.question)))
    }

    /// Records a session's subscription or unsubscription; false when it has too many subscriptions.
    private mutating func note(_ request: ClusterRequest, isFed: Bool) -> Bool {
        defer { if isFed, let group = request.layer.group { self.scheduleFeedEnd(of: group) } }
        guard case .session(let session, _) = request.asker else { return true }
        switch request.question {
        case .subscribe:
            return self.tileSubscriptions.add(request.layer, of: session, isFed: isFed)
        case .unsubscribe:
            self.tileSubscriptions.remove(request.layer, of: session, isFed: isFed)
            return true
        case .tile, .cluster, .leaves:
            return true
        }
    }

    /// Removes a subscription that the cluster service rejected, so that the session may use another layer.
    mutating func noteUnsubscribed(_ layer: TileLayer, by session: SessionID) {
        self.tileSubscriptions.remove(layer, of: session, isFed: self.isFed(layer))
        if let group = layer.group { self.scheduleFeedEnd(of: group) }
    }

    // MARK: - Rosters

    /// Starts to send the positions of a group's members to the cluster service.
    private mutating func feed(_ group: GroupID, _ layer: TileLayer) {
        guard let slot = self.groups.slot(of: group), self.tileSubscriptions.openFeed(of: group) else { return }
        let points = self.groups[slot].members.compactMap { $0.published.flatMap(Self.point) }
        self.effects.append(.clusters(.opened(layer, points)))
    }

    /// Sends changed members to the cluster service, if it has the group's layer.
    mutating func showOnTiles(_ change: RosterChange, of slot: Int) {
        guard self.tileSubscriptions.hasFeeds, self.tileSubscriptions.feeds(change.group) else { return }
        var moves = change.gone.map { TileMove(id: $0.rawValue, point: nil, isNarrower: true) }
        for entry in change.members {
            guard let index = self.groups[slot].index(of: entry.user),
                let shown = self.groups[slot].members[index].published
            else { continue }
            // A member who shares less than `live` may have just reduced their sharing.
            let isNarrower = entry.profile.map { $0.sharing != .live } ?? false
            let point = Self.point(shown)
            // The position has not changed, and none is shown.
            if entry.position == nil, point == nil { continue }
            moves.append(TileMove(id: entry.user.rawValue, point: point, isNarrower: isNarrower || point == nil))
        }
        if !moves.isEmpty { self.effects.append(.clusters(.moved(.group(change.group), moves))) }
    }

    /// A member as shown by the roster; nil when the roster shows no position.
    private static func point(_ entry: RosterEntry) -> TilePoint? {
        guard let coordinate = entry.position?.coordinate else { return nil }
        return TilePoint(
            id: entry.user.rawValue,
            coordinate: coordinate,
            values: PointValues([entry.profile?.name])
        )
    }

    // MARK: - Ends

    /// Ends the subscriptions of sessions to layers of a group that their user has left.
    mutating func endTileSubscriptions(of group: GroupID, by sessions: [SessionID]) {
        for session in sessions {
            for layer in self.tileSubscriptions.layers(of: session) where layer.group == group {
                self.tileSubscriptions.remove(layer, of: session, isFed: self.isFed(layer))
                self.effects.append(.clusters(.layerUnsubscribed(session, layer)))
            }
        }
        self.scheduleFeedEnd(of: group)
    }

    /// Ends all tile subscriptions of a session.
    mutating func endTileSubscriptions(by session: SessionID) {
        let layers = self.tileSubscriptions.layers(of: session)
        guard !layers.isEmpty else { return }
        for layer in layers {
            self.tileSubscriptions.remove(layer, of: session, isFed: self.isFed(layer))
            if let group = layer.group { self.scheduleFeedEnd(of: group) }
        }
        self.effects.append(.clusters(.ended(session)))
    }

    /// Stops sending a group to the cluster service when it has had no subscriber for a while.
    mutating func endIdleFeed(of group: GroupID) {
        if self.tileSubscriptions.isIdle(group) { self.endFeed(of: group) }
    }

    /// Stops sending a group to the cluster service.
    mutating func endFeed(of group: GroupID) {
        self.deadlines.cancel(.tileFeed(group))
        if self.tileSubscriptions.closeFeed(of: group) { self.effects.append(.clusters(.closed(.group(group)))) }
    }

    private mutating func scheduleFeedEnd(of group: GroupID) {
        guard self.tileSubscriptions.isIdle(group) else { return }
        self.deadlines.cancel(.tileFeed(group))
        self.deadlines.schedule(.tileFeed(group), at: self.now + self.configuration.tileIdle)
    }

    private func isFed(_ layer: TileLayer) -> Bool {
        self.configuration.layers.kind(layer.kind)?.source == .roster
    }
}
