extension NotificationKind {
    /// A member who is absent asks those who are together to wait.
    static let waitForMe = NotificationKind(
        "wait_for_me",
        actions: [.locate, .seen],
        push: PushRule(lifetime: .milliseconds(1_800_000), urgency: .high),
        text: { content, language in
            let name = Self.author(of: content, in: language)
            guard let eta = content.payload["eta"]?.number, eta >= 0, eta < 1e6 else {
                return NotificationWords.waitForMe.text(in: language, ["name": name])
            }
            let minutes = "\(Int((eta / 60).rounded(.up)))"
            return NotificationWords.waitForMeMinutes.text(in: language, ["name": name, "minutes": minutes])
        }
    )

    /// A message in a room mentions the user.
    static let mention = NotificationKind(
        "mention",
        actions: [.seen],
        push: PushRule(lifetime: .milliseconds(86_400_000), urgency: .normal, collapse: "room"),
        text: { content, language in
            "\(Self.author(of: content, in: language)): \(Isolation.of(content.payload["text"]?.text ?? ""))"
        }
    )

    /// The user has unread messages.
    static let messages = NotificationKind(
        "messages",
        actions: [.seen],
        push: PushRule(wait: 60_000, lifetime: .milliseconds(86_400_000), urgency: .low, collapse: "room"),
        text: { content, language in
            Self.room(of: content).map { NotificationWords.newMessagesInRoom.text(in: language, ["room": $0]) }
                ?? NotificationWords.newMessages.text(in: language)
        }
    )

    /// The author with the name of the room.
    private static func author(of content: NotificationContent, in language: Language) -> String {
        let name = (content.payload["from"]?["name"]?.text).map(Isolation.of)
        let author = name ?? NotificationWords.somebody.text(in: language)
        return self.room(of: content).map {
            NotificationWords.inRoom.text(in: language, ["name": author, "room": $0])
        } ?? author
    }

    /// The name of the room: the event's title, or the group's name.
    private static func room(of content: NotificationContent) -> String? {
        let title = content.payload["title"]?.text.map { Excerpt.withEllipsis($0, longest: 60) }
        return (title ?? content.groupName).map(Isolation.of)
    }
}
