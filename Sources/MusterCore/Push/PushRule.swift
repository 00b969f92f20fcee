/// The way in which a kind of notification reaches people whose app is closed.
package struct PushRule: Sendable {
    /// The urgency for push services (RFC 8030, 5.3).
    package enum Urgency: String, Sendable {
        case low
        case normal
        case high
    }

    /// The end of a push: until then, push services keep it for a device that is off.
    package enum Lifetime: Sendable {
        /// Milliseconds after the notification.
        case milliseconds(Int64)
        /// The time in the field `startsAt`, at least an hour after the notification.
        case untilStart
        /// The end that is stored with the request itself.
        case own
    }

    /// The payload field that identifies pushes of which only the newest is shown; nil for the group.
    package let collapse: String?
    /// Whether it is sent to people who have not chosen.
    package let isOn: Bool
    /// Milliseconds before it is sent, in which it may still be seen in an open app.
    package let wait: Int64
    package let lifetime: Lifetime
    package let urgency: Urgency

    /// Whether it waits while the app is open.
    ///
    /// What has an end of its own asks the open app, too, and is of no use later.
    var waitsForOpenApp: Bool { if case .own = self.lifetime { false } else { true } }

    /// Creates a rule.
    init(
        isOn: Bool = true,
        wait: Int64 = 5_000,
        lifetime: Lifetime,
        urgency: Urgency,
        collapse: String? = nil
    ) {
        self.isOn = isOn
        self.wait = wait
        self.lifetime = lifetime
        self.urgency = urgency
        self.collapse = collapse
    }
}

extension NotificationContent {
    /// The tag by which a newer push of the same kind and subject replaces an older one.
    package var pushTag: String {
        let field = NotificationKind.named(self.kind)?.push.collapse
        let subject: String? =
            if let field {
                self.payload[field]?.text ?? self.payload["from"]?["id"]?.text
                    ?? self.payload[field]?["id"]?.text.map { "\($0):\(self.from?.description ?? "")" }
            } else {
                self.group?.description
            }
        return "\(self.kind):\(subject ?? "")"
    }
}
