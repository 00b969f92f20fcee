import EventLoop
import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("How often who may do what")
struct RateTests {
    /// A documented rate: the requests, the count, the period in seconds, the burst, and the subject.
    struct DocumentedRate: CustomTestStringConvertible {
        let rate: RequestRate
        let types: Set<String>
        let often: Int
        let seconds: Int
        let burst: Int
        let scope: RequestRate.Scope

        init(
            _ rate: RequestRate,
            _ types: Set<String>,
            _ often: Int,
            in seconds: Int,
            burst: Int,
            each scope: RequestRate.Scope = .everything
        ) {
            self.rate = rate
            self.types = types
            self.often = often
            self.seconds = seconds
            self.burst = burst
            self.scope = scope
        }

        var testDescription: String { self.rate.name }
    }

    static let promises = [
        DocumentedRate(.sharing, ["sharing.set"], 30, in: 60, burst: 10),
        DocumentedRate(.membership, ["group.join", "group.leave"], 20, in: 3600, burst: 6),
        DocumentedRate(.groupUpdate, ["group.update"], 30, in: 3600, burst: 5, each: .group),
        DocumentedRate(
            .groupPlace,
            ["group.place.add", "group.place.update", "group.place.delete"],
            20,
            in: 3600,
            burst: 20
        ),
        DocumentedRate(.groupPlaceChoice, ["group.place.notify", "group.place.mute"], 60, in: 3600, burst: 20),
        DocumentedRate(.profile, [], 20, in: 3600, burst: 5),
        DocumentedRate(.chatSend, ["chat.send"], 120, in: 60, burst: 120),
        DocumentedRate(.chatSendInRoom(ServerConfiguration().chatRate), [], 30, in: 60, burst: 10, each: .room),
        DocumentedRate(.chatChange, ["chat.edit", "chat.delete"], 30, in: 60, burst: 10, each: .room),
        DocumentedRate(.chatTyping, ["chat.typing"], 1, in: 3, burst: 1),
        DocumentedRate(.roomSet, ["room.set"], 30, in: 60, burst: 10),
        DocumentedRate(.report, ["report"], 20, in: 86_400, burst: 20),
        DocumentedRate(.spotAdd, ["spot.add"], 30, in: 3600, burst: 30),
        DocumentedRate(.spotVote, ["spot.vote"], 120, in: 60, burst: 60),
        DocumentedRate(.spotsWatch, ["spots.watch"], 60, in: 60, burst: 60),
        DocumentedRate(.pinPost, ["pin.post"], 10, in: 3600, burst: 10),
        DocumentedRate(.photo, [], 60, in: 3600, burst: 60),
        DocumentedRate(.tiles, ["tiles.watch"], 600, in: 60, burst: 600),
        DocumentedRate(.cluster, ["tiles.cluster"], 600, in: 60, burst: 600),
        DocumentedRate(.eventCreate, ["event.create"], 10, in: 3600, burst: 10),
        DocumentedRate(.eventUpdate, [], 20, in: 3600, burst: 20, each: .event),
        DocumentedRate(.eventReply, ["event.rsvp"], 60, in: 60, burst: 60),
        DocumentedRate(.eventsWatch, ["events.watch"], 120, in: 60, burst: 120),
        DocumentedRate(.geocode, [], 5, in: 1, burst: 20),
        DocumentedRate(.placeGet, ["place.get"], 60, in: 60, burst: 60),
        DocumentedRate(.positionGuess, ["position.guess"], 20, in: 60, burst: 20),
        DocumentedRate(.planSuggest, ["plan.suggest"], 6, in: 60, burst: 6),
        DocumentedRate(.planSave, ["plan.save"], 60, in: 60, burst: 60),
        DocumentedRate(.planShare, ["plan.share"], 10, in: 3600, burst: 10),
        DocumentedRate(.planAnswer, ["plan.answer"], 60, in: 60, burst: 60),
    ]

    private static let table = RequestTable.standard(
        Services(
            configuration: ServerConfiguration(),
            clock: .system,
            logger: Logger(level: .error),
            world: LocalWorld(),
            clusters: LocalClusterService()
        )
    )

