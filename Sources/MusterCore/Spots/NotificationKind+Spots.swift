extension NotificationKind {
    /// A new spot near the user; its payload is the frame of that name.
    package static let newSpot = NotificationKind(
        "new_spot",
        actions: [.like, .dislike],
        isDurable: false,
        text: { content in
            let comment = Excerpt.of(content.payload["spot"]?["comment"]?.text ?? "a spot", longest: 80)
            return "New near you: \(Isolation.of(comment))"
        }
    )
}
