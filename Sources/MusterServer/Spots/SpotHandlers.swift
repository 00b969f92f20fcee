import MusterCore
import MusterStore
import MusterWire

extension RequestTable {
    /// The requests about spots.
    static func spots(_ services: any RequestServices) -> [Entry] {
        [
            .directory(SpotAdd.self, services, SpotHandlers.add),
            .directory(SpotVote.self, services, SpotHandlers.vote),
            .directory(SpotDelete.self, services, SpotHandlers.delete),
            .directory(SpotsNearby.self, services, SpotHandlers.nearby),
            .directory(SpotsAll.self, services, SpotHandlers.all),
        ]
    }
}

/// What becomes of requests about spots.
private enum SpotHandlers {
    static func add(
        _ request: SpotAdd,
        _ caller: Caller,
        _ directory: Directory
    ) async throws(DirectoryError) -> RequestOutcome<SpotAnswer> {
        let spot = try await directory.addSpot(request, by: caller.user)
        return .answer(SpotAnswer(spot), after: [.spotsAdded([spot.place])])
    }

    static func vote(
        _ request: SpotVote,
        _ caller: Caller,
        _ directory: Directory
    ) async throws(DirectoryError) -> RequestOutcome<SpotAnswer> {
        .answer(SpotAnswer(try await directory.vote(request.vote, on: request.spot, by: caller.user)))
    }

    static func delete(
        _ request: SpotDelete,
        _ caller: Caller,
        _ directory: Directory
    ) async throws(DirectoryError) -> RequestOutcome<NoAnswer> {
        try await directory.deleteSpot(request.spot, by: caller.user)
        return .done(after: [.spotsDeleted([request.spot])])
    }

    static func nearby(
        _ request: SpotsNearby,
        _ caller: Caller,
        _ directory: Directory
    ) async throws(DirectoryError) -> RequestOutcome<SpotsNearbyAnswer> {
        .answer(SpotsNearbyAnswer(try await directory.spots(near: request, for: caller.user)))
    }

    static func all(
        _ request: SpotsAll,
        _ caller: Caller,
        _ directory: Directory
    ) async throws(DirectoryError) -> RequestOutcome<SpotsAnswer> {
        let page = try await directory.spots(after: request.after, limit: request.limit, for: caller.user)
        return .answer(SpotsAnswer(page.spots, next: page.next))
    }
}
