package import MusterCore

extension ClientFrame {
    /// The frame's JSON; of a batch only the good fixes, because a malformed one has no form.
    package var encoded: [UInt8] {
        switch self {
        case .hello(let hello): Frame("hello", hello.tag, hello).encoded
        case .ping(let tag): Frame("ping", tag, NoAnswer()).encoded
        case .state(let tag, let isForeground):
            Frame("state", tag, ["state": isForeground ? "foreground" : "background"]).encoded
        case .seen(let tag, .upTo(let number)): Frame("seen", tag, ["upTo": number]).encoded
        case .seen(let tag, .numbers(let numbers)): Frame("seen", tag, ["notifications": numbers]).encoded
        case .request(let tag, let request): request.frame(tag)
        case .location(let tag, let fix): Self.encoded(fix, tag)
        case .locations(let tag, let batch): Self.encoded(batch, tag)
        }
    }

    private static func encoded(_ fix: Fix, _ tag: RequestTag?) -> [UInt8] {
        var frame: [UInt8] = []
        frame.append(json: #"{"type":"location""#)
        frame.append(tag: tag)
        frame.append(json: ",")
        frame.append(fix: fix)
        frame.append(json: "}")
        return frame
    }

    private static func encoded(_ batch: FixBatch, _ tag: RequestTag?) -> [UInt8] {
        var frame: [UInt8] = []
        frame.append(json: #"{"type":"locations""#)
        frame.append(tag: tag)
        frame.append(json: #","fixes":"#)
        frame.append(array: batch.fixes) { frame, fix in
            frame.append(json: "{")
            frame.append(fix: fix)
            frame.append(json: "}")
        }
        frame.append(json: "}")
        return frame
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
    }

    /// A group's id as the name of a field.
    private struct GroupKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(_ group: GroupID) { self.stringValue = group.description }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct HeldRoster: Encodable {
        let epoch: String
        let version: UInt64
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(self.token, forKey: .token)
        try fields.encode(self.device, forKey: .device)
        guard !self.resume.isEmpty || self.heldNotification > 0 else { return }
        var resume = fields.nestedContainer(keyedBy: ResumeField.self, forKey: .resume)
        var groups = resume.nestedContainer(keyedBy: GroupKey.self, forKey: .groups)
        for (group, held) in self.resume.sorted(by: { $0.key < $1.key }) {
            try groups.encode(HeldRoster(epoch: held.epoch, version: held.version), forKey: GroupKey(group))
        }
        try resume.encode(self.heldNotification, forKey: .notification)
    }
}

extension [UInt8] {
    /// Appends a fix's fields without braces.
    fileprivate mutating func append(fix: Fix) {
        self.append(json: #""seq":"#)
        self.append(integer: fix.sequence)
        self.append(json: ",")
        self.append(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
        self.append(#","accuracy":"#, number: fix.accuracy)
        self.append(#","at":"#, integer: fix.at?.milliseconds)
        self.append(#","altitude":"#, number: fix.altitude)
        self.append(#","speed":"#, number: fix.speed)
        self.append(#","course":"#, number: fix.course)
        self.append(#","battery":"#, number: fix.battery)
        if let trigger = fix.trigger {
            self.append(json: #","trigger":"#)
            self.append(string: trigger.rawValue)
        }
        if let answer = fix.answer {
            self.append(json: #","answer":"#)
            self.append(id: answer)
        }
    }

    fileprivate mutating func append(_ name: StaticString, integer: Int64?) {
        guard let integer else { return }
        self.append(json: name)
        self.append(integer: integer)
    }
}
