import MusterCore
import MusterWire

/// Creates a group with the user as its owner.
struct GroupCreate: ClientRequest {
    typealias Answer = GroupAnswer
    static let type = "group.create"
    static let order = RequestOrder.barrier

    /// The group's name, 1…80 characters.
    var name: String
    /// The settings that differ from the defaults; nil for none.
    var settings: GroupSettingsPatch?

    /// Creates a request.
    init(name: String, settings: GroupSettingsPatch? = nil) {
        self.name = name
        self.settings = settings
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(name: try fields.required("name", fields.text("name", .displayName)), settings: try fields.settings())
    }
}

/// Requests all groups of the user.
struct GroupList: ClientRequest {
    typealias Answer = GroupsAnswer
    static let type = "group.list"
    static let order = RequestOrder.concurrent

    /// Creates a request.
    init() {}

    init(reading fields: JSONFields) {}
}

/// Renames a group or changes its settings, as its owner.
struct GroupUpdate: ClientRequest {
    typealias Answer = GroupAnswer
    static let type = "group.update"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .groupUpdate

    var group: GroupID
    /// The new name, 1…80 characters; nil for no change.
    var name: String?
    /// The changed settings; nil for none.
    var settings: GroupSettingsPatch?

    /// Creates a request.
    init(group: GroupID, name: String? = nil, settings: GroupSettingsPatch? = nil) {
        self.group = group
        self.name = name
        self.settings = settings
    }

    var ratedSubject: Int64? { self.group.rawValue }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            group: try fields.group(),
            name: try fields.text("name", .displayName),
            settings: try fields.settings()
        )
    }
}

/// Creates an invite to a group, as any member.
struct GroupInvite: ClientRequest {
    typealias Answer = InviteAnswer
    static let type = "group.invite"
    static let order = RequestOrder.concurrent

    var group: GroupID
    /// The lifetime in seconds, 1…31,536,000; nil for a week.
    var expiresIn: Int?
    /// The maximum number of uses, 1…10,000; nil for no limit.
    var uses: Int?

    /// Creates a request.
    init(group: GroupID, expiresIn: Int? = nil, uses: Int? = nil) {
        self.group = group
        self.expiresIn = expiresIn
        self.uses = uses
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            group: try fields.group(),
            expiresIn: try fields.integer("expiresIn", in: 1...31_536_000),
            uses: try fields.integer("uses", in: 1...10_000)
        )
    }
}

/// Revokes an invite, as the owner of its group.
struct GroupRevoke: ClientRequest {
    static let type = "group.revoke"
    static let order = RequestOrder.barrier

    var code: String

    /// Creates a request.
    init(code: String) { self.code = code }

    init(reading fields: JSONFields) throws(FrameError) { self.init(code: try fields.code()) }
}

/// Joins the group of an invite.
struct GroupJoin: ClientRequest {
    typealias Answer = GroupAnswer
    static let type = "group.join"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .membership

    var code: String

    /// Creates a request.
    init(code: String) { self.code = code }

    init(reading fields: JSONFields) throws(FrameError) { self.init(code: try fields.code()) }
}

/// Leaves a group.
struct GroupLeave: ClientRequest {
    static let type = "group.leave"
    static let order = RequestOrder.barrier
    static let rate: RequestRate? = .membership

    var group: GroupID

    /// Creates a request.
    init(group: GroupID) { self.group = group }

    var isNeverRefused: Bool { true }

    init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
}

/// Removes a member from a group, as its owner.
struct GroupRemove: ClientRequest {
    static let type = "group.remove"
    static let order = RequestOrder.barrier

    var group: GroupID
    var user: UserID

    /// Creates a request.
    init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// Deletes a group, as its owner.
struct GroupDelete: ClientRequest {
    static let type = "group.delete"
    static let order = RequestOrder.barrier

    var group: GroupID

    /// Creates a request.
    init(group: GroupID) { self.group = group }

    init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
}

extension JSONFields {
    /// Returns the field `group`.
    func group() throws(FrameError) -> GroupID { try self.required("group", self.identifier("group")) }

    /// Returns the field `user`.
    func user() throws(FrameError) -> UserID { try self.required("user", self.identifier("user")) }

    /// Returns the code of an invite.
    fileprivate func code() throws(FrameError) -> String {
        try self.required("code", self.string("code", length: 1...64))
    }

    /// Returns the field `settings`; nil when it changes nothing.
    fileprivate func settings() throws(FrameError) -> GroupSettingsPatch? {
        let patch = try GroupSettingsPatch(reading: self)
        return patch.isEmpty ? nil : patch
    }
}
