extension NotificationKind {
    /// A member arrived at a place of the group.
    package static let placeArrived = NotificationKind(
        "place_arrived",
        layout: Self.arrivalLayout,
        actions: [.seen],
        push: PushRule(lifetime: .milliseconds(14_400_000), urgency: .normal, collapse: "place"),
        text: { content, language in Self.text(.arrivedAt, of: content, in: language) }
    )

    /// A member left a place of the group.
    package static let placeLeft = NotificationKind(
        "place_left",
        layout: Self.arrivalLayout,
        actions: [.seen],
        push: PushRule(lifetime: .milliseconds(3_600_000), urgency: .normal, collapse: "place"),
        text: { content, language in Self.text(.leftPlace, of: content, in: language) }
    )

    /// The names of the kinds about arrivals.
    package static let arrivals = [Self.placeArrived.name, Self.placeLeft.name]

    private static let arrivalLayout = [
        "notification", "group", "groupName", "at", "late", "user", "place", "since",
    ]

    private static func text(
        _ words: NotificationWords,
        of content: NotificationContent,
        in language: Language
    ) -> String {
        let user = content.payload["user"]?["name"]?.text.map(Isolation.of)
        let place = content.payload["place"]?["name"]?.text.map(Isolation.of)
        return words.text(
            in: language,
            [
                "name": user ?? NotificationWords.somebody.text(in: language),
                "place": place ?? NotificationWords.aPlace.text(in: language),
            ]
        )
    }
}

extension NotificationContent {
    /// Creates the notification of an arrival or a departure.
    init(_ event: ArrivalEvent, of user: UserProfile, at place: GroupPlace, decided now: Timestamp) {
        typealias Field = NotificationPayload.Field
        let kind = event.hasArrived ? NotificationKind.placeArrived : .placeLeft
        self.init(
            kind: kind.name,
            group: event.group,
            from: user.id,
            subject: "\(place.id):\(user.id):\(event.since.milliseconds)",
            at: now,
            payload: NotificationPayload([
                Field("user", .object([Field("id", .user(user.id)), Field("name", .text(user.name))])),
                Field(
                    "place",
                    .object([
                        Field("id", .text("\(place.id)")), Field("name", .text(place.name)),
                        Field("icon", .text(place.icon.rawValue)),
                    ])
                ),
                Field("since", .integer(event.since.milliseconds)),
            ])
        )
    }

    /// Whether it tells an arrival or a departure of a member at a place.
    func tells(_ place: GroupPlaceID, of user: UserID) -> Bool {
        self.from == user && NotificationKind.arrivals.contains(self.kind)
            && self.payload["place"]?["id"]?.text == "\(place)"
    }
}
