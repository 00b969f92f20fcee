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
}
