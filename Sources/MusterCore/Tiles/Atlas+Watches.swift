extension Atlas {
    /// Answers a question at once, or enqueues a job that answers it.
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
            if case (.watch, .session(let session, _)) = (question, asker), self.watches[session]?[layer] == nil {
                effects.append(.unwatched(session, layer))
            }
            return
        }
        switch question {
        case .unwatch: break
        case .watch(let cover): self.watch(cover, of: layer, by: asker, into: &effects)
        case .tile(let tile): self.jobs.append(.read(asker, layer, tile))
        case .cluster(let name): self.jobs.append(.cluster(asker, layer, name))
        case .leaves(let name, let after, let limit):
            let cursor = after.flatMap { LeafCursor($0) }
            if after != nil, cursor == nil {
                effects.append(.refused(asker, .badCursor))
            } else {
                self.jobs.append(.leaves(asker, layer, name, after: cursor, limit: limit))
            }
        }
    }

    // MARK: - Subscriptions

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

    /// Ends a session's subscription to a layer.
    mutating func unwatch(_ layer: TileLayer, by session: SessionID, into effects: inout [AtlasEffect]) {
        guard let tiles = self.watches[session]?.removeValue(forKey: layer) else { return }
        if self.watches[session]?.isEmpty == true { self.watches[session] = nil }
        for tile in tiles { self.leave(tile, of: layer, by: session, into: &effects) }
    }

    /// Removes a session, whose subscriptions ended with its connection.
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
}
