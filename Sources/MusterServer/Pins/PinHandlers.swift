import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about pins.
    static func pins(_ services: any RequestServices) -> [Entry] {
        [
            .directory(PinPost.self, services) { request, caller, directory in
                let posting = try await directory.postPin(request, by: caller.user)
                switch posting.value {
                case .posted(let pin): return RequestOutcome(.answer(PinAnswer(pin)), changes: posting.changes)
                case .existing(let pin): return RequestOutcome(.failure(.pinConflict(pin)))
                }
            },
            .directory(PinGet.self, services) { _, caller, directory in
                .answer(OwnPinAnswer(try await directory.pin(of: caller.user)))
            },
            .directory(PinDelete.self, services) { _, caller, directory in
                .done(try await directory.deletePin(of: caller.user))
            },
            .directory(PinsAll.self, services) { request, _, directory in
                let page = try await directory.pins(after: request.after, limit: request.limit)
                return .answer(
                    PinsAnswer(page.pins, next: page.next, total: page.total, attribution: page.attribution)
                )
            },
        ]
    }
}
