extension NotificationKind {
    /// The others are together without the user, or left without them.
    static let leftWithoutYou = NotificationKind(
        "left_without_you",
        layout: [
            "notification", "group", "groupName", "gathering", "variant", "at", "since", "late", "place", "together",
            "distance", "you",
        ],
        actions: [.wait, .locate],
        text: { content in
            let others = content.groupName.map(Isolation.of) ?? "The others"
            let departed = content.payload["variant"]?.text == LeftWithoutYou.Variant.departed.rawValue
            let sentence = departed ? "\(others) left without you" : "\(others) are together without you"
            return content.payload["distance"]?.number.map { "\(sentence), \(Self.inWords(metres: $0)) away" }
                ?? sentence
        }
    )

    /// A distance for display: `840 m`, `2.1 km`, `14 km`.
    private static func inWords(metres: Double) -> String {
        guard metres >= 0, metres < 1e8 else { return "far" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) km" : "\(Int((metres / 1000).rounded())) km"
    }
}
