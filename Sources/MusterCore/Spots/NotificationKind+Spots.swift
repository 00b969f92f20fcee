extension NotificationKind {
    /// A new spot near the user; its payload is the frame of that name.
    package static let newSpot = NotificationKind(
        "new_spot",
        actions: [.like, .dislike],
        isDurable: false,
        push: PushRule(
            isOn: false,
            wait: 60_000,
            lifetime: .milliseconds(14_400_000),
            urgency: .low,
            collapse: "all"
        ),
        text: { content, language in
            let comment = content.payload["spot"]?["comment"]?.text ?? NotificationWords.aSpot.text(in: language)
            return NotificationWords.newSpot.text(
                in: language,
                ["comment": Isolation.of(Excerpt.of(comment, longest: 80))]
            )
        }
    )
}
