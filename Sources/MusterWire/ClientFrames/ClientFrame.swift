package import MusterCore

/// A frame that a client sends, well-formed (PROTOCOL 2 to 6).
///
/// `FrameDecoder` makes it from bytes, `append(to:)` makes bytes from it; a tag is the request's `id`.
package enum ClientFrame: Sendable, Equatable {
    /// Says who is there; the first frame.
    case hello(Hello)
    /// Asks whether the service answers.
    case ping(RequestTag?)
    /// The app came to the foreground or left it.
    case state(RequestTag?, isForeground: Bool)
    /// One fix.
    case location(RequestTag?, Fix)
    /// Several fixes, oldest first, and those among them that are malformed.
    case locations(RequestTag?, FixBatch)
    /// Creates a group.
    case groupCreate(RequestTag?, name: String, settings: GroupSettingsPatch)
    /// Lists one's groups.
    case groupList(RequestTag?)
    /// Renames a group or changes its settings.
    case groupUpdate(RequestTag?, GroupID, name: String?, settings: GroupSettingsPatch)
    /// Makes an invite that expires after `expiresIn` seconds and lets `uses` people in; nil means the default.
    case groupInvite(RequestTag?, GroupID, expiresIn: Int?, uses: Int?)
    /// Makes an invite worthless.
    case groupRevoke(RequestTag?, code: String)
    /// Joins by an invite.
    case groupJoin(RequestTag?, code: String)
    /// Leaves a group.
    case groupLeave(RequestTag?, GroupID)
    /// Removes a member.
    case groupRemove(RequestTag?, GroupID, UserID)
    /// Deletes a group.
    case groupDelete(RequestTag?, GroupID)
    /// Chooses what one group, or every group when nil, sees until a moment, or for good when nil.
    case sharingSet(RequestTag?, Sharing.Mode, GroupID?, until: Timestamp?)
    /// Asks where a member is.
    case locate(RequestTag?, GroupID, UserID)
    /// Notifications were seen.
    case seen(RequestTag?, SeenNotifications)
    /// Adds a spot.
    case spotAdd(RequestTag?, SpotDraft)
    /// Says what one thinks of a spot, or nothing any more.
    case spotVote(RequestTag?, SpotID, Spot.Vote)
    /// Deletes a spot of one's own.
    case spotDelete(RequestTag?, SpotID)
    /// Looks for the spots nearest to a point.
    case spotsNearby(RequestTag?, SpotSearch)
    /// Lists spots, the newest first, from behind one of them on.
    case spotsAll(RequestTag?, limit: Int, after: SpotID?)

    /// The mark of the request, which its answer carries.
    package var tag: RequestTag? {
        switch self {
        case .hello(let hello): hello.tag
        case .ping(let tag), .groupList(let tag): tag
        case .state(let tag, _), .location(let tag, _), .locations(let tag, _), .groupRevoke(let tag, _),
            .groupJoin(let tag, _), .groupLeave(let tag, _), .groupDelete(let tag, _), .seen(let tag, _),
            .spotAdd(let tag, _), .spotDelete(let tag, _), .spotsNearby(let tag, _):
            tag
        case .groupCreate(let tag, _, _), .groupRemove(let tag, _, _), .locate(let tag, _, _), .spotVote(let tag, _, _),
            .spotsAll(let tag, _, _):
            tag
        case .groupUpdate(let tag, _, _, _), .groupInvite(let tag, _, _, _), .sharingSet(let tag, _, _, _): tag
        }
    }
}
