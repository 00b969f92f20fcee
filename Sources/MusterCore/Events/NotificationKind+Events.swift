extension NotificationKind {
    private static let eventLayout = [
        "notification", "group", "groupName", "at", "late", "event", "title", "startsAt", "clock", "changed",
    ]

    /// The host changed an event.
    package static let eventChanged = NotificationKind(
        "event_changed",
        layout: eventLayout,
        actions: [.seen],
        text: { content in
            guard case .list(let changed)? = content.payload["changed"], changed.contains(.text("startsAt")) else {
                return "\(title(of: content)) has changed"
            }
            return "\(title(of: content)) is now at \(clock(of: content))"
        }
    )

    /// The host cancelled an event.
    package static let eventCancelled = NotificationKind(
        "event_cancelled",
        layout: eventLayout,
        actions: [.seen],
        text: { "\(title(of: $0)) is off" }
    )

    /// A guest on the waiting list got a place.
    package static let eventPlace = NotificationKind(
        "event_place",
        layout: eventLayout,
        actions: [.seen],
        text: { "\(title(of: $0)) has a place for you" }
    )

    /// An event begins within the hour.
    static let eventSoon = NotificationKind(
        "event_soon",
        layout: eventLayout,
        actions: [.seen],
        text: { "\(title(of: $0)) begins at \(clock(of: $0))" }
    )

    // The rest of the text has at most 25 characters.
    private static func title(of content: NotificationContent) -> String {
        Isolation.of(Excerpt.withEllipsis(content.payload["title"]?.text ?? "An event", longest: Self.longestText - 30))
    }

    private static func clock(of content: NotificationContent) -> String {
        content.payload["clock"]?.text ?? "its time"
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
