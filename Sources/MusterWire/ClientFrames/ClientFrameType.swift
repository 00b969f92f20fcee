/// The `type` of a frame that a client sends.
enum ClientFrameType: String, CaseIterable {
    case hello
    case ping
    case state
    case location
    case locations
    case groupCreate = "group.create"
    case groupList = "group.list"
    case groupUpdate = "group.update"
    case groupInvite = "group.invite"
    case groupRevoke = "group.revoke"
    case groupJoin = "group.join"
    case groupLeave = "group.leave"
    case groupRemove = "group.remove"
    case groupDelete = "group.delete"
    case sharingSet = "sharing.set"
    case locate
    case seen
    case spotAdd = "spot.add"
    case spotVote = "spot.vote"
    case spotDelete = "spot.delete"
    case spotsNearby = "spots.nearby"
    case spotsAll = "spots.all"
}
