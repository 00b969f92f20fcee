import MusterCore

/// One sample of each message between the world and other components, with all optional fields set.
enum WorldCodingSamples {
    static let session = SessionID(0x7000_0000_0000_0003)
    static let now = Timestamp(milliseconds: 1_750_000_000_123)
    static let place = Coordinate(latitude: 48.137_154_000_000_1, longitude: -11.576_124)
    static let profile = UserProfile(
        id: UserID(7),
        name: "Ada \"the\" first\n",
        avatar: "https://a.example/ä.png"
    )
    static let version = RosterVersion(epoch: "k3", version: .max)

    static let fix = Fix(
        sequence: 12,
        at: Self.now,
        coordinate: Self.place,
        accuracy: 8.1,
        altitude: -3.7,
        speed: 0.1,
        course: 359.9,
        battery: 0.3,
        trigger: .answer,
        answer: LocateID(99)
    )
    static let bareFix = Fix(sequence: 1, coordinate: Self.place)
    static let position = StoredPosition(device: DeviceID(5), fix: Self.fix, isStationary: true)
    static let gatheringPlace = GatheringPlace(lat: 48.1, lon: 11.5, name: "Blue Bottle")
    static let machine = StoredGathering.legacy([0, 1, 254, 255])

    static let status = GatheringStatus(
        gathering: GatheringID(44),
        state: .moved,
        since: Self.now,
        place: Self.gatheringPlace,
        together: [UserID(7), UserID(8)],
        absent: [UserID(9)]
    )

    static let content = NotificationContent(
        kind: "left_without_you",
        group: GroupID(1),
        groupName: "Fridays",
        from: UserID(7),
        subject: "44:departed:1",
        at: Self.now,
        payload: NotificationPayload([
            NotificationPayload.Field("text", .text("ä\"")), NotificationPayload.Field("number", .number(1.5)),
            NotificationPayload.Field("integer", .integer(-3)), NotificationPayload.Field("truth", .bool(true)),
            NotificationPayload.Field("nothing", .null), NotificationPayload.Field("user", .user(UserID(7))),
            NotificationPayload.Field("list", .list([.object([NotificationPayload.Field("a", .null)])])),
        ])
    )
    static let alert = NumberedNotification(user: UserID(9), number: 3, content: Self.content)

    static let event = Event(
        id: EventID(901),
        version: 2,
        revision: 5,
        host: Self.profile,
        group: GroupID(1),
        title: "Climbing at six",
        coordinate: Self.place,
        place: "The wall",
        text: "Bring\nshoes",
        category: "sport",
        photo: Photo(id: PhotoID(5), url: "/v1/photos/5", thumb: "/v1/photos/5/thumb", width: 4, height: 3),
        startsAt: Self.now,
        endsAt: Self.now + 7_200_000,
        timeZone: "Europe/Vienna",
        clock: "18:00",
        capacity: 2,
        hidesPlace: true,
        isCancelled: true,
        createdAt: Self.now,
        changedAt: Self.now + 1,
        guests: [EventGuest(user: UserID(8), rsvp: .waiting, askedAt: Self.now)]
    )
    static let eventSubscription = EventSubscription(
        .area(.box(south: -1, west: 179, north: 1.5, east: -179)),
        since: Self.now,
        until: Self.now + 1,
        category: "sport",
        group: GroupID(1),
        isFree: true,
        words: "Climb"
    )
    static let shownEvent = ShownEvent(
        EventID(901),
        json: [0x7B, 0x7D],
        rsvpStatus: RSVPStatus(rsvp: .waiting, waitingPlace: 2)
    )

    static let arrival = Arrival(
        user: Self.profile,
        device: DeviceID(5),
        kind: .watch,
        acknowledgedSequence: 11,
        clockOffset: -1500,
        devices: [
            StoredDevice(
                device: DeviceID(6),
                kind: .browser,
                anchor: DeviceAnchor(coordinate: Self.place, accuracy: 8.1, movedAt: Self.now),
                accepted: Self.fix,
                pendingFix: Self.fix
            )
        ],
        groups: [GroupID(1)],
        position: Self.position,
        lastSeen: Self.now,
        presence: .away,
        lastNotification: 3,
        unseen: [Self.alert]
    )

    static let visibility = GroupVisibility(
        group: GroupID(1),
        revision: 3,
        name: "Fridays",
        members: [
            GroupVisibility.Member(
                user: Self.profile,
                mode: .approximate,
                isPictured: false,
                position: RosterEntry.Position(coordinate: Self.place, at: Self.now, accuracy: 800)
            )
        ],
        at: Self.now
    )

