package import MusterCore

// A frame is the head that all kinds have, and the payload's fields as they are. Where they stand is the kind's choice.

extension NumberedNotification {
    /// The head of kinds that do not choose; a payload cannot have fields of these names.
    private static let head = ["notification", "at", "late", "group", "groupName"]

    /// The frame that tells of it.
    package func frame(isLate: Bool) -> Frame<FieldList> {
        var layout = NotificationKind.named(self.content.kind)?.layout ?? []
        if layout.isEmpty { layout = Self.head }
        let rest = self.content.payload.fields.filter { !layout.contains($0.name) && !Self.head.contains($0.name) }
        return Frame(
            self.content.kind,
            nil,
            FieldList(layout.map { ($0, self.field($0, isLate: isLate)) }) + NotificationPayload(rest).list
        )
    }

    private func field(_ name: String, isLate: Bool) -> (any Encodable)? {
        switch name {
        case "notification": self.number
        case "at": self.content.at
        case "late": isLate
        case "group": self.content.group
        case "groupName": self.content.group.flatMap { _ in self.content.groupName }
        default: self.content.payload[name].map(NotificationPayload.Written.init)
        }
    }
}
