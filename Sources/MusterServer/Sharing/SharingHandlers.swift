import MusterCore
import MusterStore
import MusterWire

extension RequestTable {
    /// The requests about what one lets others see.
    static func sharing(_ services: any RequestServices) -> [Entry] {
        [
            .asynchronous(SharingSet.self) { request, caller in
                do throws(FrameError) {
                    return .done(after: try await Self.set(request, caller, services))
                } catch {
                    return .failure(error, of: request, by: caller)
                }
            }
        ]
    }

    private static func set(
        _ request: SharingSet,
        _ caller: Caller,
        _ services: any RequestServices
    ) async throws(FrameError) -> [GroupSnapshot] {
        let directory = try services.readyDirectory()
        do throws(DirectoryError) {
            return try await directory.setSharing(
                request.mode,
                until: request.until,
                group: request.group,
                of: caller.user
            )
        } catch {
            throw services.frameError(error)
        }
    }
}

extension RequestOutcome where Answer == NoAnswer {
    /// Lets who wants to be seen less be seen less from now on, even when that cannot be stored.
    ///
    /// Live positions go on while storage is away: the world narrows first, and then lets the error out.
    fileprivate static func failure(_ error: FrameError, of request: SharingSet, by caller: Caller) -> Self {
        guard request.mode != .live, error.code == .unavailable || error.code == .internal else {
            return Self(.failure(error))
        }
        var error = error
        error.message = "Others see no more than this from now on, but it is not stored yet; try again soon."
        return Self(.failure(error), inputs: [.sharingNarrowed(caller.user, group: request.group, request.mode)])
    }
}
