// The table of PROTOCOL 5 as a value: a feature adds its line, and a row to `muster.notification_kind`.

/// What is known of a kind of notifications in advance.
package struct NotificationKind: Sendable {
    /// What one can do about a notification without opening the app.
    package enum Action: String, Sendable, Codable, CaseIterable {
        /// Ask the others to wait.
        case wait
        /// Ask the others where they are.
        case locate
        /// Have it gone.
        case seen
        /// Say that one comes along.
        case comeAlong = "in"
        /// Say that one does not.
        case stayAway = "out"
        /// Like what is shown.
        case like
        /// Dislike it.
        case dislike
        /// Say where one is.
        case answer
        /// Do not say where one is.
        case refuse
    }

    /// The most characters of a text.
    package static let longestText = 120

    /// Its name: the `type` of the frame, and the key of its row.
    package let name: String
    /// The fields of the frame behind `type`, by name; empty for the usual ones.
    ///
    /// Those of the payload that are not in here come last, in their own order.
    package let layout: [String]
    /// What one can do about it.
    package let actions: [Action]
    /// Whether it is stored, numbered, and sent until it is seen; else it is sent to who is there, and only pushed to others.
    package let isDurable: Bool
    private let words: @Sendable (NotificationContent) -> String

    /// Describes a kind.
    package init(
        _ name: String,
        layout: [String] = [],
        actions: [Action],
        isDurable: Bool = true,
        text: @escaping @Sendable (NotificationContent) -> String
    ) {
        self.name = name
        self.layout = layout
        self.actions = actions
        self.isDurable = isDurable
        self.words = text
    }

    /// A sentence for glances and pushes, of at most `longestText` characters; it says where nobody is.
    package func text(of content: NotificationContent) -> String {
        Excerpt.withEllipsis(self.words(content), longest: Self.longestText)
    }

    /// The kind of a name; nil when there is none.
    package static func named(_ name: String) -> NotificationKind? { self.table.first { $0.name == name } }

    /// All kinds.
    package static let table = [
        NotificationKind.leftWithoutYou, .waitForMe, .mention, .messages, .planProposed, .eventChanged, .eventCancelled,
        .eventPlace, .eventSoon, .newSpot, .locate,
    ]

    /// The others are together, and one is not there.
    package static let leftWithoutYou = NotificationKind(
        "left_without_you",
        layout: [
            "notification", "group", "groupName", "gathering", "variant", "at", "since", "late", "place", "together",
            "distance", "you",
        ],
        actions: [.wait, .locate],
        text: { content in
            let others = "\(content.groupName.map(Isolation.of) ?? "The others") are together without you"
            return content.payload["distance"]?.number.map { "\(others), \(Self.inWords(metres: $0)) away" } ?? others
        }
    )

    /// A distance as one says it: `840 m`, `2.1 km`, `14 km`.
    private static func inWords(metres: Double) -> String {
        guard metres >= 0, metres < 1e8 else { return "far" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) km" : "\(Int((metres / 1000).rounded())) km"
    }
}
