package import MusterCore

/// Has one hear no more of a person.
package struct UserBlock: ClientRequest {
    package static let type = "user.block"
    package static let order = RequestOrder.line("blocks")

    package var user: UserID

    /// Names a person.
    package init(_ user: UserID) { self.user = user }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.required("user", fields.identifier("user")))
    }
}

/// Has one hear of a person again.
package struct UserUnblock: ClientRequest {
    package static let type = "user.unblock"
    package static let order = RequestOrder.line("blocks")

    package var user: UserID

    /// Names a person.
    package init(_ user: UserID) { self.user = user }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.required("user", fields.identifier("user")))
    }
}

/// Tells the operator what is wrong.
package struct Report: ClientRequest {
    /// What kind of thing is wrong.
    package enum Subject: String, Sendable, Encodable, CaseIterable {
        case message
        case event
        case spot
        case pin
        case photo
        case user
    }

    package static let type = "report"
    package static let order = RequestOrder.beside
    package static let rate: RequestRate? = .report

    /// What the reason must be.
    package static let reasonRule = TextRule.lines(1...500)

    package var what: Subject
    /// Its id; of a message its number in the room.
    package var subject: Int64
    /// The room of a message.
    package var room: RoomID?
    package var reason: String

    /// Describes a report.
    package init(_ what: Subject, _ subject: Int64, room: RoomID? = nil, reason: String) {
        self.what = what
        self.subject = subject
        self.room = room
        self.reason = reason
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        // A mark of the request that is an id says as well what is wrong.
        let named: ReportID? = try fields.identifier("subject")
        let subject =
            if let named { named } else { try fields.required("subject", fields.identifier("id") as ReportID?) }
        self.init(
            try fields.required("what", fields.choice("what")),
            subject.rawValue,
            room: try fields.identifier("room"),
            reason: try fields.required("reason", fields.text("reason", Self.reasonRule))
        )
        if self.what == .message { _ = try fields.required("room", self.room) }
    }

    private enum Field: CodingKey {
        case what
        case subject
        case room
        case reason
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(self.what, forKey: .what)
        try fields.encode(ReportID(self.subject), forKey: .subject)
        if let room { try fields.encode(room, forKey: .room) }
        try fields.encode(self.reason, forKey: .reason)
    }
}
