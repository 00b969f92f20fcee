extension NotificationKind {
    /// The others are together without the user, or left without them.
    static let leftWithoutYou = NotificationKind(
        "left_without_you",
        layout: [
            "notification", "group", "groupName", "gathering", "variant", "at", "since", "late", "place", "together",
            "distance", "you",
        ],
        actions: [.wait, .locate],
        push: PushRule(lifetime: .milliseconds(1_800_000), urgency: .high),
        text: { content, language in
            let others = content.groupName.map(Isolation.of) ?? NotificationWords.theOthers.text(in: language)
            let hasDeparted = content.payload["variant"]?.text == LeftWithoutYou.Variant.departed.rawValue
            let words: NotificationWords = hasDeparted ? .departed : .together
            let sentence = words.text(in: language, ["group": others])
            guard let distance = content.payload["distance"]?.number else { return sentence }
            return NotificationWords.distance.text(
                in: language,
                ["text": sentence, "distance": Self.inWords(metres: distance, language)]
            )
        }
    )

    /// A distance for display: `840 m`, `2.1 km`, `14 km`.
    private static func inWords(metres: Double, _ language: Language) -> String {
        guard metres >= 0, metres < 1e8 else { return NotificationWords.far.text(in: language) }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        let separator = NotificationWords.decimalSeparator.text(in: language)
        return tenths < 100
            ? "\(tenths / 10)\(separator)\(tenths % 10) km" : "\(Int((metres / 1000).rounded())) km"
    }
}
