import MusterCore
import MusterWire

/// A group as its member sees it.
struct GroupView: Encodable, Equatable, Sendable {
    private let id: GroupID
    private let name: String
    private let role: GroupSnapshot.Role
    private let settings: GroupSettings
    /// The member's sharing settings; nil, and not encoded, where they are not needed.
    private let sharing: SharingView?
    /// The group's places; nil, and not encoded, where they are not needed.
    private let places: [GroupPlaceView]?

    /// Creates the view of a group.
    init(_ group: Welcome.Group) {
        self.id = group.id
        self.name = group.name
        self.role = group.role
        self.settings = group.settings
        self.sharing = group.sharing.map(SharingView.init)
        self.places = group.places.map { $0.map { GroupPlaceView($0) } }
    }
}

/// The sharing settings of a member for a group.
struct SharingView: Encodable, Equatable, Sendable {
    private let mode: Sharing.Mode
    @Nullable private var until: Timestamp?
    /// The mode after `until`; nil, and not encoded, without one.
    private let then: Sharing.After?
    private let pictures: Bool

    init(_ sharing: Sharing) {
        self.mode = sharing.mode
        self.until = sharing.until
        self.then = SharingTerms(sharing).then
        self.pictures = sharing.isPictured
    }
}

/// The current group.
struct GroupAnswer: Encodable, Equatable, Sendable {
    private let group: GroupView
    private let warning: String?

    /// Creates the answer.
    ///
    /// `warning` is the reason why the group's settings cannot work; nil when they can.
    init(_ group: Welcome.Group, warning: String? = nil) {
        self.group = GroupView(group)
        self.warning = warning
    }
}

/// All groups of the user.
struct GroupsAnswer: Encodable, Equatable, Sendable {
    private let groups: [GroupView]

    /// Creates the answer for groups.
    init(_ groups: [Welcome.Group]) { self.groups = groups.map(GroupView.init) }
}

/// An invite.
struct InviteAnswer: Encodable, Equatable, Sendable {
    private let code: String
    private let url: String
    private let expiresAt: Timestamp
    @Nullable private var uses: Int?

    /// Creates the answer: the code, the link to pass on, the expiry, and the number of remaining uses; nil for no
    /// limit.
    init(code: String, url: String, expiresAt: Timestamp, uses: Int?) {
        self.code = code
        self.url = url
        self.expiresAt = expiresAt
        self.uses = uses
    }
}
