package import MusterCore

/// A group as its member sees it.
package struct GroupView: Encodable, Equatable, Sendable {
    private let id: GroupID
    private let name: String
    private let role: GroupSnapshot.Role
    private let settings: GroupSettings
    /// Only where it is said.
    private let sharing: SharingView?

    /// Shows a group.
    package init(_ group: Welcome.Group) {
        self.id = group.id
        self.name = group.name
        self.role = group.role
        self.settings = group.settings
        self.sharing = group.sharing.map(SharingView.init)
    }
}

/// What somebody lets a group see.
struct SharingView: Encodable, Equatable, Sendable {
    private let mode: Sharing.Mode
    @Nullable private var until: Timestamp?
    private let pictures: Bool

    init(_ sharing: Sharing) {
        self.mode = sharing.mode
        self.until = sharing.until
        self.pictures = sharing.isPictured
    }
}

/// The group as it is now.
package struct GroupAnswer: Encodable, Equatable, Sendable {
    private let group: GroupView
    private let warning: String?

    /// Shows a group, and says why its settings cannot work; nil when they can.
    package init(_ group: Welcome.Group, warning: String? = nil) {
        self.group = GroupView(group)
        self.warning = warning
    }
}

/// All of one's groups.
package struct GroupsAnswer: Encodable, Equatable, Sendable {
    private let groups: [GroupView]

    /// Shows groups.
    package init(_ groups: [Welcome.Group]) { self.groups = groups.map(GroupView.init) }
}

/// An invite.
package struct InviteAnswer: Encodable, Equatable, Sendable {
    private let code: String
    private let url: String
    private let expiresAt: Timestamp
    @Nullable private var uses: Int?

    /// Shows an invite: its code, the link to pass on, its end, and how many may still join; nil when any number may.
    package init(code: String, url: String, expiresAt: Timestamp, uses: Int?) {
        self.code = code
        self.url = url
        self.expiresAt = expiresAt
        self.uses = uses
    }
}
