@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

extension GoldenFrames {
    static let fix = Fix(
        sequence: 41,
        at: Timestamp(milliseconds: 1_732_060_800_123),
        coordinate: Coordinate(latitude: 40.7128, longitude: -74.006),
        accuracy: 8,
        altitude: 12,
        speed: 1.4,
        course: 270,
        battery: 0.81,
        trigger: .move
    )

    /// All requests of the protocol; `RequestTableTests` checks the server's table against its own contract.
    static let requests = RequestCatalog([
        GroupCreate.self, GroupList.self, GroupUpdate.self, GroupInvite.self, GroupRevoke.self, GroupJoin.self,
        GroupLeave.self, GroupRemove.self, GroupDelete.self, SharingSet.self, Locate.self, SpotAdd.self, SpotVote.self,
        SpotDelete.self, SpotsNearby.self, SpotsAll.self, PinPost.self, PinGet.self, PinDelete.self, PinsAll.self,
        Geocode.self, PlaceGet.self, PlanSuggest.self, PlanSave.self, PlansList.self, PlanGet.self, PlanDelete.self,
        PlanShareRequest.self, PlanUnshare.self, PlanAnswerRequest.self, PositionGuessGet.self, EventCreate.self,
        EventUpdate.self, EventGet.self, EventCancel.self, EventRemove.self, EventReply.self, EventGuests.self,
        EventsMine.self, EventsWatch.self, ChatSend.self, ChatEdit.self, ChatDelete.self, ChatHistory.self,
        ChatChanges.self, ChatRead.self, ChatFocus.self, ChatTyping.self, RoomSet.self, GroupWait.self, UserBlock.self,
        UserUnblock.self, Report.self, GroupPlaceAdd.self, GroupPlaceUpdate.self, GroupPlaceDelete.self,
        GroupPlaceList.self, GroupPlaceNotify.self, GroupPlaceMute.self,
    ])

    /// Frames that decode to these values, and encode to exactly these bytes.
    static let client = generalClient + pinRequests + planRequests + eventRequests + chatRequests

