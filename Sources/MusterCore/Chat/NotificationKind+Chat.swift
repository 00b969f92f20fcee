extension NotificationKind {
    /// A member who is absent asks those who are together to wait.
    static let waitForMe = NotificationKind(
        "wait_for_me",
        actions: [.locate, .seen],
        text: { content in
            let text = "\(Self.author(of: content)): wait for me"
            guard let eta = content.payload["eta"]?.number, eta >= 0, eta < 1e6 else { return text }
            return "\(text), \(Int((eta / 60).rounded(.up))) min"
        }
    )

    /// A message in a room mentions the user.
    static let mention = NotificationKind(
        "mention",
        actions: [.seen],
        text: { content in
            "\(Self.author(of: content)): \(Isolation.of(content.payload["text"]?.text ?? ""))"
        }
    )

    /// The user has unread messages.
    static let messages = NotificationKind(
        "messages",
        actions: [.seen],
        text: { content in Self.room(of: content).map { "New messages in \($0)" } ?? "New messages" }
    )

    /// The author with the name of the room.
    private static func author(of content: NotificationContent) -> String {
        let name = (content.payload["from"]?["name"]?.text).map(Isolation.of) ?? "Somebody"
        return self.room(of: content).map { "\(name) in \($0)" } ?? name
    }

    /// The name of the room: the event's title, or the group's name.
    private static func room(of content: NotificationContent) -> String? {
        let title = content.payload["title"]?.text.map { Excerpt.withEllipsis($0, longest: 60) }
        return (title ?? content.groupName).map(Isolation.of)
    }
}
