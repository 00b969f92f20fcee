extension NotificationKind {
    /// A locate request; its payload is the frame of that name.
    package static let locate = NotificationKind(
        "locate",
        actions: [.answer, .refuse],
        isDurable: false,
        push: PushRule(wait: 0, lifetime: .own, urgency: .high, collapse: "asker"),
        text: { content, language in
            let name = (content.payload["from"]?["name"]?.text).map(Isolation.of)
            let asker = name ?? NotificationWords.somebody.text(in: language)
            return NotificationWords.locate.text(in: language, ["name": asker])
        }
    )
}
