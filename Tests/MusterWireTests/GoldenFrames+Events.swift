import MusterWire

@testable import MusterCore
@testable import MusterServer

extension GoldenFrames {
    private static let climbing = Event(
        id: EventID(901),
        version: 2,
        revision: 9,
        host: UserProfile(id: UserID(7), name: "Ada"),
        group: GroupID(81),
        title: "Climbing at six",
        coordinate: Coordinate(latitude: 48.208_174, longitude: 16.373_8),
        place: "The wall",
        text: "Bring \"shoes\"\nand rope",
        category: "sport",
        photo: photo,
        startsAt: now,
        endsAt: now + 7_200_000,
        timeZone: "Europe/Vienna",
        clock: "01:00",
        capacity: 1,
        hidesPlace: true,
        createdAt: now,
        changedAt: now,
        guests: [
            EventGuest(user: UserID(8), rsvp: .yes, askedAt: now),
            EventGuest(user: UserID(9), rsvp: .waiting, askedAt: now + 1),
            EventGuest(user: UserID(10), rsvp: .removed, askedAt: now + 2),
        ]
    )
    private static let rest =
        #""startsAt":1732060800000,"endsAt":1732068000000,"tz":"Europe/Vienna","text":"Bring \"shoes\"\nand rope","#
        + #""category":"sport","photo":{"url":"/v1/photos/5?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0","#
        + #""thumb":"/v1/photos/5/thumb?k=0f1e2d3c4b5a69788796a5b4c3d2e1f0","width":1600,"height":1200},"#
        + #""capacity":1,"visibility":"group","group":"81","host":{"id":"7","name":"Ada","avatar":null},"#
        + #""counts":{"yes":1,"maybe":0,"waiting":1},"#
    private static let exact =
        #"{"id":"901","version":2,"state":"planned","title":"Climbing at six","lat":48.208174,"lon":16.3738,"#
        + #""approximate":false,"hidePlace":true,"place":"The wall",\#(rest)"#
        + #""link":"geo:48.208174,16.3738?q=48.208174,16.3738(The%20wall)""#
    private static let coarse =
        #"{"id":"901","version":2,"state":"planned","title":"Climbing at six","lat":48.21,"lon":16.37,"#
        + #""approximate":true,"hidePlace":true,"place":null,\#(rest)"#
        + #""link":"geo:48.21,16.37?q=48.21,16.37(Climbing%20at%20six)""#

