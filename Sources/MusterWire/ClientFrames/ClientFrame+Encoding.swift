package import MusterCore

extension ClientFrame {
    /// The frame's JSON.
    ///
    /// A batch contains only its valid fixes, because a malformed fix cannot be encoded.
    package var encoded: [UInt8] {
        switch self {
        case .hello(let hello): Frame("hello", hello.tag, hello).encoded
        case .ping(let tag): Frame("ping", tag, NoAnswer()).encoded
        case .state(let tag, let isForeground):
            Frame("state", tag, ["state": isForeground ? "foreground" : "background"]).encoded
        case .seen(let tag, .upTo(let number)): Frame("seen", tag, ["upTo": number]).encoded
        case .seen(let tag, .numbers(let numbers)): Frame("seen", tag, ["notifications": numbers]).encoded
        case .request(let tag, let request): request.frame(tag)
        case .location(let tag, let fix): Frame("location", tag, fix.fields).encoded
        case .locations(let tag, let batch):
            Frame("locations", tag, ["fixes": batch.fixes.map(\.fields)]).encoded
        }
    }
}

extension ClientRequest {
    /// The frame's JSON.
    package func frame(_ tag: RequestTag?) -> [UInt8] { Frame(Self.type, tag, self).encoded }
}

extension Hello: Encodable {
    private enum Field: CodingKey {
        case token
        case device
        case resume
    }

    private enum ResumeField: CodingKey {
        case groups
        case notification
        case rooms
    }

    /// The id of a group or room as a field name.
    private struct GroupKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init<Subject>(_ id: Identifier<Subject>) { self.stringValue = id.description }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct KnownRoster: Encodable {
        let epoch: String
        let version: UInt64
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(self.token, forKey: .token)
        try fields.encode(self.device, forKey: .device)
        guard !self.resume.isEmpty || self.knownNotification > 0 || self.rooms != nil else { return }
        var resume = fields.nestedContainer(keyedBy: ResumeField.self, forKey: .resume)
        var groups = resume.nestedContainer(keyedBy: GroupKey.self, forKey: .groups)
        for (group, known) in self.resume.sorted(by: { $0.key < $1.key }) {
            try groups.encode(KnownRoster(epoch: known.epoch, version: known.version), forKey: GroupKey(group))
        }
        try resume.encode(self.knownNotification, forKey: .notification)
        guard let positions = self.rooms else { return }
        var rooms = resume.nestedContainer(keyedBy: GroupKey.self, forKey: .rooms)
        for (room, known) in positions.sorted(by: { $0.key < $1.key }) {
            try rooms.encode(
                ["epoch": known.epoch, "version": known.version, "read": known.read] as FieldList,
                forKey: GroupKey(room)
            )
        }
    }
}

extension Fix {
    fileprivate var fields: FieldList {
        ["seq": self.sequence] + self.coordinate.fields + [
            "accuracy": self.accuracy, "at": self.at, "altitude": self.altitude, "speed": self.speed,
            "course": self.course, "battery": self.battery, "trigger": self.trigger?.rawValue, "answer": self.answer,
        ]
    }
}
