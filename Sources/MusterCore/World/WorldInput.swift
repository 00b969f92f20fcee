/// An input of the world.
///
/// Inputs are plain values, so that a cluster can send them over a network.
///
/// Large, rare cases are `indirect`, so that they do not enlarge the frequent fixes.
package enum WorldInput: Sendable {
    /// The directory accepted the `hello` of a session.
    indirect case sessionOpened(SessionOpening)
    /// A session's socket closed.
    case sessionClosed(SessionID)
    /// A session's app moved to the foreground or the background.
    case sessionStateChanged(SessionID, isForeground: Bool)
    /// A session's device reported a fix.
    case fixReceived(SessionID, Fix)
    /// A device reported several fixes, or reported without a session.
    case fixesReceived(FixReport)
    /// A client marked notifications as seen.
    case notificationsSeen(SessionID, SeenNotifications)
    /// A user refuses to answer a request for their position; no more devices are asked.
    case locateRefused(LocateID, by: UserID)
    /// A member requests the position of another, of whom `others` devices can be asked without a session.
    case locateRequested(SessionID, RequestTag?, group: GroupID, user: UserID, others: Int = 0)
    /// A frame to be sent after everything that the world has already sent to the session, such as a `pong`.
    case answerRequested(PreparedAnswer)
    /// The directory changed a group. The requester's answer is sent once the change is applied.
    indirect case groupChanged(GroupSnapshot, answer: PreparedAnswer?)
    /// A user reduces their visibility. It applies at once, whatever storage says, until `sharingResolved` follows.
    indirect case sharingNarrowed(SharingChange)
    /// A sharing change is stored and its snapshots have arrived, or the change is void.
    indirect case sharingResolved(SharingChange)
    /// A request for the visibility snapshot of a group; answered by `groupViewed`.
    case groupViewRequested(Int64, GroupID)
    /// The answer of storage to a question of the world; nil when storage could not answer.
    indirect case answered(StorageQuestion, StorageAnswer?)
    /// The stored revisions of groups; groups loaded in another revision are reloaded.
    indirect case groupsStored(GroupRevisions)
    /// Logins or accounts may have ended without notice, so the open ones are compared with storage.
    case loginsSuspected
    /// A login ended: its sessions close.
    case loginEnded(LoginID)
    /// An account was deleted: its sessions close, and the user is unloaded.
    case accountDeleted(UserID)
    /// A change or request about spots.
    indirect case spots(SpotInput)
    /// A change or request about events.
    indirect case events(EventInput)
    /// Storage assigned notification numbers in a transaction of its own; the world must query their content.
    case notificationsGiven([NotificationNumber])
    /// A message to an audience. It is processed in order with the other inputs of the batch.
    indirect case publicationRequested(Publication)
    /// The journal committed every record up to and including a number, except the failed ones. Notifications among
    /// them have numbers, unless the recipient was deleted or has left the group.
    case committed(through: Int64, failed: [Int64] = [], numbers: [NumberedRecord] = [])
    /// A request for a layer of map tiles; the world forwards it to the cluster service if it is authorised.
    indirect case tilesAsked(ClusterRequest)
    /// The cluster service cannot subscribe a session to a layer at present.
    case tilesUnsubscribed(SessionID, TileLayer)
    /// A change or request about chat rooms.
    indirect case chat(ChatInput)
    /// A report of a phone's own app, or a question for the answer to one.
    indirect case phoneApps(PhoneAppInput)
    /// The node begins to shut down: presence stays unchanged while the sessions close.
    case drainBegan
}

/// A frame that was encoded in advance, to be sent in order with the world's own frames.
package struct PreparedAnswer: Sendable, Equatable {
    /// The recipient.
    package var session: SessionID
    /// The whole frame.
    package var frame: [UInt8]

    /// Creates an answer.
    package init(session: SessionID, frame: [UInt8]) {
        self.session = session
        self.frame = frame
    }
}
