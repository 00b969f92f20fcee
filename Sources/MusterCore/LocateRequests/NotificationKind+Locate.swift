extension NotificationKind {
    /// A locate request; its payload is the frame of that name.
    package static let locate = NotificationKind(
        "locate",
        actions: [.answer, .refuse],
        isDurable: false,
        text: { content in
            let name = (content.payload["from"]?["name"]?.text).map(Isolation.of) ?? "Somebody"
            return "\(name) asks where you are"
        }
    )
}
