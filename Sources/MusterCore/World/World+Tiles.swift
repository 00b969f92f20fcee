// The world knows who may look at what, and where people let their groups see them. So each question about a layer comes this
// way, and the atlas is told of it behind all that the world has said before: whoever asks after a pause is shown the pause.

extension World {
    /// Passes a question on to the atlas, if it may be asked.
    ///
    /// - Parameters:
    ///   - request: the question, and whose it is.
    ///   - effects: what must follow.
    ///   - isLoaded: whether the group was just read for it.
    mutating func pass(_ request: AtlasRequest, into effects: inout [WorldEffect], isLoaded: Bool = false) {
        if case .session(let id, _) = request.asker {
            guard self.sessions.value(of: id)?.isOpen == true else { return }
        }
        guard let kind = self.configuration.layers.kind(request.layer.kind) else {
            effects.append(.atlas(.refused(request.asker, .unknownLayer)))
            return
        }
        // Whoever has left a layer's group may say that they watch no longer, and betrays nothing by it.
        if case .unwatch = request.question {
            _ = self.note(request, isFed: kind.source == .roster)
            effects.append(.atlas(.asked(request.asker, request.layer, request.question)))
            return
        }
        switch kind.audience {
        case .anybody, .people: break
        case .members:
            guard let group = request.layer.group else {
                effects.append(.atlas(.refused(request.asker, .unknownLayer)))
                return
            }
            // The groups of those who have sessions are held.
            if case .request = request.asker, !isLoaded, !self.groups.contains(group) {
                self.requestLoad(of: group, into: &effects)
                self.loads[group]?.questions.append(request)
                return
            }
            guard self.groups.slot(of: group).map({ self.groups[$0].index(of: request.user) != nil }) == true else {
                effects.append(.atlas(.refused(request.asker, .notMember)))
                return
            }
            switch kind.source {
            case .storage: break
            case .roster: self.feed(group, request.layer, into: &effects)
            case .events: self.openEvents(of: group, request.layer, into: &effects)
            }
        }
        guard self.note(request, isFed: kind.source == .roster) else {
            effects.append(.atlas(.refused(request.asker, .tooManyLayers)))
            return
        }
        effects.append(.atlas(.asked(request.asker, request.layer, request.question)))
    }

    /// Notes what a session watches from now on; false when that is too much.
    private mutating func note(_ request: AtlasRequest, isFed: Bool) -> Bool {
        defer { if isFed, let group = request.layer.group { self.scheduleFeedEnd(of: group) } }
        guard case .session(let session, _) = request.asker else { return true }
        switch request.question {
        case .watch:
            return self.tileWatches.add(request.layer, of: session, isFed: isFed)
        case .unwatch:
            self.tileWatches.remove(request.layer, of: session, isFed: isFed)
            return true
        case .tile, .cluster, .leaves:
            return true
        }
    }

    /// Notes that a session's watch has not come about, so that it may watch another layer.
    mutating func noteUnwatched(_ layer: TileLayer, by session: SessionID) {
        self.tileWatches.remove(layer, of: session, isFed: self.isFed(layer))
        if let group = layer.group { self.scheduleFeedEnd(of: group) }
    }

    // MARK: - Rosters

    /// Begins to tell the atlas where the members of a group are.
    private mutating func feed(_ group: GroupID, _ layer: TileLayer, into effects: inout [WorldEffect]) {
        guard let slot = self.groups.slot(of: group), self.tileWatches.openFeed(of: group) else { return }
        let points = self.groups[slot].members.compactMap { $0.published.flatMap(Self.point) }
        effects.append(.atlas(.opened(layer, points)))
    }

    /// Tells the atlas what became of members whose roster changed, when it is told of the group.
    func showOnTiles(_ change: RosterChange, of slot: Int, into effects: inout [WorldEffect]) {
        guard self.tileWatches.hasFeeds, self.tileWatches.feeds(change.group) else { return }
        var moves = change.gone.map { TileMove(id: $0.rawValue, point: nil, isNarrower: true) }
        for entry in change.members {
            guard let index = self.groups[slot].index(of: entry.user),
                let shown = self.groups[slot].members[index].published
            else { continue }
            // Whoever shares less than they might may have just begun to.
            let isNarrower = entry.profile.map { $0.sharing != .live } ?? false
            let point = Self.point(shown)
            // Nothing of where they are has changed, and nothing is shown.
            if entry.position == nil, point == nil { continue }
            moves.append(TileMove(id: entry.user.rawValue, point: point, isNarrower: isNarrower || point == nil))
        }
        if !moves.isEmpty { effects.append(.atlas(.moved(.group(change.group), moves))) }
    }

    /// A member as the roster shows them; nil when it does not show where they are.
    private static func point(_ entry: RosterEntry) -> TilePoint? {
        guard let coordinate = entry.position?.coordinate else { return nil }
        return TilePoint(
            id: entry.user.rawValue,
            coordinate: coordinate,
            values: PointValues([entry.profile?.name])
        )
    }

    // MARK: - Ends

    /// Ends what sessions watch of a group that their person is not in any more.
    mutating func endTileWatches(of group: GroupID, by sessions: [SessionID], into effects: inout [WorldEffect]) {
        for session in sessions {
            for layer in self.tileWatches.layers(of: session) where layer.group == group {
                self.tileWatches.remove(layer, of: session, isFed: self.isFed(layer))
                effects.append(.atlas(.unwatched(session, layer)))
            }
        }
        self.scheduleFeedEnd(of: group)
    }

    /// Ends all that a session watches.
    mutating func endTileWatches(by session: SessionID, into effects: inout [WorldEffect]) {
        let layers = self.tileWatches.layers(of: session)
        guard !layers.isEmpty else { return }
        for layer in layers {
            self.tileWatches.remove(layer, of: session, isFed: self.isFed(layer))
            if let group = layer.group { self.scheduleFeedEnd(of: group) }
        }
        effects.append(.atlas(.ended(session)))
    }

    /// Ends telling the atlas of a group that nobody has looked at for a while.
    mutating func endIdleFeed(of group: GroupID, into effects: inout [WorldEffect]) {
        if self.tileWatches.isIdle(group) { self.endFeed(of: group, into: &effects) }
    }

    /// Ends telling the atlas of a group.
    mutating func endFeed(of group: GroupID, into effects: inout [WorldEffect]) {
        self.deadlines.cancel(.tileFeed(group))
        if self.tileWatches.closeFeed(of: group) { effects.append(.atlas(.closed(.group(group)))) }
    }

    private mutating func scheduleFeedEnd(of group: GroupID) {
        guard self.tileWatches.isIdle(group) else { return }
        self.deadlines.cancel(.tileFeed(group))
        self.deadlines.schedule(.tileFeed(group), at: self.now + self.configuration.tileIdle)
    }

    private func isFed(_ layer: TileLayer) -> Bool {
        self.configuration.layers.kind(layer.kind)?.source == .roster
    }
}
