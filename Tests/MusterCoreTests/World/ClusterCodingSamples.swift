import MusterCore

/// One sample of each message between the world and the cluster service.
enum ClusterCodingSamples {
    private static let session = SessionID(0x7000_0000_0000_0003)
    private static let point = TilePoint(
        id: 501,
        coordinate: Coordinate(latitude: 48.137_154, longitude: -11.576_124),
        values: PointValues(["Blue \"Bottle\"", nil, String(repeating: "ä", count: 80)])
    )
    private static let cover = TileCover(zoom: 12, west: 179.9, south: -10, east: -179.9, north: -9.9)

    static let questions: [ClusterQuestion] =
        [.subscribe(Self.cover), .unsubscribe, .cluster("c:12:u7"), .leaves("c:3:1:2", after: "1f-7", limit: 100)]
        + (TileAddress(zoom: 22, x: 4_194_303, y: 0).map { [.tile($0)] } ?? [])

    static let requests: [ClusterRequest] = Self.questions.map { question in
        ClusterRequest(
            asker: .session(Self.session, .text("t")),
            user: UserID(7),
            layer: .group(GroupID(81)),
            question: question
        )
    }

    static let inputs: [ClusterInput] =
        [
            .loadBegan(.spots), .loaded(.spots, [Self.point]), .loadEnded(.spots), .put(.spots, [Self.point]),
            .narrowed(.spots, [Self.point]), .removed(.spots, [501]), .opened(.group(GroupID(81)), [Self.point]),
            .moved(
                .group(GroupID(81)),
                [
                    TileMove(id: 501, point: Self.point, isNarrower: true),
                    TileMove(id: 7, point: nil, isNarrower: false),
                ]
            ),
            .closed(.group(GroupID(81))), .refused(.request(3), .notMember), .layerUnsubscribed(Self.session, .spots),
            .ended(Self.session), .reached(.session(Self.session, nil)),
        ] + Self.questions.map { .asked(.request(3), .spots, $0) }
}