    /// Requests about events.
    static let eventRequests: [Golden<ClientFrame>] = [
        Golden(
            frame: .request(
                .number(30),
                EventCreate(
                    key: "web-1",
                    title: "Climbing at six",
                    at: Coordinate(latitude: 48.208_174, longitude: 16.373_8),
                    startsAt: now,
                    timeZone: "Europe/Vienna",
                    endsAt: now + 1,
                    placeName: "The wall",
                    text: "Bring shoes\nand rope",
                    category: "sport",
                    photo: PhotoID(5),
                    capacity: 10,
                    group: GroupID(81),
                    hidesPlace: true
                )
            ),
            json: #"{"type":"event.create","id":30,"key":"web-1","title":"Climbing at six","lat":48.208174,"#
                + #""lon":16.3738,"startsAt":1732060800000,"tz":"Europe/Vienna","endsAt":1732060800001,"#
                + #""place":"The wall","text":"Bring shoes\nand rope","category":"sport","photo":"5","capacity":10,"#
                + #""visibility":"group","group":"81","hidePlace":true}"#
        ),
        Golden(
            frame: .request(
                nil,
                EventCreate(
                    key: "k",
                    title: "T",
                    at: Coordinate(latitude: 1, longitude: 2),
                    startsAt: now,
                    timeZone: "UTC"
                )
            ),
            json: #"{"type":"event.create","key":"k","title":"T","lat":1,"lon":2,"startsAt":1732060800000,"tz":"UTC","#
                + #""visibility":"public"}"#
        ),
        Golden(frame: .request(.number(31), update), json: updateJSON),
        Golden(
            frame: .request(nil, EventUpdate(EventID(901), version: 1)),
            json: #"{"type":"event.update","event":"901","version":1}"#
        ),
        Golden(
            frame: .request(.number(32), EventGet(EventID(901))),
            json: #"{"type":"event.get","id":32,"event":"901"}"#
        ),
        Golden(frame: .request(nil, EventCancel(EventID(901))), json: #"{"type":"event.cancel","event":"901"}"#),
        Golden(
            frame: .request(nil, EventRemove(UserID(8), from: EventID(901))),
            json: #"{"type":"event.remove","event":"901","user":"8"}"#
        ),
        Golden(
            frame: .request(nil, EventReply(EventID(901), .maybe)),
            json: #"{"type":"event.rsvp","event":"901","rsvp":"maybe"}"#
        ),
        Golden(
            frame: .request(nil, EventGuests(EventID(901), limit: 1, after: EventCursor(at: now, id: 8))),
            json: #"{"type":"event.guests","event":"901","limit":1,"after":"1732060800000.8"}"#
        ),
        Golden(frame: .request(nil, EventsMine(limit: 100)), json: #"{"type":"events.mine","limit":100}"#),
        Golden(frame: .request(nil, EventsMine()), json: #"{"type":"events.mine"}"#),
        Golden(
            frame: .request(nil, EventGuests(EventID(901))),
            json: #"{"type":"event.guests","event":"901"}"#
        ),
        Golden(
            frame: .request(.number(38), EventsWatch(nil)),
            json: #"{"type":"events.watch","id":38,"scope":"none"}"#
        ),
        Golden(
            frame: .request(nil, EventsWatch(EventSubscription(.me(radius: 500.5)))),
            json: #"{"type":"events.watch","center":"me","radius":500.5}"#
        ),
        Golden(
            frame: .request(
                nil,
                EventsWatch(EventSubscription(.area(.box(south: -1, west: 179.5, north: 1, east: -179.5)), until: now))
            ),
            json: #"{"type":"events.watch","bbox":[179.5,-1,-179.5,1],"until":1732060800000}"#
        ),
        Golden(
            frame: .request(
                nil,
                EventsWatch(
                    EventSubscription(
                        .area(.circle(Coordinate(latitude: 1, longitude: 2), radius: 5000)),
                        since: now,
                        until: now + 1,
                        category: "sport",
                        group: GroupID(81),
                        isFree: true,
                        words: "wall"
                    )
                )
            ),
            json: #"{"type":"events.watch","center":{"lat":1,"lon":2},"radius":5000,"since":1732060800000,"#
                + #""until":1732060800001,"category":"sport","group":"81","free":true,"q":"wall"}"#
        ),
    ]

    private static let update: EventUpdate = {
        var update = EventUpdate(EventID(901), version: 3)
        update.title = "Later"
        update.coordinate = Coordinate(latitude: 1, longitude: 2)
        update.startsAt = now
        update.place = .removed
        update.text = .replaced("New")
        update.photo = .removed
        update.capacity = .replaced(4)
        update.hidePlace = false
        return update
    }()
    private static let updateJSON =
        #"{"type":"event.update","id":31,"event":"901","version":3,"title":"Later","lat":1,"lon":2,"#
        + #""startsAt":1732060800000,"hidePlace":false,"place":null,"text":"New","photo":null,"capacity":4}"#

    private static let news = EventSnapshot(climbing, at: now)
    private static let push = EventPush(
        subscription: 3,
        put: [
            ShownEvent(climbing.id, json: news.coarse, rsvpStatus: RSVPStatus(rsvp: .waiting, waitingPlace: 1)),
            ShownEvent(climbing.id, json: news.exact, rsvpStatus: nil),
        ],
        gone: [EventID(902)],
        more: true
    )

    /// Encoded answers and pushes about events, and the expected JSON.
    static let eventAnswers: [Golden<[UInt8]>] = [
        Golden(
            frame: Frame.ok(.number(30), EventAnswer(climbing, to: UserID(8), at: now)).encoded,
            json: #"{"type":"ok","id":30,"event":\#(exact),"rsvp":"yes","waitingPlace":null}}"#
        ),
        Golden(
            frame: Frame.ok(.number(30), EventAnswer(climbing, to: UserID(10), at: now)).encoded,
            json: #"{"type":"ok","id":30,"event":\#(coarse),"rsvp":null,"waitingPlace":null}}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(37),
                EventsAnswer([climbing], to: UserID(9), at: now, next: EventCursor(at: now, id: 901), calendar: "/c")
            ).encoded,
            json: #"{"type":"ok","id":37,"events":[\#(coarse),"rsvp":"waiting","waitingPlace":1}],"#
                + #""next":"1732060800000.901","calendar":"/c"}"#
        ),
        Golden(
            frame: Frame.ok(
                .number(36),
                EventGuestsAnswer(
                    [NamedGuest(person: UserProfile(id: UserID(8), name: "Ben"), rsvp: .yes, askedAt: now)],
                    next: nil
                )
            ).encoded,
            json: #"{"type":"ok","id":36,"guests":[{"user":{"id":"8","name":"Ben","avatar":null},"rsvp":"yes","#
                + #""at":1732060800000}],"next":null}"#
        ),
        Golden(
            frame: Frame.ok(.number(38), EventsWatchAnswer(subscription: 3, total: 201, more: true)).encoded,
            json: #"{"type":"ok","id":38,"watch":"3","total":201,"more":true}"#
        ),
        Golden(
            frame: Frame.ok(.number(38), EventsWatchAnswer(subscription: 0, total: 0, more: false)).encoded,
            json: #"{"type":"ok","id":38,"watch":null,"total":0,"more":false}"#
        ),
        Golden(
            frame: push.frames[0],
            json: #"{"type":"events","watch":"3","put":[\#(coarse),"rsvp":"waiting","waitingPlace":1},\#(exact)}],"#
                + #""gone":["902"],"more":true}"#
        ),
        Golden(
            frame: ShownEvent(climbing, to: UserID(7), at: now + 7_200_000).frame,
            json:
                #"{"type":"event","event":\#(exact.replacing("planned", with: "over")),"rsvp":null,"waitingPlace":null}}"#
        ),
        Golden(
            frame: ServerFrame.error(.eventConflict(climbing, for: UserID(8), at: now)).encoded,
            json:
                #"{"type":"error","code":"conflict","message":"The event has changed. Read event in this error and "#
                + #"send its version.","retry":false,"event":\#(exact),"rsvp":"yes","waitingPlace":null}}"#
        ),
        Golden(
            frame: ServerFrame.notification(
                NumberedNotification(
                    user: UserID(8),
                    number: 13,
                    content: NotificationContent(
                        .eventChanged,
                        of: climbing,
                        subject: "version:2",
                        changed: ["startsAt"],
                        from: UserID(7),
                        at: now
                    )
                ),
                isLate: false
            ).encoded,
            json:
                #"{"type":"event_changed","notification":13,"group":"81","at":1732060800000,"late":false,"event":"901","#
                + #""title":"Climbing at six","startsAt":1732060800000,"clock":"01:00","changed":["startsAt"]}"#
        ),
    ]
}
