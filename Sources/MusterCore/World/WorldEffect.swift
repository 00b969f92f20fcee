/// An action that the world requests from its environment.
///
/// Each receiver must process its effects in order.
///
/// Large, rare cases are `indirect`, so that they do not enlarge the frequent journal records.
package enum WorldEffect: Sendable {
    // Messages to single sessions.
    /// The session is admitted; rosters and unseen notifications follow.
    indirect case welcome(SessionID, Welcome)
    /// A frame that was encoded elsewhere.
    case answer(PreparedAnswer)
    /// A request failed.
    case refused(SessionID, RequestTag?, WorldRefusal)
    /// Fixes are durable.
    case acknowledged(FixReport.Origin, Acknowledgement)
    /// A report without a session is rejected because its account was deleted; none of it is stored.
    case reportRefused(SessionID)
    /// A fix is malformed in a way that only the current time reveals.
    case badFix(FixReport.Origin, sequence: Int64, reason: String)
    /// Storage accepts fixes again: the client must resend those above this number.
    case resend(SessionID, after: Int64)
    /// Another device of the same user moved.
    case selfMoved(SessionID, SelfPosition)
    /// A message about a locate request.
    indirect case locate(LocateEffect)
    /// A live message to several sessions; encoded once.
    indirect case publish([SessionID], LiveMessage)
    /// A message about a place, with each session's distance to it; the rest is encoded once.
    indirect case publishNear([NearbySession], LiveMessage)
    /// A durable notification to the sessions of one user; encoded once.
    indirect case notify([SessionID], NumberedNotification, isLate: Bool)
    /// A message about events.
    indirect case events(EventEffect)
    /// A new glance for a wearable.
    indirect case glance(SessionID, Glance)
    /// The session ends.
    case close(SessionID, SessionEnd)

    // Rosters.
    /// A roster as published in this batch. It precedes the first subscription of the batch, so that a gateway can
    /// begin to mirror it.
    indirect case rosterShown(RosterSnapshot)
    /// The session subscribes to a roster: it gets a full roster, or only the changes since `resume`.
    case subscribe(SessionID, GroupID, resume: RosterVersion?)
    /// The session unsubscribes from a roster.
    case unsubscribe(SessionID, GroupID)
    /// The last message to a session about a group: its user was removed, at this roster version.
    case leftGroup(SessionID, GroupID, user: UserID, version: UInt64)
    /// A roster has a new version.
    case rosterChanged(RosterChange)
    /// A roster is no longer maintained.
    case rosterClosed(GroupID)

    // Maps.
    /// An input for the cluster service: points of group layers, and authorised queries.
    indirect case clusters(ClusterInput)

    // Rooms.
    /// A message to sessions about chat rooms, or to the chat service.
    indirect case chat(ChatEffect)

    /// An answer to a phone's own app.
    indirect case phoneApps(PhoneAppEffect)

    // Pictures.
    /// The visibility snapshot of a group, for a request; nil when the group is unknown.
    indirect case groupViewed(Int64, GroupVisibility?)

    // Storage.
    /// A row to write. Record numbers have no gaps, and records are committed in order.
    case journal(Int64, JournalRecord)
    /// A question to storage; its answer is an `answered` input.
    indirect case ask(StorageQuestion)
    /// A fault to report to operators.
    indirect case trouble(WorldFault)
}

/// The reason for the end of a session.
package enum SessionEnd: Sendable, Equatable {
    /// The same device opened another session.
    case replaced
    /// The login ended, its token expired, or the account was deleted.
    case unauthorized
    /// A group could not be read from storage.
    case unavailable
}

/// The reason for refusing a request.
package enum WorldRefusal: Sendable, Equatable {
    /// The session's user is not a member of the group.
    case notMember
    /// The requested user is not a member of the group.
    case notFound
    /// The rate limit was exceeded; `retryAfter` is in milliseconds.
    case rateLimited(retryAfter: Int64)
    /// The position of the session's user is unknown, and the subscription is relative to it.
    case noPosition
}

/// The answer to an accepted `hello`.
package struct Welcome: Sendable, Equatable {
    /// A group as its member sees it.
    package struct Group: Sendable, Equatable {
        package var id: GroupID
        package var name: String
        package var role: GroupSnapshot.Role
        package var settings: GroupSettings
        /// The member's sharing setting for the group; nil where it is not included.
        package var sharing: Sharing?
        /// The group's places as the member sees them; nil where they are not included.
        package var places: [GroupPlaceSight]?

        /// Describes a group.
        package init(
            id: GroupID,
            name: String,
            role: GroupSnapshot.Role,
            settings: GroupSettings,
            sharing: Sharing? = nil,
            places: [GroupPlaceSight]? = nil
        ) {
            self.id = id
            self.name = name
            self.role = role
            self.settings = settings
            self.sharing = sharing
            self.places = places
        }
    }

    package var tag: RequestTag?
    package var user: UserProfile
    package var device: DeviceID
    /// The highest durable fix number of the device.
    package var acknowledgedSequence: Int64
    /// All groups; nil for a wearable's session, which does not receive them.
    package var groups: [Group]?
    /// The users whom this user has blocked; nil for a client without chat support.
    package var blocked: [UserID]?

    /// Creates a welcome.
    package init(
        tag: RequestTag?,
        user: UserProfile,
        device: DeviceID,
        acknowledgedSequence: Int64,
        groups: [Group]?,
        blocked: [UserID]? = nil
    ) {
        self.tag = tag
        self.user = user
        self.device = device
        self.acknowledgedSequence = acknowledgedSequence
        self.groups = groups
        self.blocked = blocked
    }
}

/// The cumulative acknowledgement of a device's fixes.
package struct Acknowledgement: Sendable, Equatable {
    /// A fix that is stored but not used, with the reason.
    package struct Rejection: Sendable, Equatable {
        package var sequence: Int64
        package var verdict: FixVerdict

        /// Creates a rejection.
        package init(sequence: Int64, verdict: FixVerdict) {
            self.sequence = sequence
            self.verdict = verdict
        }
    }

    /// A fix that was accepted without some of its fields.
    package struct Reduction: Sendable, Equatable {
        package var sequence: Int64
        package var dropped: FixDetails
    }

    /// Every fix up to and including this number is durable or was answered as malformed.
    package var sequence: Int64
    package var rejected: [Rejection] = []
    /// Fixes that were accepted without some of their fields.
    package var reduced: [Reduction] = []
    /// Whether every fix of a tracker's report is durable; if not, it must be reported again.
    package var isComplete = true
}

/// The exact position of a user, for their own other devices and for a locate request that they answer.
package struct SelfPosition: Sendable, Equatable {
    package var coordinate: Coordinate
    package var accuracy: Float?
    package var at: Timestamp
    package var device: DeviceID
}
