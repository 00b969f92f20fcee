// A new kind needs an entry in `table` and a row in `muster.notification_kind`.

/// The properties of a kind of notification.
package struct NotificationKind: Sendable {
    /// An action on a notification that does not require opening the app.
    package enum Action: String, Sendable, CaseIterable {
        /// Ask the others to wait.
        case wait
        /// Ask the others where they are.
        case locate
        /// Dismiss it.
        case seen
        /// Accept the plan.
        case comeAlong = "in"
        /// Decline the plan.
        case stayAway = "out"
        /// Like the spot.
        case like
        /// Dislike the spot.
        case dislike
        /// Answer with the position.
        case answer
        /// Refuse to send the position.
        case refuse

        /// Whether the service worker opens the page for it, instead of asking the server to execute it.
        package var opensPage: Bool { self == .locate || self == .answer }

        /// The label of its button.
        package func title(in language: Language) -> String {
            let words: NotificationWords =
                switch self {
                case .wait: .wait
                case .locate: .locateAction
                case .seen: .seen
                case .comeAlong: .comeAlong
                case .stayAway: .stayAway
                case .like: .like
                case .dislike: .dislike
                case .answer: .answer
                case .refuse: .refuse
                }
            return words.text(in: language)
        }
    }

    /// The maximum number of characters of a text.
    package static let longestText = 120

    /// The name: the `type` of the frame, and the key of its row.
    package let name: String
    /// The fields of the frame after `type`, by name; empty for the default layout.
    ///
    /// Payload fields that are not listed here come last, in their own order.
    package let layout: [String]
    /// The available actions.
    package let actions: [Action]
    /// The way in which it is pushed to people whose app is closed.
    package let push: PushRule
    /// Whether it is stored, numbered and sent until it is seen.
    ///
    /// Otherwise it is sent to online users and only pushed to others.
    package let isDurable: Bool
    private let words: @Sendable (NotificationContent, Language) -> String

    /// Describes a kind.
    package init(
        _ name: String,
        layout: [String] = [],
        actions: [Action],
        isDurable: Bool = true,
        push: PushRule,
        text: @escaping @Sendable (NotificationContent, Language) -> String
    ) {
        self.name = name
        self.layout = layout
        self.actions = actions
        self.isDurable = isDurable
        self.push = push
        self.words = text
    }

    /// The sentence for glances and pushes, of at most `longestText` characters; it contains no positions.
    package func text(of content: NotificationContent, in language: Language = .english) -> String {
        Excerpt.withEllipsis(self.words(content, language), longest: Self.longestText)
    }

    /// The kind with a name; nil when there is none.
    package static func named(_ name: String) -> NotificationKind? { self.table.first { $0.name == name } }

    /// All kinds.
    package static let table = [
        NotificationKind.leftWithoutYou, .waitForMe, .mention, .messages, .planProposed, .eventChanged, .eventCancelled,
        .eventPlace, .eventSoon, .newSpot, .locate, .placeArrived, .placeLeft,
    ]
}