    static let opening = SessionOpening(
        session: Self.session,
        tag: .text("t"),
        arrival: Self.arrival,
        login: LoginID(2),
        expiresAt: Self.now,
        isWatch: true,
        resume: [GroupID(1): Self.version],
        knownNotification: 2
    )

    static let group = GroupSnapshot(
        id: GroupID(1),
        revision: 4,
        name: "Fridays",
        settings: GroupSettings(radius: 80.5, dwell: 60, maxAbsent: 2, cooldown: 0),
        members: [
            GroupSnapshot.Member(
                user: Self.profile,
                role: .owner,
                sharing: Sharing(mode: .approximate, until: Self.now, visibleSince: Self.now),
                joinedAt: Self.now,
                position: Self.position,
                usablePosition: Self.position,
                lastSeen: Self.now,
                presence: .online,
                lastNotification: 3,
                unseen: [Self.alert]
            ),
            GroupSnapshot.Member(user: UserProfile(id: UserID(8), name: "Bob"), joinedAt: Self.now),
        ],
        gathering: Self.machine
    )

    static let entry = RosterEntry(
        user: UserID(7),
        profile: RosterEntry.Profile(
            name: "Ada",
            avatar: "a",
            role: .owner,
            presence: .away,
            sharing: .live,
            lastSeen: Self.now,
            withdrawsLastSeen: true
        ),
        profileVersion: 3,
        position: RosterEntry.Position(
            coordinate: Self.place,
            at: Self.now,
            accuracy: 8.1,
            altitude: 500,
            speed: 1,
            course: 2,
            battery: 0.5,
            freshness: .recent,
            withdrawn: [.speed, .course]
        ),
        positionVersion: 4
    )
    static let hidden = RosterEntry(user: UserID(8), position: RosterEntry.Position(), positionVersion: 5)

    static let query = SpotQuery(
        number: 3,
        session: Self.session,
        user: UserID(7),
        after: SpotID(1),
        circle: SpotQuery.Circle(center: Self.place, radius: 5000)
    )
    static let answer = PreparedAnswer(session: Self.session, frame: Array("{}".utf8))
    static let acknowledgement = Acknowledgement(
        sequence: 12,
        rejected: [Acknowledgement.Rejection(sequence: 11, verdict: .outOfOrder)],
        reduced: [Acknowledgement.Reduction(sequence: 12, dropped: [.speed, .battery])]
    )
    static let own = SelfPosition(coordinate: Self.place, accuracy: 8.1, at: Self.now, device: DeviceID(5))

    static let spotText = SpotText(spot: SpotID(1), comment: "Blue Bottle\nquiet", likes: 3, dislikes: 1)
    static let glance = Glance(
        at: Self.now,
        groups: [
            Glance.Group(
                id: GroupID(1),
                name: "Fridays",
                together: 3,
                of: 4,
                place: Self.gatheringPlace,
                distance: 2_140.5
            ),
            Glance.Group(id: GroupID(2), name: "Choir", together: 2, of: 2, you: .in, place: Self.gatheringPlace),
        ],
        spots: [Glance.Spot(Self.spotText, coordinate: Self.place, distance: 120.25)],
        notifications: [
            Glance.Notification(number: 3, kind: "left_without_you", group: GroupID(1), text: "…"),
            Glance.Notification(number: 2, kind: "left_without_you", text: "…"),
        ]
    )

