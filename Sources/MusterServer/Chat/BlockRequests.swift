import MusterCore
import MusterWire

/// Blocks a user.
struct UserBlock: ClientRequest {
    static let type = "user.block"
    static let order = RequestOrder.line("blocks")

    var user: UserID
    /// The code of an invite whose preview showed the user.
    var invite: String?

    /// Creates a request.
    init(_ user: UserID, invite: String? = nil) {
        self.user = user
        self.invite = invite
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("user", fields.identifier("user")),
            invite: try fields.string("invite", length: 1...64)
        )
    }
}

/// Unblocks a user.
struct UserUnblock: ClientRequest {
    static let type = "user.unblock"
    static let order = RequestOrder.line("blocks")

    var user: UserID

    /// Creates a request.
    init(_ user: UserID) { self.user = user }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.required("user", fields.identifier("user")))
    }
}

/// Reports content or a user to the operator.
package struct Report: ClientRequest {
    /// The kind of the reported object.
    package enum Subject: String, Sendable, CaseIterable {
        case message
        case event
        case spot
        case pin
        case photo
        case user
    }

    package static let type = "report"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .report

    /// The rule for the reason.
    static let reasonRule = TextRule.lines(1...500)

    package var what: Subject
    /// The id of the object; for a message, its number in the room.
    package var subject: Int64
    /// The room of a message.
    var room: RoomID?
    /// The code of an invite whose preview showed the user.
    package var invite: String?
    package var reason: String

    /// Creates a report.
    init(_ what: Subject, _ subject: Int64, room: RoomID? = nil, invite: String? = nil, reason: String) {
        self.what = what
        self.subject = subject
        self.room = room
        self.invite = invite
        self.reason = reason
    }

    init(reading fields: JSONFields) throws(FrameError) {
        // `id` is the request's tag, but a numeric one may also be the reported object's id.
        let named: ReportID? = try fields.identifier("subject")
        let subject =
            if let named { named } else { try fields.required("subject", fields.identifier("id") as ReportID?) }
        self.init(
            try fields.required("what", fields.choice("what")),
            subject.rawValue,
            room: try fields.identifier("room"),
            invite: try fields.string("invite", length: 1...64),
            reason: try fields.required("reason", fields.text("reason", Self.reasonRule))
        )
        if self.what == .message { _ = try fields.required("room", self.room) }
    }
}
