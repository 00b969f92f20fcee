import MusterCore
import MusterWire

/// The content of a push for one target.
struct PushMessage: Sendable {
    /// The kind of the messages by which users test a target.
    static let testKind = "test"

    var content: NotificationContent
    /// The number of the notification; nil for what is not stored as one.
    var number: Int64?
    var language: Language
    /// The right to execute its actions; nil when it has none.
    var act: String?
    /// Whether the text is left out.
    var isWithoutBody = false

    private var kind: NotificationKind? { NotificationKind.named(self.content.kind) }

    /// The line above the text: the group or the event.
    var title: String {
        let title = self.content.groupName ?? self.content.payload["title"]?.text ?? "Muster"
        return String(title.prefix(NotificationKind.longestText))
    }

    /// The text, which contains no positions.
    var body: String {
        self.kind?.text(of: self.content, in: self.language) ?? NotificationWords.test.text(in: self.language)
    }

    /// The subject of its actions: the notification, or the request that is not stored as one.
    var subject: Int64? {
        self.number
            ?? (self.content.payload["request"] ?? self.content.payload["spot"]?["id"])?.text.flatMap { Int64($0) }
    }

    /// The address of the page that shows it.
    var url: String { self.content.group.map { "/#/g/\($0)/people" } ?? "/" }

    /// The JSON for browsers and webhooks.
    var json: [UInt8] {
        let actions = (self.kind?.actions ?? []).map { action -> FieldList in
            [
                "action": action.rawValue, "title": action.title(in: self.language),
                "opens": action.opensPage,
            ]
        }
        let fields: FieldList = [
            "v": 1, "kind": self.content.kind, "notification": PushNumber(self.number), "group": self.content.group,
            "title": self.title, "body": self.isWithoutBody ? nil : self.body, "tag": self.content.pushTag,
            "url": self.url, "at": self.content.at, "actions": actions, "act": self.act,
        ]
        return WireEncoder.encode(fields)
    }
}

/// The number of a notification, or null.
private struct PushNumber: Encodable {
    let number: Int64?

    init(_ number: Int64?) { self.number = number }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number { try container.encode(number) } else { try container.encodeNil() }
    }
}
