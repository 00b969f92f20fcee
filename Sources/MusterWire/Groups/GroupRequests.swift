package import MusterCore

/// Creates a group with the user as its owner.
package struct GroupCreate: ClientRequest {
    package typealias Answer = GroupAnswer
    package static let type = "group.create"
    package static let order = RequestOrder.barrier

    /// The group's name, 1…80 characters.
    package var name: String
    /// The settings that differ from the defaults; nil for none.
    package var settings: GroupSettingsPatch?

    /// Creates a request.
    package init(name: String, settings: GroupSettingsPatch? = nil) {
        self.name = name
        self.settings = settings
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(name: try fields.required("name", fields.text("name", .displayName)), settings: try fields.settings())
    }
}

/// Requests all groups of the user.
package struct GroupList: ClientRequest {
    package typealias Answer = GroupsAnswer
    package static let type = "group.list"
    package static let order = RequestOrder.concurrent

    /// Creates a request.
    package init() {}

    package init(reading fields: JSONFields) {}
}

/// Renames a group or changes its settings, as its owner.
package struct GroupUpdate: ClientRequest {
    package typealias Answer = GroupAnswer
    package static let type = "group.update"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .groupUpdate

    package var group: GroupID
    /// The new name, 1…80 characters; nil for no change.
    package var name: String?
    /// The changed settings; nil for none.
    package var settings: GroupSettingsPatch?

    /// Creates a request.
    package init(group: GroupID, name: String? = nil, settings: GroupSettingsPatch? = nil) {
        self.group = group
        self.name = name
        self.settings = settings
    }

    package var ratedSubject: Int64? { self.group.rawValue }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            group: try fields.group(),
            name: try fields.text("name", .displayName),
            settings: try fields.settings()
        )
    }
}

/// Creates an invite to a group, as any member.
package struct GroupInvite: ClientRequest {
    package typealias Answer = InviteAnswer
    package static let type = "group.invite"
    package static let order = RequestOrder.concurrent

    package var group: GroupID
    /// The lifetime in seconds, 1…31,536,000; nil for a week.
    package var expiresIn: Int?
    /// The maximum number of uses, 1…10,000; nil for no limit.
    package var uses: Int?

    /// Creates a request.
    package init(group: GroupID, expiresIn: Int? = nil, uses: Int? = nil) {
        self.group = group
        self.expiresIn = expiresIn
        self.uses = uses
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            group: try fields.group(),
            expiresIn: try fields.integer("expiresIn", in: 1...31_536_000),
            uses: try fields.integer("uses", in: 1...10_000)
        )
    }
}

/// Revokes an invite, as the owner of its group.
package struct GroupRevoke: ClientRequest {
    package static let type = "group.revoke"
    package static let order = RequestOrder.barrier

    package var code: String

    /// Creates a request.
    package init(code: String) { self.code = code }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(code: try fields.code()) }
}

/// Joins the group of an invite.
package struct GroupJoin: ClientRequest {
    package typealias Answer = GroupAnswer
    package static let type = "group.join"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .membership

    package var code: String

    /// Creates a request.
    package init(code: String) { self.code = code }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(code: try fields.code()) }
}

/// Leaves a group.
package struct GroupLeave: ClientRequest {
    package static let type = "group.leave"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .membership

    package var group: GroupID

    /// Creates a request.
    package init(group: GroupID) { self.group = group }

    package var isNeverRefused: Bool { true }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
}

/// Removes a member from a group, as its owner.
package struct GroupRemove: ClientRequest {
    package static let type = "group.remove"
    package static let order = RequestOrder.barrier

    package var group: GroupID
    package var user: UserID

    /// Creates a request.
    package init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// Deletes a group, as its owner.
package struct GroupDelete: ClientRequest {
    package static let type = "group.delete"
    package static let order = RequestOrder.barrier

    package var group: GroupID

    /// Creates a request.
    package init(group: GroupID) { self.group = group }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
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
