import MusterCore
package import MusterWire

// A frame is a head that all kinds share, followed by the payload's fields. A kind may define another order.

extension NumberedNotification {
    /// The default head.
    ///
    /// A payload must not have fields with these names.
    private static let head = ["notification", "at", "late", "group", "groupName"]

    /// Returns the frame of the notification.
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
