import MusterCore
import MusterStore
import MusterWire

extension DirectoryRequests {
    /// What a person asks of spots.
    enum SpotRequest: Sendable {
        case add(SpotDraft)
        case vote(SpotID, Spot.Vote)
        case delete(SpotID)
        case nearby(SpotSearch)
        case all(limit: Int, after: SpotID?)
    }

    static func perform(
        _ request: SpotRequest,
        by user: UserID,
        in directory: Directory
    ) async throws(DirectoryError) -> Outcome {
        switch request {
        case .add(let draft):
            let spot = try await directory.addSpot(draft, by: user)
            return .news(.spotsAdded([spot.place]), .spot(spot))
        case .vote(let spot, let vote):
            return .answer(.spot(try await directory.vote(vote, on: spot, by: user)))
        case .delete(let spot):
            try await directory.deleteSpot(spot, by: user)
            return .news(.spotsDeleted([spot]), .done)
        case .nearby(let search):
            return .answer(.spotsNearby(try await directory.spots(near: search, for: user)))
        case .all(let limit, let after):
            let page = try await directory.spots(after: after, limit: limit, for: user)
            return .answer(.spots(page.spots, next: page.next))
        }
    }
}
