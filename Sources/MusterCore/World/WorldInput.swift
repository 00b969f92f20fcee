/// Everything that can happen to the world.
///
/// Values only: this border is where a cluster will cut the wire.
///
/// What is large and comes seldom lies apart, so that fixes, of which there are thousands, are not made as large.
package enum WorldInput: Sendable, Codable {
    /// A session said `hello` and the directory knew it.
    indirect case sessionOpened(SessionOpening)
    /// A session's socket is gone.
    case sessionClosed(SessionID)
    /// The app behind a session came to the foreground or left it.
    case sessionStateChanged(SessionID, isForeground: Bool)
    /// The device of a session reported where it is.
    case fixReceived(SessionID, Fix)
    /// A device reported several fixes, or without a session.
    case fixesReceived(FixReport)
    /// A client has seen notifications.
    case notificationsSeen(SessionID, SeenNotifications)
    /// A member asks where another is.
    case locateRequested(SessionID, RequestTag?, group: GroupID, user: UserID)
    /// A frame that shall reach its session behind everything that the world has sent before, such as a `pong`.
    case answerRequested(PreparedAnswer)
    /// The directory changed a group, for a request of `requester` whose answer goes out once the change is in force.
    indirect case groupChanged(GroupSnapshot, answer: PreparedAnswer?)
    /// A person wants to be seen less: they are from now on, whatever storage says until the word is settled.
    indirect case sharingNarrowed(SharingWord)
    /// A person's word about sharing is stored, and what storage says has come before; or it is void.
    indirect case sharingSettled(SharingWord)
    /// A request wants to know what a group sees of its members; answered by `groupViewed`.
    case groupViewRequested(Int64, GroupID)
    /// The directory read a group because the world asked for it.
    indirect case groupLoaded(GroupSnapshot)
    /// The directory could not read a group that the world asked for; whoever waits for it is told to come back.
    case groupLoadFailed(GroupID)
    /// Storage says which revisions of groups it holds: what is held in another one is read again.
    indirect case groupsStored(GroupRevisions)
    /// A login was ended: its sessions close.
    case loginEnded(LoginID)
    /// An account was deleted: its sessions close and it is forgotten.
    case accountDeleted(UserID)
    /// Something happened to spots.
    indirect case spots(SpotInput)
    /// Something happened to events.
    indirect case events(EventInput)
    /// Storage gave people numbers behind the world's back: it is to be asked what for.
    case notificationsGiven([NotificationNumber])
    /// People are to be told something, once the world knows what comes before it in the same batch.
    indirect case publicationRequested(Publication)
    /// The directory read what waits for a person because the world asked for it, and the highest number they were given.
    case notificationsRead(UserID, [NumberedNotification], upTo: Int64)
    /// The directory could not read what waits for a person.
    case notificationsReadFailed(UserID)
    /// The journal holds every record up to and including a number, but for those that it could not write; notifications
    /// among them have numbers, but for those of people who are gone or have left the group meanwhile.
    case committed(through: Int64, failed: [Int64] = [], numbers: [NumberedRecord] = [])
    /// Somebody asks something of a layer of map tiles: the atlas is told who may.
    indirect case tilesAsked(AtlasRequest)
    /// The atlas cannot let a session watch a layer now.
    case tilesUnwatched(SessionID, TileLayer)
    /// Something happened in rooms.
    indirect case chat(ChatInput)
    /// The node is about to stop: presence is kept as it is while the sessions go away.
    case drainBegan
}

/// A frame that was encoded before the world was asked, to be sent in order with what the world sends.
package struct PreparedAnswer: Sendable, Equatable, Codable {
    /// Who gets it.
    package var session: SessionID
    /// The whole frame.
    package var frame: [UInt8]

    /// Addresses a frame.
    package init(session: SessionID, frame: [UInt8]) {
        self.session = session
        self.frame = frame
    }
}
