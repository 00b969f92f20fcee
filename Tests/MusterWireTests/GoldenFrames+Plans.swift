@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

extension GoldenFrames {
    private static let noon = Timestamp(milliseconds: 1_732_060_800_000)

    private static let kiasma = PlannedPlace(
        id: "osm:n1",
        name: "Kiasma",
        category: .art,
        coordinate: Coordinate(latitude: 60.1719, longitude: 24.9368),
        extent: Place.Extent(west: 24.936, south: 60.171, east: 24.938, north: 60.172),
        source: "osm-helsinki",
        fame: 0.650_49,
        openingHours: "Tu-Su 10:00-18:00",
        address: "Mannerheiminaukio 2, Helsinki",
        website: "https://kiasma.fi/"
    )
    private static let noma = PlannedPlace(
        id: "yelp:n",
        name: "Noma",
        category: .restaurant,
        coordinate: Coordinate(latitude: 60.17, longitude: 24.94),
        source: "yelp",
        fame: 0.9,
        rating: 4.666,
        ratings: 120,
        priceLevel: 4,
        phone: "+358 1"
    )
    private static let day = DayPlan(
        origin: Coordinate(latitude: 60.1699, longitude: 24.9384),
        startsAt: noon,
        isTimed: true,
        pace: .close,
        score: 1.04,
        stops: [
            DayPlan.Stop(
                kiasma,
                arriveAt: noon + 300_000,
                leaveAt: noon + 3_900_000,
                isOpen: true,
                leg: PlanLeg(distance: 412.54, duration: 306.4, isRouted: false)
            ),
            DayPlan.Stop(
                noma,
                arriveAt: noon + 4_200_000,
                leaveAt: noon + 7_800_000,
                isOpen: nil,
                leg: PlanLeg(distance: 230, duration: 180, geometry: "_p~iF~ps|U", isRouted: true)
            ),
        ],
        attribution: ["© OpenStreetMap contributors"]
    )
    private static let kept = StoredPlan(
        id: PlanID(701),
        name: "Saturday by the sea",
        person: UserProfile(id: UserID(7), name: "Ada"),
        plan: day.withoutOrigin,
        shares: [
            PlanShare(group: GroupID(81), at: noon, answers: PlanAnswers(in: 2, maybe: 0, out: 1), answer: .in)
        ]
    )
    private static let kiasmaJSON =
        #"{"id":"osm:n1","name":"Kiasma","label":"Kiasma, Mannerheiminaukio 2, Helsinki","type":"other","category":"art","#
        + #""lat":60.1719,"lon":24.9368,"extent":[24.936,60.171,24.938,60.172],"source":"osm-helsinki","fame":0.65,"rating":null,"#
        + #""ratings":0,"priceLevel":null,"openingHours":"Tu-Su 10:00-18:00","address":"Mannerheiminaukio 2, Helsinki","phone":null,"#
        + #""website":"https://kiasma.fi/","link":"geo:60.1719,24.9368?q=60.1719,24.9368(Kiasma)"}"#
    private static let nomaJSON =
        #"{"id":"yelp:n","name":"Noma","label":"Noma","type":"other","category":"restaurant","lat":60.17,"lon":24.94,"#
        + #""extent":null,"source":"yelp","fame":0.9,"rating":4.67,"ratings":120,"priceLevel":4,"openingHours":null,"address":null,"#
        + #""phone":"+358 1","website":null,"link":"geo:60.17,24.94?q=60.17,24.94(Noma)"}"#
    private static let nomaStop =
        #"{"place":\#(nomaJSON),"arriveAt":1732065000000,"leaveAt":1732068600000,"open":null,"#
        + #""leg":{"distance":230,"duration":180,"geometry":"_p~iF~ps|U","from":"router"}}"#
    private static let dayJSON =
        #"{"id":null,"name":"Kiasma · Noma","score":1.04,"distance":642.5,"duration":486,"routed":false,"pace":"close","#
        + #""origin":{"lat":60.1699,"lon":24.9384},"startsAt":1732060800000,"cost":{"level":3,"known":1,"of":2},"#
        + #""stops":[{"place":\#(kiasmaJSON),"arriveAt":1732061100000,"leaveAt":1732064700000,"open":true,"#
        + #""leg":{"distance":412.5,"duration":306,"geometry":null,"from":"estimate"}},\#(nomaStop)],"attribution":["© OpenStreetMap contributors"]}"#
    private static let keptJSON =
        #"{"id":"701","name":"Saturday by the sea","score":1.5507,"distance":230,"duration":180,"routed":true,"#
        + #""pace":"close","origin":null,"startsAt":null,"cost":{"level":3,"known":1,"of":2},"#
        + #""stops":[{"place":\#(kiasmaJSON),"arriveAt":1732061100000,"leaveAt":1732064700000,"open":true,"leg":null},"#
        + #"\#(nomaStop)],"attribution":["© OpenStreetMap contributors"],"by":{"id":"7","name":"Ada"},"#
        + #""shares":[{"group":"81","at":1732060800000,"answers":{"in":2,"maybe":0,"out":1},"answer":"in"}]}"#

