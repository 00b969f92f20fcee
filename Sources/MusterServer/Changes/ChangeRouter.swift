import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization

// A change reaches this process by one of two ways: a request commits it and reports it here, or the change feed names
// the row and the row is read again. The revision of a row decides which of two states is newer, so the order of the two
// does not matter. A request that does not learn whether its change was committed needs no care of its own, because the
// commit itself announces the row.

/// Sends every committed change to all parts of the live state that it concerns: the world, the maps, the chat service.
final class ChangeRouter: Sendable {
    /// The rows of a kind.
    private struct Rows {
        var tracker = RevisionTracker()
        /// Whether all rows have been read once.
        var isLoaded = false
    }

    /// The path by which rows arrive.
    private enum Path {
        case request
        case feed
        case comparison
    }

    /// The number of checks, and the pause between them, while a client waits for the first load: three seconds in
    /// total.
    private static let (looks, pause) = (60, Duration.milliseconds(50))

    private let rows = Mutex<[RowKind: Rows]>([:])
    private let node: ServerNode
    private let world: any WorldLink
    private let atlas: any AtlasLink
    private let reads: PendingTileReads
    private let chat: ChatDesk

    /// Creates a router without rows.
    ///
    /// Maps wait until all rows of a kind are loaded.
    init(
        _ node: ServerNode,
        world: any WorldLink,
        atlas: any AtlasLink,
        reads: PendingTileReads,
        chat: ChatDesk
    ) {
        self.node = node
        self.world = world
        self.atlas = atlas
        self.reads = reads
        self.chat = chat
        for kind in RowKind.allCases { atlas.send(.loadBegan(kind.layer)) }
    }

    /// The number of rows of a kind; nil until they have been read.
    func count(of kind: RowKind) -> Int? {
        self.rows.withLock { $0[kind].flatMap { $0.isLoaded ? $0.tracker.count : nil } }
    }

    /// Waits until all rows of a kind have been read once.
    ///
    /// A client that connects right after the start waits for a moment.
    ///
    /// - Throws: `unavailable`.
    func requireLoaded(_ kind: RowKind) async throws(FrameError) {
        for _ in 0..<Self.looks {
            if self.count(of: kind) != nil { return }
            try? await Task.sleep(for: Self.pause)
        }
        throw FrameError(.unavailable, message: "\(kind.title) are being loaded.", retryAfter: 500)
    }

    // MARK: - Requests

    /// Sends changes to the live state, and inputs to the world after them.
    ///
    /// An answer about a group becomes a part of the group's change, so that the session does not receive the change
    /// twice.
    func apply(_ changes: [Change], then inputs: [WorldInput] = []) async {
        var batch: [WorldInput] = []
        var rooms: [RoomID] = []
        for change in changes {
            switch change {
            case .row(let row): self.put(row)
            case .deleted(let kind, let id): self.remove(id, of: kind)
            case .group(let group): batch.append(.groupChanged(group, answer: nil))
            case .rooms(let changed): rooms += changed
            case .votes(let spot): batch.append(.spots(.voted(spot, by: nil)))
            case .loginEnded(let login): batch.append(.loginEnded(login))
            case .accountDeleted(let user): batch.append(.accountDeleted(user))
            case .blocked(let user, let other, let isBlocked):
                batch.append(.chat(.blocked(user, other: other, isBlocked)))
            case .published(let publication): batch.append(.publicationRequested(publication))
            }
        }
        if !rooms.isEmpty {
            // What the other changes hide does not wait for the rooms.
            self.world.send(contentsOf: &batch)
            await self.chat.noteChanged(rooms, in: self.node.storage?.directory)
        }
        if case .groupChanged(let group, nil)? = batch.last, case .answerRequested(let answer)? = inputs.first {
            batch[batch.count - 1] = .groupChanged(group, answer: answer)
            batch += inputs.dropFirst()
        } else {
            batch += inputs
        }
        if !batch.isEmpty { self.world.send(contentsOf: &batch) }
    }

    private func put(_ row: ChangedRow) {
        self.rows.withLock { rows in
            if rows[row.kind, default: Rows()].tracker.put(row.id, revision: row.revision) {
                self.show([row], of: row.kind, by: .request, isLoaded: true)
            }
        }
    }

    private func remove(_ id: Int64, of kind: RowKind) {
        self.rows.withLock { rows in
            rows[kind, default: Rows()].tracker.remove(id)
            self.hide([id], of: kind)
        }
    }

    // MARK: - The live state

