import MusterCore
import MusterStore
import MusterWire
import Synchronization

/// Keeps the spots on maps up to date.
///
/// It loads all spots once storage is available, and forwards the changes of requests after each commit.
///
/// If a request does not learn whether its change was committed, the correct content of maps is unknown. While storage
/// was unavailable, another server may have changed spots. In both cases all spots are read again. A late report of a
/// spot that was deleted or read again meanwhile is ignored.
final class SpotMaps: Sendable {
    /// The number of spots in one read.
    private static let chunk = 1024
    /// The pause after a failed read of storage, in milliseconds.
    private static let pause: Int64 = 500

    private struct State {
        var deleted = RecentDeletions<SpotSubject>()
        /// Spots that were read again, so that the reports of their authors' requests are older.
        var readAgain = RecentDeletions<SpotSubject>(limit: 1024)
    }

    private let state = Mutex(State())
    private let atlas: any AtlasLink
    private let reads: PendingTileReads
    private let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation

    init(atlas: any AtlasLink, reads: PendingTileReads) {
        self.atlas = atlas
        self.reads = reads
        (self.wishes, self.wish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wish.yield()
    }

    // MARK: - Changes

    /// Shows a spot that was added.
    func add(_ spot: Spot) {
        self.state.withLock { state in
            guard !state.deleted.contains(spot.id), !state.readAgain.contains(spot.id) else { return }
            self.atlas.send(.put(.spots, [TilePoint(spot)]))
        }
    }

    /// Shows a spot as it was read after a part of it was taken down.
    func showAgain(_ point: TilePoint) {
        let spot = SpotID(point.id)
        self.state.withLock { state in
            guard !state.deleted.contains(spot) else { return }
            state.readAgain.insert(spot)
            self.atlas.send(.narrowed(.spots, [point]))
        }
    }

    /// Hides spots that were deleted.
    func remove(_ spots: [SpotID]) {
        guard !spots.isEmpty else { return }
        self.state.withLock { state in
            for spot in spots { state.deleted.insert(spot) }
            self.atlas.send(.removed(.spots, spots.map(\.rawValue)))
        }
    }

    /// Runs a change that adds or deletes spots.
    ///
    /// All spots are read again if its outcome is unknown.
    func following<Value: Sendable>(
        _ change: () async throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        do throws(DirectoryError) {
            return try await change()
        } catch {
            if error.code == .unavailable { self.reload() }
            throw error
        }
    }

    /// Schedules a read of all spots, because a change may have been missed.
    func reload() { self.wish.yield() }

    // MARK: - Loading

    /// Reads all spots, now and whenever a change may have been missed, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - directory: the directory, if it is available; nil while storage is unavailable.
    ///   - failed: called with the reason why spots could not be read.
    func keepLoaded(
        from directory: @Sendable () -> Directory?,
        failed: @Sendable (DirectoryError) -> Void
    ) async {
        for await _ in self.wishes {
            while !Task.isCancelled {
                do throws(DirectoryError) {
                    if let directory = directory(), try await self.load(from: directory) { break }
                } catch {
                    failed(error)
                }
                try? await Task.sleep(for: .milliseconds(Self.pause))
            }
        }
    }

    /// Reads all spots in chunks.
    ///
    /// Each chunk is read after the atlas has applied the previous one.
    ///
    /// - Returns: false when the atlas no longer accepts inputs.
    private func load(from directory: Directory) async throws(DirectoryError) -> Bool {
        self.atlas.send(.loadBegan(.spots))
        var last: SpotID?
        repeat {
            let points = try await directory.spotPoints(after: last, limit: Self.chunk)
            self.atlas.send(.loaded(.spots, points))
            guard await self.hasTakenAll() else { return false }
            last = points.last.map { SpotID($0.id) }
        } while last != nil
        self.atlas.send(.loadEnded(.spots))
        return true
    }

    private func hasTakenAll() async -> Bool {
        do throws(FrameError) {
            _ = try await self.reads.answer { self.atlas.send(.reached($0)) }
            return true
        } catch {
            return false
        }
    }
}