    /// Requests about plans.
    static let planRequests: [Golden<ClientFrame>] = [
        Golden(
            frame: .request(
                .number(40),
                PlanSuggest(
                    [.restaurant, .park, .park],
                    from: Coordinate(latitude: 60.1699, longitude: 24.9384),
                    radius: 800,
                    pace: .famous,
                    at: noon,
                    stay: 1_800,
                    until: noon + 14_400_000,
                    maxPrice: 2,
                    count: 3
                )
            ),
            json:
                #"{"type":"plan.suggest","id":40,"categories":["restaurant","park","park"],"lat":60.1699,"lon":24.9384,"#
                + #""radius":800,"pace":"famous","at":1732060800000,"stay":1800,"until":1732075200000,"maxPrice":2,"count":3}"#
        ),
        Golden(
            frame: .request(nil, PlanSuggest([.art])),
            json: #"{"type":"plan.suggest","categories":["art"]}"#
        ),
        Golden(
            frame: .request(.number(41), PlanSave(SuggestionID(901), index: 0, name: "Saturday by the sea")),
            json: #"{"type":"plan.save","id":41,"suggestion":"901","index":0,"name":"Saturday by the sea"}"#
        ),
        Golden(frame: .request(.number(42), PlansList()), json: #"{"type":"plans.list","id":42}"#),
        Golden(
            frame: .request(.number(43), PlansList(of: GroupID(81), after: PlanID(701))),
            json: #"{"type":"plans.list","id":43,"group":"81","after":"701"}"#
        ),
        Golden(
            frame: .request(.number(44), PlanGet(PlanID(701))),
            json: #"{"type":"plan.get","id":44,"plan":"701"}"#
        ),
        Golden(
            frame: .request(.number(45), PlanDelete(PlanID(701))),
            json: #"{"type":"plan.delete","id":45,"plan":"701"}"#
        ),
        Golden(
            frame: .request(.number(46), PlanShareRequest(PlanID(701), with: GroupID(81))),
            json: #"{"type":"plan.share","id":46,"plan":"701","group":"81"}"#
        ),
        Golden(
            frame: .request(.number(47), PlanUnshare(PlanID(701), from: GroupID(81))),
            json: #"{"type":"plan.unshare","id":47,"plan":"701","group":"81"}"#
        ),
        Golden(
            frame: .request(.number(48), PlanAnswerRequest(.in, to: PlanID(701), in: GroupID(81))),
            json: #"{"type":"plan.answer","id":48,"plan":"701","group":"81","answer":"in"}"#
        ),
    ]

    private static let proposal = NumberedNotification(
        user: UserID(9),
        number: 13,
        content: .planProposed(kept, to: GroupID(81), called: "Sunday climbers", at: noon)
    )

    /// Encoded answers and pushes about plans, and the expected JSON.
    static let planAnswers: [Golden<[UInt8]>] = [
        Golden(
            frame: Frame.ok(
                .number(40),
                SuggestionAnswer(
                    SuggestionID(901),
                    from: .init(Coordinate(latitude: 60.1699, longitude: 24.9384), from: .given),
                    [day],
                    missing: [.park],
                    sources: [PlanSourceView("local", .art, state: "local", ms: 4)],
                    attribution: ["© OpenStreetMap contributors"]
                )
            ).encoded,
            json: #"{"type":"ok","id":40,"suggestion":"901","origin":{"lat":60.1699,"lon":24.9384,"from":"given"},"#
                + #""plans":[\#(dayJSON)],"missing":["park"],"#
                + #""sources":[{"provider":"local","category":"art","state":"local","ms":4}],"#
                + #""attribution":["© OpenStreetMap contributors"]}"#
        ),
        Golden(
            frame: Frame.ok(.number(44), PlanSaved(kept)).encoded,
            json: #"{"type":"ok","id":44,"plan":\#(keptJSON)}"#
        ),
        Golden(
            frame: Frame.ok(.number(42), PlansAnswer([kept], next: PlanID(701))).encoded,
            json: #"{"type":"ok","id":42,"plans":[\#(keptJSON)],"next":"701"}"#
        ),
        Golden(
            frame: Frame.ok(.number(42), PlansAnswer([], next: nil)).encoded,
            json: #"{"type":"ok","id":42,"plans":[],"next":null}"#
        ),
        Golden(
            frame: Frame.ok(.number(48), PlanAnswersAnswer(PlanAnswers(in: 2, out: 1))).encoded,
            json: #"{"type":"ok","id":48,"answers":{"in":2,"maybe":0,"out":1}}"#
        ),
        Golden(
            frame: LiveMessage.planChanged(
                PlanChange(plan: PlanID(701), group: GroupID(81), answers: PlanAnswers(maybe: 1), countedAt: 5)
            ).encoded,
            json: #"{"type":"plan_changed","plan":"701","group":"81","answers":{"in":0,"maybe":1,"out":0}}"#
        ),
        Golden(
            frame: LiveMessage.planGone(PlanID(701), from: GroupID(81)).encoded,
            json: #"{"type":"plan_gone","plan":"701","group":"81"}"#
        ),
        Golden(
            frame: ServerFrame.notification(proposal, isLate: false).encoded,
            json: #"{"type":"plan_proposed","notification":13,"at":1732060800000,"late":false,"group":"81","#
                + #""groupName":"Sunday climbers","plan":"701","name":"Saturday by the sea","#
                + #""by":{"id":"7","name":"Ada"},"places":["Kiasma","Noma"]}"#
        ),
    ]
}
