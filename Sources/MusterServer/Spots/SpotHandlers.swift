import MusterCore
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
            .immediate(SpotsWatch.self, SpotHandlers.subscription),
        ]
    }
}

/// The handlers of requests about spots.
private enum SpotHandlers {
    static func add(
        _ request: SpotAdd,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<SpotAnswer> {
        let added = try await directory.addSpot(request, by: caller.user)
        let spot = added.value
        // The spot is stored; only pushes to closed apps are lost if this fails.
        try? await directory.enqueuePushes(of: spot)
        let snapshot = SpotSnapshot(spot)
        let publication = Publication(
            to: .area(.spots, at: spot.coordinate, except: caller.user),
            .live(.newSpot(spot.id, frame: snapshot.frame))
        )
        return RequestOutcome(
            .answer(SpotAnswer(spot)),
            changes: added.changes,
            inputs: caller.sent([spot.id]),
            publications: [publication]
        )
    }

    static func vote(
        _ request: SpotVote,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<SpotAnswer> {
        let spot = try await directory.vote(request.vote, on: request.spot, by: caller.user)
        return .answer(SpotAnswer(spot), after: [.spots(.voted(spot.id, by: caller.session))])
    }

    static func delete(
        _ request: SpotDelete,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<NoAnswer> {
        .done(try await directory.deleteSpot(request.spot, by: caller.user))
    }

    static func nearby(
        _ request: SpotsNearby,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<SpotsNearbyAnswer> {
        let spots = try await directory.spots(near: request, for: caller.user)
        return .answer(SpotsNearbyAnswer(spots), after: caller.sent(spots.map(\.spot.id)))
    }

    static func all(
        _ request: SpotsAll,
        _ caller: Caller,
        _ directory: Directory
    ) async throws -> RequestOutcome<SpotsAnswer> {
        let page = try await directory.spots(after: request.after, limit: request.limit, for: caller.user)
        return .answer(SpotsAnswer(page.spots, next: page.next), after: caller.sent(page.spots.map(\.id)))
    }

    /// The world executes the subscription, because it knows users' positions and reads the missed spots.
    static func subscription(_ request: SpotsWatch, _ caller: Caller) -> RequestOutcome<NoAnswer> {
        .done(after: caller.session.map { [.spots(.subscribed($0, request.subscription))] } ?? [])
    }
}

extension Caller {
    /// Records that the caller's session receives spots in the answer, and so must be notified of their changes.
    fileprivate func sent(_ spots: [SpotID]) -> [WorldInput] {
        guard let session, !spots.isEmpty else { return [] }
        return [.spots(.sent(session, spots))]
    }
}
