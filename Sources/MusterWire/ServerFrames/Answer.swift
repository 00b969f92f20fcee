package import MusterCore

/// What an `ok` frame carries beside the request's `id`.
package enum Answer: Sendable, Equatable {
    /// Nothing.
    case done
    /// The group as it is now, and what its owner should know about its settings.
    case group(Welcome.Group, warning: String? = nil)
    /// All of one's groups.
    case groups([Welcome.Group])
    /// The invite: its code, the link to pass on, its end, and how many may still join; nil when unlimited.
    case invite(code: String, url: String, expiresAt: Timestamp, uses: Int?)
    /// The question is on its way to this many devices.
    case locateStarted(LocateID, devices: Int)
    /// The spot as it is now.
    case spot(Spot)
    /// Spots, the nearest first.
    case spotsNearby([NearbySpot])
    /// Spots, the newest first, and behind which one the next of them are; nil when there are none.
    case spots([Spot], next: SpotID?)
}
