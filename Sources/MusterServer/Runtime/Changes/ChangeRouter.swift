import EventLoop
import MusterCore
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

    /// The maximum number of rows of one read.
    private static let rowsAtOnce = 1_024
    /// The number of checks, and the pause between them, while a client waits for the first load: three seconds in
    /// total.
    private static let (looks, pause) = (60, Duration.milliseconds(50))

    private let rows = Mutex(Dictionary(uniqueKeysWithValues: RowKind.allCases.map { ($0, Rows()) }))
    private let node: ServerNode
    private let world: any WorldLink
    private let clusters: any ClusterLink
    private let reads: PendingAnswers<TileAnswer>
    private let chat: ChatService

    /// Creates a router without rows.
    ///
    /// Maps wait until all rows of a kind are loaded.
    init(
        _ node: ServerNode,
        world: any WorldLink,
        clusters: any ClusterLink,
        reads: PendingAnswers<TileAnswer>,
        chat: ChatService
    ) {
        self.node = node
        self.world = world
        self.clusters = clusters
        self.reads = reads
        self.chat = chat
        for kind in RowKind.allCases { clusters.send(.loadBegan(kind.layer)) }
    }

    /// The number of rows of a kind; nil until they have been read.
    func count(of kind: RowKind) -> Int? {
        self.withRows(kind) { $0.isLoaded ? $0.tracker.count : nil }
    }

    /// Waits until all rows of a kind have been read once.
    ///
    /// A client that connects right after the start waits for a moment.
    ///
    /// - Throws: `unavailable`.
    func requireLoaded(_ kind: RowKind) async throws {
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
    ///
    /// - Parameters:
    ///   - changes: the changes, in the order in which they apply.
    ///   - inputs: called when the changes have been sent.
    func apply(_ changes: [Change], then inputs: () -> [WorldInput] = { [] }) async {
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
        let inputs = inputs()
        if case .groupChanged(let group, nil)? = batch.last, case .answerRequested(let answer)? = inputs.first {
            batch[batch.count - 1] = .groupChanged(group, answer: answer)
            batch += inputs.dropFirst()
        } else {
            batch += inputs
        }
        if !batch.isEmpty { self.world.send(contentsOf: &batch) }
    }

    private func put(_ row: ChangedRow) {
        self.withRows(row.kind) { rows in
            guard let novelty = rows.tracker.put(row.id, revision: row.revision) else { return }
            self.show([(row, novelty)], of: row.kind)
        }
    }

    private func remove(_ id: Int64, of kind: RowKind) {
        self.withRows(kind) { rows in
            rows.tracker.remove(id)
            self.hide([id], of: kind)
        }
    }

    /// Accesses the rows of a kind, in place.
    private func withRows<Result: Sendable>(_ kind: RowKind, _ body: (inout Rows) -> Result) -> Result {
        self.rows.withLock { body(&$0[kind, default: Rows()]) }
    }

    // MARK: - The live state

    /// Shows new rows or states; called under the lock, which keeps the order of changes of a row.
    private func show(
        _ rows: [(ChangedRow, RevisionTracker.Novelty)],
        of kind: RowKind,
        isFirstLoad: Bool = false
    ) {
        var (loaded, put, narrowed): ([TilePoint], [TilePoint], [TilePoint]) = ([], [], [])
        var events: [EventSnapshot] = []
        var places: [NamedPlace] = []
        for (row, novelty) in rows {
            let point: TilePoint
            switch row {
            case .event(let event):
                events.append(EventSnapshot(event, at: self.node.now))
                continue
            case .pin(let pin): point = TilePoint(pin)
            case .spot(let spot):
                places.append(spot.place)
                point = spot.point
            }
            switch novelty {
            // While maps load, a loaded point does not replace a point that came from a request or the feed.
            case .new where isFirstLoad: loaded.append(point)
            // A spot changes only when a part of it is removed, which must not wait.
            case .changed where kind == .spot: narrowed.append(point)
            case .new, .changed: put.append(point)
            }
        }
        if !events.isEmpty { self.world.send(.events(.changed(events))) }
        // The world has read most names before; this includes those of spots that changed since.
        if !places.isEmpty { self.world.send(.spots(.added(places))) }
        if !loaded.isEmpty { self.clusters.send(.loaded(kind.layer, loaded)) }
        if !put.isEmpty { self.clusters.send(.put(kind.layer, put)) }
        if !narrowed.isEmpty { self.clusters.send(.narrowed(kind.layer, narrowed)) }
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
        if kind != .event { self.clusters.send(.removed(kind.layer, ids)) }
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
                self.withRows(kind) { $0.tracker.isKnown(id, revision: revision) }
            },
            readAgain: { ids, directory in
                try await self.read(ids, of: kind, from: directory)
            },
            compare: { last, directory in
                try await self.compare(kind, after: last, with: directory)
            }
        )
    }

    private func read(_ ids: [Int64], of kind: RowKind, from directory: Directory) async throws {
        self.withRows(kind) { $0.tracker.beginReading(of: ids) }
        let found = try await directory.rows(kind, ids)
        self.withRows(kind) { rows in
            self.show(
                found.compactMap { row in
                    rows.tracker.read(row.id, revision: row.revision).map { (row, $0) }
                },
                of: kind
            )
            self.hide(rows.tracker.endReading(), of: kind)
            for row in found where !self.isHeld(row) { rows.tracker.forget(row.id, revision: row.revision) }
        }
    }

    /// Compares a page of rows with storage.
    ///
    /// - Returns: the last row of the page; nil at the end.
    private func compare(
        _ kind: RowKind,
        after last: Int64?,
        with directory: Directory
    ) async throws -> Int64? {
        if last == nil { self.withRows(kind) { $0.tracker.beginComparison() } }
        let page = try await directory.rows(kind, after: last)
        self.withRows(kind) { rows in
            self.show(
                page.compactMap { row in
                    rows.tracker.compare(row.id, revision: row.revision).map { (row, $0) }
                },
                of: kind,
                isFirstLoad: !rows.isLoaded
            )
        }
        if let last = page.last?.id {
            await self.awaitMaps()
            return last
        }
        // These rows were deleted, or are events that are over. The comparison ends only when all have been read.
        var unseen = self.withRows(kind) { $0.tracker.unseen }[...]
        while !unseen.isEmpty {
            try await self.read(Array(unseen.prefix(Self.rowsAtOnce)), of: kind, from: directory)
            unseen = unseen.dropFirst(Self.rowsAtOnce)
        }
        self.endComparison(of: kind)
        return nil
    }

    private func endComparison(of kind: RowKind) {
        self.withRows(kind) { rows in
            rows.tracker.endComparison()
            guard !rows.isLoaded else { return }
            rows.isLoaded = true
            if kind == .event {
                self.world.send(.events(.loaded))
            } else {
                self.clusters.send(.loadEnded(kind.layer))
            }
        }
    }

    /// Waits until the maps have taken all points, so that they do not pile up.
    private func awaitMaps() async {
        do throws(FrameError) {
            _ = try await self.reads.answer { self.clusters.send(.reached(.request($0))) }
        } catch {
            try? await Task.sleep(for: .milliseconds(error.retryAfter ?? 500))
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
