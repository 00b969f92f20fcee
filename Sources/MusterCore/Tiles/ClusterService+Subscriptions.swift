extension ClusterService {
    /// Answers a question at once, or enqueues a job that answers it.
    mutating func answer(_ asker: ClusterRequester, _ layer: TileLayer, _ question: ClusterQuestion) {
        if case .unsubscribe = question {
            if case .session(let session, _) = asker { self.unsubscribe(layer, by: session) }
            self.effects.append(.done(asker))
            return
        }
        guard self.layers[layer]?.isReady == true else {
            let isThere = self.table.kind(layer.kind) != nil
            self.effects.append(.refused(asker, isThere ? .loading : .unknownLayer))
            if case (.subscribe, .session(let session, _)) = (question, asker),
                self.subscriptions[session]?[layer] == nil
            {
                self.effects.append(.layerUnsubscribed(session, layer))
            }
            return
        }
        switch question {
        case .unsubscribe: break
        case .subscribe(let cover): self.subscribe(cover, of: layer, by: asker)
        case .tile(let tile): self.jobs.append(.read(asker, layer, tile))
        case .cluster(let name): self.jobs.append(.cluster(asker, layer, name))
        case .leaves(let name, let after, let limit):
            let cursor = after.flatMap { LeafCursor($0) }
            if after != nil, cursor == nil {
                self.effects.append(.refused(asker, .badCursor))
            } else {
                self.jobs.append(.leaves(asker, layer, name, after: cursor, limit: limit))
            }
        }
    }

    // MARK: - Subscriptions

    private mutating func subscribe(_ cover: TileCover, of layer: TileLayer, by asker: ClusterRequester) {
        guard case .session(let session, _) = asker else { return }
        let wanted = cover.tiles
        let previous = self.subscriptions[session]?[layer] ?? []
        self.lastSubscription += 1
        self.effects.append(.confirmed(asker, subscription: self.lastSubscription, tiles: wanted.count))
        for tile in previous.subtracting(wanted) { self.leave(tile, of: layer, by: session) }
        self.subscriptions[session, default: [:]][layer] = Set(wanted)
        for tile in wanted where !previous.contains(tile) {
            self.layers[layer]?.tiles[tile, default: ClusterTile()].sessions += 1
            self.layers[layer]?.tiles[tile]?.idleSince = nil
            self.jobs.append(.show(session, layer, tile))
        }
    }

    /// Ends a session's subscription to a layer.
    mutating func unsubscribe(_ layer: TileLayer, by session: SessionID) {
        guard let tiles = self.subscriptions[session]?.removeValue(forKey: layer) else { return }
        if self.subscriptions[session]?.isEmpty == true { self.subscriptions[session] = nil }
        for tile in tiles { self.leave(tile, of: layer, by: session) }
    }

    /// Removes a session, whose subscriptions ended with its connection.
    mutating func end(_ session: SessionID) {
        for (layer, tiles) in self.subscriptions.removeValue(forKey: session) ?? [:] {
            for tile in tiles { self.leave(tile, of: layer) }
        }
    }

    private mutating func leave(_ tile: TileAddress, of layer: TileLayer, by session: SessionID) {
        self.effects.append(.unsubscribed(session, layer, tile))
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
