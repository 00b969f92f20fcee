import MusterCore

// A frame is the head that all kinds have, and the payload's fields as they are. Where they stand is the kind's choice.

extension NumberedNotification {
    /// The head of kinds that do not choose; a payload cannot have fields of these names.
    private static let head = ["notification", "at", "late", "group", "groupName"]

    /// Appends the frame's JSON, but for the last brace.
    func append(to frame: inout [UInt8], isLate: Bool, names: IdentityNames?) {
        frame.append(json: #"{"type":"#)
        frame.append(string: self.content.kind)
        var layout = NotificationKind.named(self.content.kind)?.layout ?? []
        if layout.isEmpty { layout = Self.head }
        for name in layout { self.append(name, to: &frame, isLate: isLate, names: names) }
        for field in self.content.payload.fields where !layout.contains(field.name) && !Self.head.contains(field.name) {
            frame.append(field, names: names)
        }
    }

    private func append(_ name: String, to frame: inout [UInt8], isLate: Bool, names: IdentityNames?) {
        switch name {
        case "notification":
            frame.append(json: #","notification":"#)
            frame.append(integer: self.number)
        case "at":
            frame.append(json: #","at":"#)
            frame.append(time: self.content.at)
        case "late":
            frame.append(json: #","late":"#)
            frame.append(bool: isLate)
        case "group":
            guard let group = self.content.group else { return }
            frame.append(json: #","group":"#)
            frame.append(group: group, names: names)
        case "groupName":
            guard self.content.group != nil, let groupName = self.content.groupName else { return }
            frame.append(json: #","groupName":"#)
            frame.append(string: groupName)
        default:
            guard let value = self.content.payload[name] else { return }
            frame.append(.init(name, value), names: names)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ field: NotificationPayload.Field, names: IdentityNames?) {
        self.separateFromPrevious()
        self.append(string: field.name)
        self.append(UInt8(ascii: ":"))
        self.append(field.value, names: names)
    }

    /// Appends a value of a payload.
    mutating func append(_ value: NotificationPayload.Value, names: IdentityNames?) {
        switch value {
        case .null: self.append(json: "null")
        case .bool(let truth): self.append(bool: truth)
        case .integer(let number): self.append(integer: number)
        case .number(let number): self.append(number: number, decimals: 7)
        case .text(let text): self.append(string: text)
        case .user(let user): self.append(user: user, names: names)
        case .list(let values):
            self.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { self.append(UInt8(ascii: ",")) }
                self.append(value, names: names)
            }
            self.append(UInt8(ascii: "]"))
        case .object(let fields):
            self.append(UInt8(ascii: "{"))
            for field in fields { self.append(field, names: names) }
            self.append(UInt8(ascii: "}"))
        }
    }
}