    static let inputs: [WorldInput] =
        [
            .sessionOpened(Self.opening),
            .sessionClosed(Self.session),
            .sessionStateChanged(Self.session, isForeground: true),
            .fixReceived(Self.session, Self.fix),
            .fixReceived(Self.session, Self.bareFix),
            .fixesReceived(FixReport(origin: .request(Self.session), arrival: Self.arrival, fixes: [Self.fix])),
            .fixesReceived(FixReport(origin: .session(Self.session), fixes: [Self.fix, Self.bareFix])),
            .notificationsSeen(Self.session, .upTo(3)),
            .notificationsSeen(Self.session, .numbers([3, 5])),
            .publicationRequested(Publication(to: .group(GroupID(1), except: UserID(8)), .live(.frame([0x7B, 0x7D])))),
            .publicationRequested(Publication(to: .people([UserID(7)]), .durable(Self.content))),
            .publicationRequested(
                Publication(stored: Self.content, numbers: [NotificationNumber(user: UserID(7), number: 3)])
            ),
            .publicationRequested(Publication(withdrawn: [NotificationNumber(user: UserID(7), number: 3)])),
            .locateRequested(Self.session, .number(-1), group: GroupID(1), user: UserID(8)),
            .answerRequested(Self.answer),
            .groupChanged(Self.group, answer: Self.answer),
            .groupChanged(Self.group, answer: nil),
            .sharingNarrowed(SharingChange(id: SharingChangeID(3), user: UserID(7), group: nil, mode: .paused)),
            .sharingResolved(
                SharingChange(
                    id: SharingChangeID(4),
                    user: UserID(7),
                    group: GroupID(1),
                    mode: .approximate,
                    until: Timestamp(milliseconds: 5)
                )
            ),
            .sharingNarrowed(
                SharingChange(id: SharingChangeID(5), user: UserID(7), group: GroupID(1), pictures: false)
            ),
            .groupViewRequested(3, GroupID(1)),
            .groupsStored(
                GroupRevisions(first: GroupID(1), last: GroupID(9), stored: [.init(group: GroupID(3), revision: 4)])
            ),
            .loginsSuspected,
            .loginEnded(LoginID(2)),
            .accountDeleted(UserID(7)),
            .spots(.added([NamedPlace(spot: SpotID(1), coordinate: Self.place, name: "Blue Bottle")])),
            .spots(.deleted([SpotID(1)])),
            .spots(.subscribed(Self.session, SpotSubscription(.nearby(radius: 312.5), after: SpotID(1)))),
            .spots(.subscribed(Self.session, SpotSubscription(.all))),
            .spots(.subscribed(Self.session, SpotSubscription(.none))),
            .spots(.sent(Self.session, [SpotID(1), SpotID(2)])),
            .spots(.voted(SpotID(1), by: Self.session)),
            .spots(.voted(SpotID(1), by: nil)),
            .events(.changed([EventSnapshot(event: Self.event, exact: [0x7B, 0x7D], coarse: [0x7B])])),
            .events(.removed([EventID(901)])),
            .events(.loaded),
            .events(.subscribed(Self.session, .number(4), Self.eventSubscription)),
            .events(.subscribed(Self.session, nil, EventSubscription(.me(radius: 500)))),
            .events(.subscribed(Self.session, nil, nil)),
            .notificationsGiven([NotificationNumber(user: UserID(7), number: 3)]),
            .publicationRequested(
                Publication(
                    to: .area(.spots, at: Self.place, except: UserID(7)),
                    .live(.newSpot(SpotID(1), frame: [0x7B, 0x7D]))
                )
            ),
            .committed(through: 9, failed: [8], numbers: [NumberedRecord(record: 7, number: 3)]),
            .tilesUnsubscribed(Self.session, .spots),
            .drainBegan,
        ] + ClusterCodingSamples.requests.map { .tilesAsked($0) } + ChatCodingSamples.inputs.map { .chat($0) }
        + Self.answers.flatMap { [.answered($0.question, $0.answer), .answered($0.question, nil)] }

    /// The questions to storage, each with an answer.
    static let answers: [(question: StorageQuestion, answer: StorageAnswer)] = [
        (.group(GroupID(1)), .group(Self.group)),
        (.group(GroupID(1)), .group(nil)),
        (.ended(logins: [LoginID(2), LoginID(3)], users: [UserID(9)]), .ended(logins: [LoginID(3)], users: [])),
        (.inbox(UserID(9)), .inbox([Self.alert], upTo: 3)),
        (
            .missedSpots(Self.query),
            .missedSpots([SpotSnapshot(spot: SpotID(2), coordinate: Self.place, frame: [0x7B, 0x7D])])
        ),
        (.votes([SpotID(1), SpotID(2)]), .votes([SpotVotes(spot: SpotID(1), likes: 3, dislikes: 1)])),
        (.spotTexts([SpotID(1), SpotID(2)]), .spotTexts([Self.spotText])),
        (.rooms(ChatCodingSamples.query), .rooms(ChatCodingSamples.read)),
        (.roomChanges(RoomID(81), after: 4), .roomChanges(ChatCodingSamples.advance)),
        (.roomVersions([RoomID(81)]), .roomVersions([ChatCodingSamples.advance])),
        (.event(EventID(901)), .event(EventSnapshot(event: Self.event, exact: [0x7B, 0x7D], coarse: [0x7B]))),
        (.event(EventID(901)), .event(nil)),
    ]
}
