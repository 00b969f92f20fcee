extension NotificationKind {
    private static let eventLayout = [
        "notification", "group", "groupName", "at", "late", "event", "title", "startsAt", "clock", "changed",
    ]
    private static let eventPush = PushRule(lifetime: .untilStart, urgency: .normal, collapse: "event")

    /// The host changed an event.
    package static let eventChanged = NotificationKind(
        "event_changed",
        layout: eventLayout,
        actions: [.seen],
        push: eventPush,
        text: { content, language in
            guard case .list(let changed)? = content.payload["changed"], changed.contains(.text("startsAt")) else {
                return sentence(.eventChanged, of: content, in: language)
            }
            return sentence(.eventMoved, of: content, in: language)
        }
    )

    /// The host cancelled an event.
    package static let eventCancelled = NotificationKind(
        "event_cancelled",
        layout: eventLayout,
        actions: [.seen],
        push: eventPush,
        text: { sentence(.eventCancelled, of: $0, in: $1) }
    )

    /// A guest on the waiting list got a place.
    package static let eventPlace = NotificationKind(
        "event_place",
        layout: eventLayout,
        actions: [.seen],
        push: eventPush,
        text: { sentence(.eventPlace, of: $0, in: $1) }
    )

    /// An event begins within the hour.
    static let eventSoon = NotificationKind(
        "event_soon",
        layout: eventLayout,
        actions: [.seen],
        push: PushRule(wait: 0, lifetime: .untilStart, urgency: .high, collapse: "event"),
        text: { sentence(.eventSoon, of: $0, in: $1) }
    )

    // The rest of the text has at most 25 characters.
    private static func sentence(
        _ words: NotificationWords,
        of content: NotificationContent,
        in language: Language
    ) -> String {
        let title = content.payload["title"]?.text ?? NotificationWords.anEvent.text(in: language)
        let clock = content.payload["clock"]?.text ?? NotificationWords.itsTime.text(in: language)
        let short = Isolation.of(Excerpt.withEllipsis(title, longest: Self.longestText - 30))
        return words.text(in: language, ["title": short, "clock": clock])
    }
}

extension NotificationContent {
    /// Creates the content of a notification about an event.
    ///
    /// - Parameters:
    ///   - kind: the kind of notification.
    ///   - event: the event.
    ///   - subject: the deduplication key within the event.
    ///   - changed: the names of the changed fields.
    ///   - from: the user who caused it.
    ///   - now: the current time.
    package init(
        _ kind: NotificationKind,
        of event: Event,
        subject: String,
        changed: [String]? = nil,
        from: UserID? = nil,
        at now: Timestamp
    ) {
        var fields = [
            NotificationPayload.Field("event", .text(event.id.description)),
            NotificationPayload.Field("title", .text(event.title)),
            NotificationPayload.Field("startsAt", .integer(event.startsAt.milliseconds)),
            NotificationPayload.Field("clock", .text(event.clock)),
        ]
        if let changed { fields.append(NotificationPayload.Field("changed", .list(changed.map { .text($0) }))) }
        self.init(
            kind: kind.name,
            group: event.group,
            from: from,
            subject: "event:\(event.id):\(subject)",
            at: now,
            payload: NotificationPayload(fields)
        )
    }
}