    /// Shows new rows or states; called under the lock, which keeps the order of changes of a row.
    private func show(_ rows: [ChangedRow], of kind: RowKind, by path: Path, isLoaded: Bool) {
        guard !rows.isEmpty else { return }
        var points: [TilePoint] = []
        var events: [EventNews] = []
        var places: [NamedPlace] = []
        for row in rows {
            switch row {
            case .pin(let pin): points.append(TilePoint(pin))
            case .event(let event): events.append(EventNews(event, at: self.node.now))
            case .spot(let spot):
                points.append(spot.point)
                places.append(spot.place)
            }
        }
        if !events.isEmpty { self.world.send(.events(.changed(events))) }
        // The first load of spots is not necessary here: the world has read their names before sessions are admitted.
        if !places.isEmpty, isLoaded { self.world.send(.spots(.added(places))) }
        guard !points.isEmpty else { return }
        if !isLoaded {
            self.atlas.send(.loaded(kind.layer, points))
        } else if path != .request, kind == .spot {
            // A spot changes only when a part of it is removed, which must not wait.
            self.atlas.send(.narrowed(kind.layer, points))
        } else {
            self.atlas.send(.put(kind.layer, points))
        }
    }

    /// Hides deleted rows, also unknown ones; called under the lock.
    private func hide(_ ids: [Int64], of kind: RowKind) {
        guard !ids.isEmpty else { return }
        switch kind {
        case .pin: break
        // The world may hold the rooms of events that had ended before this process knew them.
        case .event: self.world.send(.events(.removed(ids.map { EventID($0) })))
        case .spot: self.world.send(.spots(.deleted(ids.map { SpotID($0) })))
        }
        if kind != .event { self.atlas.send(.removed(kind.layer, ids)) }
    }
}

// MARK: - The change feed

extension ChangeRouter {
    /// The entries of rows in the table of change kinds.
    var changeKinds: [ChangeKind] { RowKind.allCases.map(self.changeKind) }

    private func changeKind(of kind: RowKind) -> ChangeKind {
        ChangeKind(
            kind.rawValue,
            isKnown: { id, revision in
                self.rows.withLock { $0[kind]?.tracker.isKnown(id, revision: revision) ?? false }
            },
            readAgain: { (ids, directory) async throws(DirectoryError) in
                try await self.read(ids, of: kind, from: directory)
            },
            compare: { (last, directory) async throws(DirectoryError) in
                try await self.compare(kind, after: last, with: directory)
            }
        )
    }

    private func read(_ ids: [Int64], of kind: RowKind, from directory: Directory) async throws(DirectoryError) {
        self.rows.withLock { $0[kind, default: Rows()].tracker.beginReading(of: ids) }
        let found = try await directory.rows(kind, ids)
        self.rows.withLock { rows in
            let news = found.filter { rows[kind, default: Rows()].tracker.read($0.id, revision: $0.revision) }
            self.show(news, of: kind, by: .feed, isLoaded: true)
            self.hide(rows[kind]?.tracker.endReading() ?? [], of: kind)
            for row in found where !self.isHeld(row) { rows[kind]?.tracker.forget(row.id) }
        }
    }

    /// Compares a page of rows with storage.
    ///
    /// - Returns: the last row of the page; nil at the end.
    private func compare(
        _ kind: RowKind,
        after last: Int64?,
        with directory: Directory
    ) async throws(DirectoryError) -> Int64? {
        if last == nil { self.rows.withLock { $0[kind, default: Rows()].tracker.beginComparison() } }
        let page = try await directory.rows(kind, after: last)
        let unseen = self.rows.withLock { rows -> [Int64] in
            let isLoaded = rows[kind]?.isLoaded ?? false
            let news = page.filter { rows[kind]?.tracker.compare($0.id, revision: $0.revision) ?? false }
            self.show(news, of: kind, by: .comparison, isLoaded: isLoaded)
            return page.isEmpty ? rows[kind]?.tracker.endComparison() ?? [] : []
        }
        if let last = page.last?.id {
            // The next page is read after the maps have taken this one.
            _ = try? await self.reads.answer { self.atlas.send(.reached($0)) }
            return last
        }
        if !unseen.isEmpty { try await self.read(unseen, of: kind, from: directory) }
        self.noteLoaded(kind)
        return nil
    }

    private func noteLoaded(_ kind: RowKind) {
        self.rows.withLock { rows in
            guard rows[kind]?.isLoaded == false else { return }
            rows[kind]?.isLoaded = true
            if kind == .event {
                self.world.send(.events(.loaded))
            } else {
                self.atlas.send(.loadEnded(kind.layer))
            }
        }
    }

    /// Whether the live state holds a row: events that are over are not held.
    private func isHeld(_ row: ChangedRow) -> Bool {
        guard case .event(let event) = row else { return true }
        return event.endsAt > self.node.now
    }
}

extension RowKind {
    /// The plural at the beginning of a sentence.
    fileprivate var title: String {
        switch self {
        case .pin: "Pins"
        case .event: "Events"
        case .spot: "Spots"
        }
    }

    /// The layer of the rows on maps.
    fileprivate var layer: TileLayer {
        switch self {
        case .pin: .pins
        case .event: .events
        case .spot: .spots
        }
    }
}
