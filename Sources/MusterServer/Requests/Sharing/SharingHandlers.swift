import MusterCore
import MusterStore
import MusterWire

extension RequestTable {
    /// The requests about what one lets others see.
    static func sharing(_ services: Services) -> [Entry] {
        [
            .asynchronous(SharingSet.self) { request, caller in
                do throws(FrameError) {
                    let directory = try services.readyDirectory()
                    let groups = try await services.ask { () throws(DirectoryError) in
                        try await directory.setSharing(
                            request.mode,
                            until: request.until,
                            group: request.group,
                            of: caller.user
                        )
                    }
                    return .done(after: groups)
                } catch {
                    return .failure(error, of: request, by: caller)
                }
            }
        ]
    }
}

extension RequestOutcome where Answer == NoAnswer {
    /// Lets who wants to be seen less be seen less from now on, even when that cannot be stored.
    ///
    /// Live positions go on while storage is away: the world narrows first, and then lets the error out.
    fileprivate static func failure(_ error: FrameError, of request: SharingSet, by caller: Caller) -> Self {
        guard request.mode != .live, error.code == .unavailable else { return Self(.failure(error)) }
        var error = error
        error.message = "Others see no more than this from now on, but it is not stored yet; try again soon."
        return Self(.failure(error), inputs: [.sharingNarrowed(caller.user, group: request.group, request.mode)])
    }
}
