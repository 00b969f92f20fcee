/// A question of the world to storage.
package enum StorageQuestion: Sendable, Equatable {
    /// A group that is not loaded.
    case group(GroupID)
    /// Which of these logins and users storage no longer contains.
    case ended(logins: [LoginID], users: [UserID])
    /// The unseen notifications of a user.
    case inbox(UserID)
    /// The spots that a session missed.
    case missedSpots(SpotQuery)
    /// The current vote counts of spots.
    case votes([SpotID])
    /// The texts of spots, for wearables.
    case spotTexts([SpotID])
    /// The state of a user's rooms.
    case rooms(RoomsQuery)
    /// The changes of a room after a version.
    case roomChanges(RoomID, after: Int64)
    /// The versions of rooms whose changes may have been missed.
    case roomVersions([RoomID])
    /// An event with its guests.
    case event(EventID)
}

/// An answer of storage; each case answers the question of the same name.
package enum StorageAnswer: Sendable, Equatable {
    /// The group; nil when it does not exist.
    case group(GroupSnapshot?)
    /// The logins and users that storage no longer contains.
    case ended(logins: [LoginID], users: [UserID])
    /// A user's unseen notifications, with the highest number assigned.
    case inbox([NumberedNotification], upTo: Int64)
    /// Spots, newest first.
    case missedSpots([SpotSnapshot])
    /// Vote counts; the spots missing from the answer are deleted.
    case votes([SpotVotes])
    /// The texts of spots; the spots missing from the answer are deleted.
    case spotTexts([SpotText])
    /// The rooms of a user.
    case rooms(RoomsRead)
    /// The changes of a room.
    case roomChanges(RoomAdvance)
    /// The versions of rooms, without messages; the rooms missing from the answer are deleted.
    case roomVersions([RoomAdvance])
    /// The event; nil when it does not exist.
    case event(EventSnapshot?)
}

extension WorldInput {
    /// A group from storage; the world need not have asked for it.
    package static func groupLoaded(_ group: GroupSnapshot) -> WorldInput { .answered(.group(group.id), .group(group)) }
}