    @Test("each rate is as promised: for its requests together, at once, and over time", arguments: promises)
    func promise(_ promise: DocumentedRate) throws {
        let rate = promise.rate
        #expect(rate.count == promise.often)
        #expect(rate.seconds == promise.seconds)
        #expect(rate.burst == promise.burst)
        #expect(rate.scope == promise.scope)
        let entries = Self.table.entries.filter { $0.type.rate == rate }
        #expect(Set(entries.map { $0.type.type }) == promise.types)
        #expect(Set(entries.compactMap { $0.meter.map(ObjectIdentifier.init) }).count <= 1, "one count for all of them")

        let meter = RateMeter<Int>(rate)
        for _ in 0..<promise.burst { try meter.charge(1, to: 1, now: 0) }
        let exact = Int64((1000 * Double(promise.seconds) / Double(promise.often)).rounded(.up))
        let refusal = #expect(throws: FrameError.self) { try meter.charge(1, to: 1, now: 0) }
        #expect(refusal?.code == .rateLimited)
        let wait = try #require(refusal?.retryAfter)
        #expect(abs(wait - exact) <= 1)
        try meter.charge(1, to: 2, now: 0)
        try meter.charge(1, to: 1, now: wait)
        #expect(throws: FrameError.self) { try meter.charge(1, to: 1, now: wait) }
        // A bucket that has refilled uses no memory.
        try meter.charge(1, to: 3, now: Int64.max / 2)
        #expect(meter.count == 1)
    }

    @Test("no rate of a request is missing in the promises")
    func complete() {
        let promised = Set(Self.promises.map(\.rate))
        let rates = Self.table.entries.compactMap { entry in entry.type.rate }
        #expect(Set(rates).isSubset(of: promised))
        #expect(promised.count == Self.promises.count)
    }

    @Test("what lets others see less is never refused, and nothing else")
    func neverRefused() {
        #expect(SharingSet(.paused).isNeverRefused)
        #expect(SharingSet(.approximate, pictures: true).isNeverRefused)
        #expect(SharingSet(nil, pictures: false).isNeverRefused)
        #expect(GroupLeave(group: GroupID(1)).isNeverRefused)
        #expect(UserBlock.rate == nil)
        #expect(!SharingSet(.live).isNeverRefused)
        #expect(!SharingSet(nil, pictures: true).isNeverRefused)
        #expect(!GroupJoin(code: "a").isNeverRefused)
    }

    @Test("of a room or a group each has a count of its own")
    func subjects() {
        let (ada, bo) = (UserID(1), UserID(2))
        let edit = RatedSubject(ada, ChatEdit(1, in: RoomID(5), text: "a"))
        #expect(edit == RatedSubject(ada, ChatDelete(9, in: RoomID(5))))
        #expect(edit != RatedSubject(ada, ChatDelete(9, in: RoomID(6))))
        #expect(edit != RatedSubject(bo, ChatEdit(1, in: RoomID(5), text: "a")))
        #expect(RatedSubject(ada, GroupUpdate(group: GroupID(1))) != RatedSubject(ada, GroupUpdate(group: GroupID(2))))
        #expect(RatedSubject(ada, GroupJoin(code: "a")) == RatedSubject(ada, GroupLeave(group: GroupID(1))))
    }

    /// An entry of `x-rates`.
    private struct Row: Decodable {
        let of: [String]
        let count: Int
        let seconds: Int
        let burst: Int
        let each: String?
    }

    private struct Contract: Decodable {
        struct Info: Decodable {
            private enum CodingKeys: String, CodingKey { case rates = "x-rates" }
            let rates: [Row]
        }
        let info: Info
    }

    @Test("the contracts list the rates")
    func contract() throws {
        var rows: [Row] = []
        for name in ["asyncapi.json", "openapi.json"] {
            let file = MusterProcess.checkout.appending(path: "public/\(name)")
            rows += try JSONDecoder().decode(Contract.self, from: Data(contentsOf: file)).info.rates
        }
        #expect(rows.count == Self.promises.count)
        for promise in Self.promises {
            let scope: String? =
                switch promise.rate.scope {
                case .everything: nil
                case .room: "room"
                case .group: "group"
                case .event: "event"
                }
            let row = rows.first { row in
                row.of == promise.rate.name.split(separator: ", ").map(String.init) && row.each == scope
                    && row.count == promise.often && row.seconds == promise.seconds && row.burst == promise.burst
            }
            #expect(row != nil, "\(promise.rate.name)")
        }
    }
}
