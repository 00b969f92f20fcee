import MusterCore

extension WorldCodingSamples {
    static let effects: [WorldEffect] =
        [
            .welcome(
                Self.session,
                Welcome(
                    tag: .number(1),
                    user: Self.profile,
                    device: DeviceID(5),
                    acknowledgedSequence: 11,
                    groups: [
                        Welcome.Group(id: GroupID(1), name: "Fridays", role: .owner, settings: GroupSettings())
                    ]
                )
            ),
            .groupViewed(3, Self.visibility),
            .groupViewed(4, nil),
            .answer(Self.answer),
            .refused(Self.session, .text("t"), .rateLimited(retryAfter: 100)),
            .refused(Self.session, nil, .notMember),
            .acknowledged(.session(Self.session), Self.acknowledgement),
            .reportRefused(Self.session),
            .badFix(.request(Self.session), sequence: 3, FixFault(.at, "is from the future")),
            .resend(Self.session, after: 7),
            .selfMoved(Self.session, Self.own),
            .locate(.started(Self.session, nil, LocateID(99), devices: 2, expiresAt: Self.now)),
            .locate(.asked(Self.session, LocateID(99), group: GroupID(1), from: Self.profile)),
            .locate(.found(Self.session, LocateID(99), user: UserID(8), Self.own)),
            .locate(.expired(Self.session, LocateID(99))),
            .publish([Self.session], .group(GroupID(1), name: "Fridays", settings: GroupSettings())),
            .publish([Self.session], .sharing(GroupID(1), SharingTerms(.paused, until: Self.now, pictures: false))),
            .publish([Self.session], .seen([3, 5])),
            .notify([Self.session], Self.alert, isLate: true),
            .trouble(.stalled(subject: "group", number: 1, deadline: Self.now)),
            .trouble(.suspension(GroupID(1), Self.aside)),
            .trouble(.tookUp(GroupID(1))),
            .publish([Self.session], .spotChanged(SpotVotes(spot: SpotID(1), likes: 3, dislikes: 1))),
            .publish([Self.session], .spotGone(SpotID(1))),
            .publish(
                [Self.session],
                .planChanged(
                    PlanChange(plan: PlanID(1), group: GroupID(2), answers: PlanAnswers(in: 1), countedAt: 3)
                )
            ),
            .publishNear(
                [NearbySession(Self.session, distance: 312.25), NearbySession(Self.session, distance: nil)],
                .newSpot(SpotID(1), frame: [0x7B, 0x7D])
            ),
            .glance(Self.session, Self.glance),
            .events(.subscribed(Self.session, .number(4), subscription: 3, total: 201, more: true)),
            .events(
                .pushed(
                    Self.session,
                    EventPush(subscription: 3, put: [Self.shownEvent], gone: [EventID(902)], more: true)
                )
            ),
            .events(.shown([Self.session], Self.shownEvent)),
            .refused(Self.session, .number(4), .noPosition),
            .close(Self.session, .replaced),
            .rosterShown(
                RosterSnapshot(
                    group: GroupID(1),
                    version: Self.version,
                    members: [Self.entry, Self.hidden],
                    departures: [RosterSnapshot.Departure(user: UserID(3), version: 2)],
                    departuresKeptSince: 1,
                    gathering: Self.status,
                    gatheringVersion: 2
                )
            ),
            .subscribe(Self.session, GroupID(1), resume: Self.version),
            .subscribe(Self.session, GroupID(1), resume: nil),
            .unsubscribe(Self.session, GroupID(1)),
            .leftGroup(Self.session, GroupID(1), user: UserID(7), version: 9),
            .rosterChanged(
                RosterChange(
                    group: GroupID(1),
                    version: Self.version,
                    members: [Self.entry],
                    gone: [UserID(3)],
                    gathering: .changed(Self.status, current: nil)
                )
            ),
            .rosterChanged(RosterChange(group: GroupID(1), version: Self.version, members: [Self.hidden])),
            .rosterClosed(GroupID(1)),
        ] + ClusterCodingSamples.inputs.map { .clusters($0) } + ChatCodingSamples.effects.map { .chat($0) }
        + Self.answers.map { .ask($0.question) } + Self.records.map { .journal(17, $0) }

    static let records: [JournalRecord] = [
        .fix(
            FixRecord(
                device: DeviceID(5),
                user: UserID(7),
                fix: Self.fix,
                receivedAt: Self.now,
                verdict: .implausible,
                clockOffset: -5
            )
        ),
        .device(
            DeviceRecord(
                device: DeviceID(5),
                user: UserID(7),
                receivedAt: Self.now,
                memory: DeviceMemory(
                    anchor: DeviceAnchor(coordinate: Self.place, accuracy: 8.1, movedAt: nil),
                    pendingAt: Self.now
                )
            )
        ),
        .verdict(DeviceID(5), sequence: 3, at: Self.now, .ok),
        .position(UserID(7), Self.position, .late),
        .presence(UserID(7), .away, lastSeen: Self.now),
        .sessionOpened(
            SessionRecord(
                session: Self.session,
                user: UserID(7),
                device: DeviceID(5),
                isWatch: false,
                openedAt: Self.now
            )
        ),
        .sessionClosed(Self.session),
        .notification(NotificationRecord(user: UserID(9), content: Self.content)),
        .seen(UserID(7), .upTo(3), at: Self.now),
        .gathering(
            GatheringRecord(
                group: GroupID(1),
                status: Self.status,
                at: Self.now,
                participants: [UserID(7)],
                machine: Self.machine
            )
        ),
        .machine(GroupID(1), nil),
        .suspension(GroupID(1), Self.aside),
        .suspension(GroupID(1), nil),
    ]

    private static let aside = GroupSuspension(cause: .slow, since: Self.now, retryAt: Self.now + 60_000, tries: 1)
}
