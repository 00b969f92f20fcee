/// Everything that the world asks of those around it, in the order in which it must be seen by each of them.
///
/// What is large and seldom lies apart, so that records, of which there are thousands, are not made as large.
package enum WorldEffect: Sendable, Codable {
    // Single answers to sessions.
    /// The session is in; rosters and unseen notifications follow.
    indirect case welcome(SessionID, Welcome)
    /// A frame that was encoded elsewhere.
    case answer(PreparedAnswer)
    /// A request failed.
    case refused(SessionID, RequestTag?, WorldRefusal)
    /// Fixes are durable.
    case acknowledged(FixReport.Origin, Acknowledgement)
    /// A report without a session came for an account that was deleted meanwhile; nothing of it is kept.
    case reportRefused(SessionID)
    /// A fix is malformed in a way that only the clock can tell.
    case badFix(FixReport.Origin, sequence: Int64, FixFault)
    /// Storage takes fixes again: send those above this number once more.
    case resend(SessionID, after: Int64)
    /// Another device of the same person moved.
    case selfMoved(SessionID, SelfPosition)
    /// A session is told of a question where somebody is.
    indirect case locate(LocateEffect)
    /// Sessions are told something; to be encoded once.
    indirect case publish([SessionID], LiveMessage)
    /// Sessions are told of something at a place, each with how far it is from there; the rest is to be encoded once.
    indirect case publishNear([NearbySession], LiveMessage)
    /// The sessions of one person are told a notification, which is durable by now; to be encoded once.
    indirect case notify([SessionID], NumberedNotification, isLate: Bool)
    /// Sessions are told of events.
    indirect case events(EventEffect)
    /// A watch shows something else from now on.
    indirect case glance(SessionID, Glance)
    /// The session ends.
    case close(SessionID, SessionEnd)

    // Rosters.
    /// A roster as this turn published it, ahead of the first subscription to it in the turn: whoever does not mirror it
    /// yet begins with that.
    indirect case rosterShown(RosterSnapshot)
    /// The session follows a roster from now on, beginning with a full one or with what is newer than `resume`.
    case subscribe(SessionID, GroupID, resume: RosterVersion?)
    /// The session follows a roster no longer.
    case unsubscribe(SessionID, GroupID)
    /// The last that a session hears of a group: its user is no member any more, as this version says.
    case leftGroup(SessionID, GroupID, user: UserID, version: UInt64)
    /// A roster has a new version.
    case rosterChanged(RosterChange)
    /// A roster is no longer kept.
    case rosterClosed(GroupID)

    // Maps.
    /// The atlas is told of the layers of groups, and of those who look and may.
    indirect case atlas(AtlasInput)

    // Rooms.
    /// Sessions are told of rooms, or storage is asked for them.
    indirect case chat(ChatEffect)

    // Pictures.
    /// What a group sees of its members, for a request; nil when that is not known.
    indirect case groupViewed(Int64, GroupSight?)

    // Storage.
    /// A row to write; records are numbered without gaps, and committed in order.
    case journal(Int64, JournalRecord)
    /// A group is needed that the world does not hold; answered by `groupLoaded` or `groupLoadFailed`.
    case loadGroup(GroupID)
    /// All that waits for a person is needed; answered by `notificationsRead` or `notificationsReadFailed`.
    case readNotifications(UserID)
    /// Something about spots is needed.
    indirect case spots(SpotEffect)
    /// An operator is to know of a fault.
    indirect case trouble(WorldTrouble)
}

/// Why a session ends.
package enum SessionEnd: Sendable, Equatable, Codable {
    /// The same device connected again elsewhere.
    case replaced
    /// Its login was ended or its token died, or its account was deleted.
    case unauthorized
    /// A group could not be read from storage.
    case unavailable
}

/// Why the world refused a request.
package enum WorldRefusal: Sendable, Equatable, Codable {
    /// The session's user is not in the group.
    case notMember
    /// The one asked for is not in the group.
    case notFound
    /// Asked too often; `retryAfter` milliseconds.
    case rateLimited(retryAfter: Int64)
    /// Nobody knows where the session's person is, around whom it wants to watch.
    case noPosition
}

/// What a session learns when it is in.
package struct Welcome: Sendable, Equatable, Codable {
    /// A group as its member sees it.
    package struct Group: Sendable, Equatable, Codable {
        package var id: GroupID
        package var name: String
        package var role: GroupSnapshot.Role
        package var settings: GroupSettings
        /// What the member lets it see; nil where that is not said.
        package var sharing: Sharing?

        /// Describes a group.
        package init(
            id: GroupID,
            name: String,
            role: GroupSnapshot.Role,
            settings: GroupSettings,
            sharing: Sharing? = nil
        ) {
            self.id = id
            self.name = name
            self.role = role
            self.settings = settings
            self.sharing = sharing
        }
    }

    package var tag: RequestTag?
    package var user: UserProfile
    package var device: DeviceID
    /// The highest fix number of the device that is durable.
    package var acknowledgedSequence: Int64
    /// All groups; nil for a light session, which is not told of them.
    package var groups: [Group]?
    /// Whom the person does not want to hear of; nil for a session that knows no rooms.
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
package struct Acknowledgement: Sendable, Equatable, Codable {
    /// A fix that is stored but not used, with the reason.
    package struct Rejection: Sendable, Equatable, Codable {
        package var sequence: Int64
        package var verdict: FixVerdict

        /// Names a rejected fix.
        package init(sequence: Int64, verdict: FixVerdict) {
            self.sequence = sequence
            self.verdict = verdict
        }
    }

    /// A fix that was taken without some of its fields.
    package struct Reduction: Sendable, Equatable, Codable {
        package var sequence: Int64
        package var dropped: FixDetails

        /// Names the fields that were not taken.
        package init(sequence: Int64, dropped: FixDetails) {
            self.sequence = sequence
            self.dropped = dropped
        }
    }

    /// Every fix up to and including this number is durable or was answered as malformed.
    package var sequence: Int64
    package var rejected: [Rejection]
    /// Fixes of which not all could be taken.
    package var reduced: [Reduction]

    /// Creates an acknowledgement.
    package init(sequence: Int64, rejected: [Rejection] = [], reduced: [Reduction] = []) {
        self.sequence = sequence
        self.rejected = rejected
        self.reduced = reduced
    }
}

/// The exact position of a person, for their own other devices and for whoever they answer.
package struct SelfPosition: Sendable, Equatable, Codable {
    package var coordinate: Coordinate
    package var accuracy: Float?
    package var at: Timestamp
    package var device: DeviceID

    /// Creates a position.
    package init(coordinate: Coordinate, accuracy: Float?, at: Timestamp, device: DeviceID) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.at = at
        self.device = device
    }
}
