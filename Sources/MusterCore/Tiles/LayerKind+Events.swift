extension LayerKind {
    private static let eventFields: [Field] = [
        "title", Field("startsAt", .number), "category", Field("approximate", .flag),
    ]

    /// Public events of the next 30 days.
    package static let events = LayerKind(
        number: 4,
        name: "events",
        audience: .anybody,
        source: .storage,
        naming: .cell,
        prefix: "e",
        fields: eventFields
    )

    /// The events of a group.
    static let groupEvents = LayerKind(
        number: 5,
        name: "events",
        audience: .members,
        source: .events,
        naming: .cell,
        prefix: "e",
        fields: eventFields
    )
}

extension TileLayer {
    /// The layer of public events.
    package static let events = TileLayer(kind: LayerKind.events.number)

    /// The layer of a group's events.
    package static func events(of group: GroupID) -> TileLayer {
        TileLayer(kind: LayerKind.groupEvents.number, group: group)
    }
}

extension TilePoint {
    /// Creates the point of an event as all users of its layer see it: if it hides its place, in the middle of its
    /// cell.
    package init(_ event: Event) {
        self.init(
            id: event.id.rawValue,
            coordinate: event.coarsened.coordinate,
            values: PointValues([
                event.title, String(event.startsAt.milliseconds), event.category, String(event.hidesPlace),
            ])
        )
    }
}