    private static let generalClient: [Golden<ClientFrame>] = [
        Golden(
            frame: .hello(
                Hello(
                    tag: .number(1),
                    token: "eW91ci10b2tlbg",
                    device: .init(key: "web-5f1c", name: "Firefox on Linux", kind: .browser),
                    resume: [
                        GroupID(81): RosterVersion(epoch: "k3f", version: 17),
                        GroupID(90): RosterVersion(epoch: "a", version: 0),
                    ],
                    knownNotification: 12
                )
            ),
            json: #"{"type":"hello","id":1,"token":"eW91ci10b2tlbg","device":{"key":"web-5f1c","#
                + #""name":"Firefox on Linux","kind":"browser"},"resume":{"groups":{"#
                + #""81":{"epoch":"k3f","version":17},"90":{"epoch":"a","version":0}},"notification":12}}"#
        ),
        Golden(
            frame: .hello(Hello(token: "t", device: .init(key: "p", kind: .phone))),
            json: #"{"type":"hello","token":"t","device":{"key":"p","kind":"phone"}}"#
        ),
        Golden(frame: .ping(.text("näher")), json: #"{"type":"ping","id":"näher"}"#),
        Golden(frame: .ping(nil), json: #"{"type":"ping"}"#),
        Golden(frame: .state(nil, isForeground: true), json: #"{"type":"state","state":"foreground"}"#),
        Golden(frame: .state(.number(2), isForeground: false), json: #"{"type":"state","id":2,"state":"background"}"#),
        Golden(
            frame: .location(nil, fix),
            json: #"{"type":"location","seq":41,"lat":40.7128,"lon":-74.006,"accuracy":8,"at":1732060800123,"#
                + #""altitude":12,"speed":1.4,"course":270,"battery":0.81,"trigger":"move"}"#
        ),
        Golden(
            frame: .location(
                .number(0),
                Fix(
                    sequence: 1 << 53,
                    coordinate: Coordinate(latitude: -90, longitude: 180),
                    trigger: .answer,
                    answer: LocateID(5001)
                )
            ),
            json: #"{"type":"location","id":0,"seq":9007199254740992,"lat":-90,"lon":180,"#
                + #""trigger":"answer","answer":"5001"}"#
        ),
        Golden(
            frame: .locations(
                nil,
                FixBatch(fixes: [
                    Fix(sequence: 38, coordinate: Coordinate(latitude: 40.7128, longitude: -74.006)),
                    Fix(
                        sequence: 39,
                        at: Timestamp(milliseconds: 1_732_060_800_000),
                        coordinate: Coordinate(latitude: 40.713, longitude: -74.0061),
                        trigger: .ping
                    ),
                ])
            ),
            json: #"{"type":"locations","fixes":[{"seq":38,"lat":40.7128,"lon":-74.006},"#
                + #"{"seq":39,"lat":40.713,"lon":-74.0061,"at":1732060800000,"trigger":"ping"}]}"#
        ),
        Golden(frame: .locations(nil, FixBatch(fixes: [])), json: #"{"type":"locations","fixes":[]}"#),
        Golden(
            frame: .request(.number(3), GroupCreate(name: "Sunday climbers")),
            json: #"{"type":"group.create","id":3,"name":"Sunday climbers"}"#
        ),
        Golden(
            frame: .request(
                .number(4),
                GroupCreate(name: "Quick", settings: GroupSettingsPatch(radius: 50.5, dwell: 0))
            ),
            json: #"{"type":"group.create","id":4,"name":"Quick","settings":{"radius":50.5,"dwell":0}}"#
        ),
        Golden(frame: .request(.number(5), GroupList()), json: #"{"type":"group.list","id":5}"#),
        Golden(
            frame: .request(.number(6), GroupUpdate(group: GroupID(81), name: "Saturday")),
            json: #"{"type":"group.update","id":6,"group":"81","name":"Saturday"}"#
        ),
        Golden(
            frame: .request(
                nil,
                GroupUpdate(group: GroupID(81), settings: GroupSettingsPatch(maxAbsent: 10, cooldown: 86_400))
            ),
            json: #"{"type":"group.update","group":"81","settings":{"maxAbsent":10,"cooldown":86400}}"#
        ),
        Golden(
            frame: .request(.number(7), GroupInvite(group: GroupID(81))),
            json: #"{"type":"group.invite","id":7,"group":"81"}"#
        ),
        Golden(
            frame: .request(.number(7), GroupInvite(group: GroupID(81), expiresIn: 3600, uses: 1)),
            json: #"{"type":"group.invite","id":7,"group":"81","expiresIn":3600,"uses":1}"#
        ),
        Golden(
            frame: .request(
                .number(31),
                GroupPlaceAdd(
                    to: GroupID(81),
                    key: "a1",
                    name: "Home",
                    icon: .home,
                    at: Coordinate(latitude: 48.2082, longitude: 16.3738),
                    radius: 100
                )
            ),
            json:
                #"{"type":"group.place.add","id":31,"group":"81","key":"a1","name":"Home","icon":"home","lat":48.2082,"#
                + #""lon":16.3738,"radius":100}"#
        ),
        Golden(
            frame: .request(.number(32), GroupPlaceUpdate(GroupPlaceID(501), revision: 1, name: "Ada's home")),
            json: #"{"type":"group.place.update","id":32,"place":"501","revision":1,"name":"Ada's home"}"#
        ),
        Golden(
            frame: .request(.number(33), GroupPlaceDelete(GroupPlaceID(501))),
            json: #"{"type":"group.place.delete","id":33,"place":"501"}"#
        ),
        Golden(
            frame: .request(.number(34), GroupPlaceList(of: GroupID(81))),
            json: #"{"type":"group.places","id":34,"group":"81"}"#
        ),
        Golden(
            frame: .request(.number(35), GroupPlaceNotify(GroupPlaceID(501), to: .members([UserID(9)]))),
            json: #"{"type":"group.place.notify","id":35,"place":"501","to":["9"]}"#
        ),
        Golden(
            frame: .request(.number(36), GroupPlaceNotify(GroupPlaceID(501), to: .everybody)),
            json: #"{"type":"group.place.notify","id":36,"place":"501","to":"everybody"}"#
        ),
        Golden(
            frame: .request(.number(37), GroupPlaceMute(GroupPlaceID(501), muted: true)),
            json: #"{"type":"group.place.mute","id":37,"place":"501","muted":true}"#
        ),
        Golden(
            frame: .request(.number(8), GroupRevoke(code: "h7Kp2mQx")),
            json: #"{"type":"group.revoke","id":8,"code":"h7Kp2mQx"}"#
        ),
        Golden(frame: .request(.number(9), GroupJoin(code: "h7")), json: #"{"type":"group.join","id":9,"code":"h7"}"#),
        Golden(
            frame: .request(.number(10), GroupLeave(group: GroupID(81))),
            json: #"{"type":"group.leave","id":10,"group":"81"}"#
        ),
        Golden(
            frame: .request(.number(11), GroupRemove(group: GroupID(81), user: UserID(8))),
            json: #"{"type":"group.remove","id":11,"group":"81","user":"8"}"#
        ),
        Golden(
            frame: .request(.number(12), GroupDelete(group: GroupID(81))),
            json: #"{"type":"group.delete","id":12,"group":"81"}"#
        ),
        Golden(
            frame: .request(
                .number(13),
                SharingSet(.paused, group: GroupID(81), until: Timestamp(milliseconds: 1_732_064_400_000))
            ),
            json: #"{"type":"sharing.set","id":13,"mode":"paused","group":"81","until":1732064400000}"#
        ),
        Golden(
            frame: .request(.number(14), SharingSet(.live)),
            json: #"{"type":"sharing.set","id":14,"mode":"live"}"#
        ),
        Golden(
            frame: .request(
                .number(15),
                SharingSet(.live, until: Timestamp(milliseconds: 1_732_064_400_000), then: .paused)
            ),
            json: #"{"type":"sharing.set","id":15,"mode":"live","until":1732064400000,"then":"paused"}"#
        ),
        Golden(
            frame: .request(.number(15), SharingSet(nil, group: GroupID(81), pictures: false)),
            json: #"{"type":"sharing.set","id":15,"group":"81","pictures":false}"#
        ),
        Golden(
            frame: .request(.number(15), Locate(group: GroupID(81), user: UserID(8))),
            json: #"{"type":"locate","id":15,"group":"81","user":"8"}"#
        ),
        Golden(frame: .seen(nil, .upTo(12)), json: #"{"type":"seen","upTo":12}"#),
        Golden(frame: .seen(.number(4), .numbers([9, 12])), json: #"{"type":"seen","id":4,"notifications":[9,12]}"#),
        Golden(
            frame: .request(
                .number(16),
                SpotAdd(
                    at: Coordinate(latitude: 40.7128, longitude: -74.006),
                    comment: "Blue Bottle\nThe corner table.",
                    category: "café"
                )
            ),
            json: #"{"type":"spot.add","id":16,"lat":40.7128,"lon":-74.006,"#
                + #""comment":"Blue Bottle\nThe corner table.","category":"café"}"#
        ),
        Golden(
            frame: .request(.number(17), SpotVote(spot: SpotID(501), vote: .dislike)),
            json: #"{"type":"spot.vote","id":17,"spot":"501","vote":"dislike"}"#
        ),
        Golden(
            frame: .request(.number(18), SpotDelete(spot: SpotID(501))),
            json: #"{"type":"spot.delete","id":18,"spot":"501"}"#
        ),
        Golden(
            frame: .request(
                .number(19),
                SpotsNearby(near: Coordinate(latitude: 90, longitude: -180), radius: 0.5, limit: 100)
            ),
            json: #"{"type":"spots.nearby","id":19,"lat":90,"lon":-180,"radius":0.5,"limit":100}"#
        ),
        Golden(
            frame: .request(
                nil,
                SpotsNearby(
                    near: Coordinate(latitude: 40.7128, longitude: -74.006),
                    radius: 50_000,
                    limit: 1,
                    category: "café"
                )
            ),
            json: #"{"type":"spots.nearby","lat":40.7128,"lon":-74.006,"radius":50000,"limit":1,"category":"café"}"#
        ),
        Golden(
            frame: .request(.number(20), SpotsAll(limit: 50, after: SpotID(501))),
            json: #"{"type":"spots.all","id":20,"limit":50,"after":"501"}"#
        ),
        Golden(frame: .request(nil, SpotsAll(limit: 1)), json: #"{"type":"spots.all","limit":1}"#),
        Golden(
            frame: .request(.number(30), Geocode("Paris, TX")),
            json: #"{"type":"geocode","id":30,"q":"Paris, TX","limit":5,"complete":false}"#
        ),
        Golden(
            frame: .request(
                .number(31),
                Geocode("東京 ب", near: Coordinate(latitude: 44.05, longitude: -123.09), limit: 3, completes: true)
            ),
            json: #"{"type":"geocode","id":31,"q":"東京 ب","lat":44.05,"lon":-123.09,"limit":3,"complete":true}"#
        ),
        Golden(
            frame: .request(.number(32), PlaceGet("gn:3471335")),
            json: #"{"type":"place.get","id":32,"place":"gn:3471335"}"#
        ),
        Golden(frame: .request(.number(33), PositionGuessGet()), json: #"{"type":"position.guess","id":33}"#),
    ]
}
