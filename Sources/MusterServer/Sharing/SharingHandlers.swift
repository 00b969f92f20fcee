import MusterCore
import MusterStore
import MusterWire

extension RequestTable {
    /// The requests about what one lets others see.
    static func sharing(_ services: any RequestServices, _ keeper: SharingKeeper) -> [Entry] {
        [
            .asynchronous(SharingSet.self) { request, caller in
                // Also while storage is away: who wants to be seen less is.
                guard let directory = services.directory else { throw FrameError.storageAway }
                var request = request
                if let excess = caller.excess {
                    request = try await Self.slowed(request, of: caller.user, excess, directory)
                }
                var words: [SharingWord] = []
                if let mode = request.mode {
                    words.append(
                        try directory.sharingWord(mode, until: request.until, group: request.group, of: caller.user)
                    )
                }
                if let isAllowed = request.pictures {
                    words.append(directory.picturesWord(isAllowed, group: request.group, of: caller.user))
                }
                return .done(after: try await keeper.keep(words, services))
            }
        ]
    }

    /// How long others see less at least, of who says it too often: they are told of it once a second.
    private static let shortestWhileTooOften: Int64 = 1_000

    /// What holds of a request that is made too often: whatever shows less, for a second at least.
    ///
    /// - Throws: `rateLimited` when it shows more.
    private static func slowed(
        _ request: SharingSet,
        of user: UserID,
        _ excess: Int64,
        _ directory: Directory
    ) async throws(FrameError) -> SharingSet {
        var request = request
        request.until = request.until.map { max($0, directory.now + Self.shortestWhileTooOften) }
        guard request.mode == .approximate else { return request }
        let isPaused: Bool
        do throws(DirectoryError) {
            isPaused = try await directory.isPaused(user, in: request.group)
        } catch {
            // While storage is away nobody knows, and less may be shown by it.
            isPaused = false
        }
        guard !isPaused else { throw FrameError.tooOften(retryAfter: excess) }
        return request
    }
}
