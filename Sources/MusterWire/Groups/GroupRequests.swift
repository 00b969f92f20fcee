package import MusterCore

/// Makes a group whose owner one is.
package struct GroupCreate: ClientRequest {
    package typealias Answer = GroupAnswer
    package static let type = "group.create"
    package static let order = RequestOrder.barrier

    /// What members call it, 1…80 characters.
    package var name: String
    /// What differs from the defaults; nil when nothing does.
    package var settings: GroupSettingsPatch?

    /// Asks for a group.
    package init(name: String, settings: GroupSettingsPatch? = nil) {
        self.name = name
        self.settings = settings
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(name: try fields.required("name", fields.text("name", .displayName)), settings: try fields.settings())
    }
}

/// Asks for all of one's groups.
package struct GroupList: ClientRequest {
    package typealias Answer = GroupsAnswer
    package static let type = "group.list"
    package static let order = RequestOrder.beside

    /// Asks for them.
    package init() {}

    package init(reading fields: JSONFields) {}
}

/// Renames a group or changes its settings, for its owner.
package struct GroupUpdate: ClientRequest {
    package typealias Answer = GroupAnswer
    package static let type = "group.update"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .groupUpdate

    package var group: GroupID
    /// 1…80 characters; nil keeps it.
    package var name: String?
    /// What changes; nil when nothing does.
    package var settings: GroupSettingsPatch?

    /// Asks for a change.
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

/// Makes an invite to a group, for any member.
package struct GroupInvite: ClientRequest {
    package typealias Answer = InviteAnswer
    package static let type = "group.invite"
    package static let order = RequestOrder.beside

    package var group: GroupID
    /// Seconds, 1…31,536,000; nil for a week.
    package var expiresIn: Int?
    /// How many it lets in, 1…10,000; nil for any number.
    package var uses: Int?

    /// Asks for an invite.
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

/// Makes an invite worthless, for the owner of its group.
package struct GroupRevoke: ClientRequest {
    package static let type = "group.revoke"
    package static let order = RequestOrder.barrier

    package var code: String

    /// Names the invite.
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

    /// Names the invite.
    package init(code: String) { self.code = code }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(code: try fields.code()) }
}

/// Leaves a group.
package struct GroupLeave: ClientRequest {
    package static let type = "group.leave"
    package static let order = RequestOrder.barrier
    package static let rate: RequestRate? = .membership

    package var group: GroupID

    /// Names the group.
    package init(group: GroupID) { self.group = group }

    package var isNeverRefused: Bool { true }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
}

/// Takes another person out of a group, for its owner.
package struct GroupRemove: ClientRequest {
    package static let type = "group.remove"
    package static let order = RequestOrder.barrier

    package var group: GroupID
    package var user: UserID

    /// Names the person.
    package init(group: GroupID, user: UserID) {
        self.group = group
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(group: try fields.group(), user: try fields.user())
    }
}

/// Deletes a group, for its owner.
package struct GroupDelete: ClientRequest {
    package static let type = "group.delete"
    package static let order = RequestOrder.barrier

    package var group: GroupID

    /// Names the group.
    package init(group: GroupID) { self.group = group }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(group: try fields.group()) }
}

extension JSONFields {
    /// The field `group`.
    func group() throws(FrameError) -> GroupID { try self.required("group", self.identifier("group")) }

    /// The field `user`.
    func user() throws(FrameError) -> UserID { try self.required("user", self.identifier("user")) }

    /// The code of an invite.
    fileprivate func code() throws(FrameError) -> String {
        try self.required("code", self.string("code", length: 1...64))
    }

    /// The field `settings`; nil when it changes nothing.
    fileprivate func settings() throws(FrameError) -> GroupSettingsPatch? {
        let patch = try GroupSettingsPatch(reading: self)
        return patch.isEmpty ? nil : patch
    }
}
