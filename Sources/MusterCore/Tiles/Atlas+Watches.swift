extension Atlas {
    /// Answers a question, or has it answered at the end of the turn.
    mutating func answer(
        _ asker: AtlasAsker,
        _ layer: TileLayer,
        _ question: AtlasQuestion,
        into effects: inout [AtlasEffect]
    ) {
        if case .unwatch = question {
            if case .session(let session, _) = asker { self.unwatch(layer, by: session, into: &effects) }
            effects.append(.done(asker))
            return
        }
        guard self.layers[layer]?.isReady == true else {
            let isThere = self.table.kind(layer.kind) != nil
            effects.append(.refused(asker, isThere ? .loading : .unknownLayer))
            return
        }
        switch question {
        case .unwatch: break
        case .watch(let cover): self.watch(cover, of: layer, by: asker, into: &effects)
        case .tile(let tile): self.jobs.append(.read(asker, layer, tile))
        case .cluster(let name):
            let summary = self.layers[layer]?.cluster(name)
            effects.append(summary.map { .cluster(asker, $0) } ?? .refused(asker, .clusterGone))
        case .leaves(let name, let after, let limit):
            effects.append(self.leaves(of: name, in: layer, after: after, limit: limit, for: asker))
        }
    }

    // MARK: - Watches

    private mutating func watch(
        _ cover: TileCover,
        of layer: TileLayer,
        by asker: AtlasAsker,
        into effects: inout [AtlasEffect]
    ) {
        guard case .session(let session, _) = asker else { return }
        let wanted = cover.tiles
        let held = self.watches[session]?[layer] ?? []
        self.lastWatch += 1
        effects.append(.watching(asker, watch: self.lastWatch, tiles: wanted.count))
        for tile in held.subtracting(wanted) { self.leave(tile, of: layer, by: session, into: &effects) }
        self.watches[session, default: [:]][layer] = Set(wanted)
        for tile in wanted where !held.contains(tile) {
            self.layers[layer]?.tiles[tile, default: AtlasTile()].sessions += 1
            self.layers[layer]?.tiles[tile]?.idleSince = nil
            self.jobs.append(.show(session, layer, tile))
        }
    }

    /// Ends what a session is told of a layer.
    mutating func unwatch(_ layer: TileLayer, by session: SessionID, into effects: inout [AtlasEffect]) {
        guard let tiles = self.watches[session]?.removeValue(forKey: layer) else { return }
        if self.watches[session]?.isEmpty == true { self.watches[session] = nil }
        for tile in tiles { self.leave(tile, of: layer, by: session, into: &effects) }
    }

    /// Forgets a session, whose subscriptions ended with its connection.
    mutating func end(_ session: SessionID) {
        for (layer, tiles) in self.watches.removeValue(forKey: session) ?? [:] {
            for tile in tiles { self.leave(tile, of: layer) }
        }
    }

    private mutating func leave(
        _ tile: TileAddress,
        of layer: TileLayer,
        by session: SessionID,
        into effects: inout [AtlasEffect]
    ) {
        effects.append(.unsubscribed(session, layer, tile))
        self.leave(tile, of: layer)
    }

    private mutating func leave(_ tile: TileAddress, of layer: TileLayer) {
        guard let sessions = self.layers[layer]?.tiles[tile]?.sessions else { return }
        self.layers[layer]?.tiles[tile]?.sessions = sessions - 1
        guard sessions == 1 else { return }
        self.layers[layer]?.tiles[tile]?.idleSince = self.now
        self.idle.append((layer, tile, self.now))
    }

    // MARK: - Leaves

    private mutating func leaves(
        of name: String,
        in layer: TileLayer,
        after: String?,
        limit: Int,
        for asker: AtlasAsker
    ) -> AtlasEffect {
        var cursor: LeafCursor?
        if let after {
            cursor = LeafCursor(after)
            guard cursor != nil else { return .refused(asker, .badCursor) }
        }
        guard let page = self.layers[layer]?.leaves(of: name, after: cursor, limit: limit) else {
            return .refused(asker, .clusterGone)
        }
        return .leaves(asker, layer, page.points, next: page.next)
    }
}
