import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about a user's visibility.
    static func sharing(_ services: any RequestServices, _ sharingService: SharingService) -> [Entry] {
        [
            .asynchronous(SharingSet.self) { request, caller in
                // Reduced visibility applies even while storage is unavailable.
                guard let directory = services.directory else { throw FrameError.storageAway }
                var request = request
                if let excess = caller.excess {
                    request = try await Self.slowed(request, of: caller.user, excess, directory)
                }
                var changes: [SharingChange] = []
                if let mode = request.mode {
                    changes.append(
                        try directory.sharingChange(
                            mode,
                            until: request.until,
                            then: request.then,
                            group: request.group,
                            of: caller.user
                        )
                    )
                }
                if let isAllowed = request.pictures {
                    changes.append(directory.picturesChange(isAllowed, group: request.group, of: caller.user))
                }
                return .done(after: try await sharingService.keep(changes, isTooOften: caller.excess != nil, services))
            }
        ]
    }

    /// The minimum duration of reduced visibility when requests exceed the rate limit, in milliseconds.
    ///
    /// Members are notified once a second, and the change may wait for a second to be stored.
    private static let shortestWhileTooOften: Int64 = 2_000

    /// The part of a request that is allowed above the rate limit: reduced visibility, for a second at least.
    ///
    /// - Throws: `rateLimited` when the request increases visibility.
    private static func slowed(
        _ request: SharingSet,
        of user: UserID,
        _ excess: Int64,
        _ directory: Directory
    ) async throws -> SharingSet {
        var request = request
        request.until = request.until.map { max($0, directory.now + Self.shortestWhileTooOften) }
        guard request.mode == .approximate else { return request }
        let isPaused: Bool
        do {
            isPaused = try await directory.isPaused(user, in: request.group)
        } catch {
            // While storage is unavailable the stored mode is unknown, and the request may reduce visibility.
            isPaused = false
        }
        guard !isPaused else { throw FrameError.tooOften(retryAfter: excess) }
        return request
    }
}
