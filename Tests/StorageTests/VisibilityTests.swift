import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("What one cannot see is not there")
struct VisibilityTests {
    /// A stranger with data of every kind, and a user who may see none of it.
    private struct Scene {
        let store: Store
        let viewer: UserID
        let stranger: UserID
        let group: GroupID
        let event: EventID
        let message: Int64
        let plan: PlanID
        let share: ShareID
        /// An unused photo, a profile picture, an event's photo and a message's photo.
        let photos: [PhotoID]
    }

    private static func with(_ body: (Scene) async throws -> Void) async throws {
        try await Store.with { store in
            let directory = store.directory
            let viewer = try await store.person("Viewer").user.id
            _ = try await directory.createGroup(name: "Own", by: viewer)
            let (group, people) = try await store.group(2)
            let stranger = people[1].user.id
            let photos = [
                try await store.photo(of: stranger).id, try await store.photo(of: stranger, .face).id,
                try await store.photo(of: stranger).id, try await store.photo(of: stranger).id,
            ]
            _ = try await directory.updateProfile(of: stranger, ProfileChange(avatar: .replaced(photos[1])))
            let draft = EventCreate(
                key: "k",
                title: "Climbing",
                at: Coordinate(latitude: 48, longitude: 16),
                startsAt: store.now + 3_600_000,
                timeZone: "UTC",
                photo: photos[2],
                group: group.id
            )
            let event = try await directory.createEvent(draft, by: stranger).event.id
            let writer = store.chatWriter { _ in }
            let words = ChatOrder.Draft(key: "a", kind: .photo, text: "Words", photo: photos[3])
            let order = ChatOrder(.send(words), in: group.id.room, by: stranger, at: store.now)
            let seq = try await writer.write(order).message.seq
            await writer.close()
            let plan = try await store.proposedPlan(by: stranger, to: group.id)
            let share = try await store.share(of: group.id, by: stranger, showing: [stranger]).id
            try await body(
                Scene(
                    store: store,
                    viewer: viewer,
                    stranger: stranger,
                    group: group.id,
                    event: event,
                    message: seq,
                    plan: plan,
                    share: share,
                    photos: photos
                )
            )
        }
    }

    @Test("requests about a stranger's things are refused as those about nothing are")
    func requests() async throws {
        try await Self.with { scene in
            let (directory, viewer) = (scene.store.directory, scene.viewer)
            typealias Attempt = (Int64) async throws -> Void
            func report(_ what: Report.Subject, in room: RoomID? = nil) -> Attempt {
                { id in
                    var report = Report(what, id, reason: "Not nice")
                    report.room = room
                    try await directory.report(report, by: viewer)
                }
            }
            let rows: [(name: String, ids: [Int64], refusal: Refusal, attempt: Attempt)] = [
                ("report user", [scene.stranger.rawValue], .notFound, report(.user)),
                ("report photo", scene.photos.map(\.rawValue), .notFound, report(.photo)),
                ("report event", [scene.event.rawValue], .notFound, report(.event)),
                ("report message", [scene.message], .notFound, report(.message, in: scene.group.room)),
                (
                    "user.block", [scene.stranger.rawValue], .notFound,
                    { id in _ = try await directory.block(UserID(id), by: viewer) }
                ),
                (
                    "event.get", [scene.event.rawValue], .notFound,
                    { id in _ = try await directory.event(EventID(id), for: viewer) }
                ),
                (
                    "event.rsvp", [scene.event.rawValue], .notFound,
                    { id in
                        _ = try await directory.reply(.yes, to: EventID(id), by: viewer)
                    }
                ),
                (
                    "event.cancel", [scene.event.rawValue], .notFound,
                    { id in _ = try await directory.cancelEvent(EventID(id), by: viewer)
                    }
                ),
                (
                    "event.guests", [scene.event.rawValue], .notFound,
                    { id in
                        _ = try await directory.guests(of: EventID(id), after: nil, limit: 10, for: viewer)
                    }
                ),
                (
                    "plan.get", [scene.plan.rawValue], .notFound,
                    { id in _ = try await directory.plan(PlanID(id), for: viewer) }
                ),
                (
                    "plan.delete", [scene.plan.rawValue], .notFound,
                    { id in _ = try await directory.deletePlan(PlanID(id), by: viewer) }
                ),
                (
                    "DELETE /v1/shares", [scene.share.rawValue], .notFound,
                    { id in
                        try await directory.revokeShare(ShareID(id), by: viewer)
                    }
                ),
                (
                    "a face of another's photo", scene.photos.map(\.rawValue), .notFound,
                    { id in
                        let change = ProfileChange(avatar: .replaced(PhotoID(id)))
                        _ = try await directory.updateProfile(of: viewer, change)
                    }
                ),
                (
                    "chat.history", [scene.group.rawValue], .notMember,
                    { id in
                        _ = try await directory.messages(of: RoomID(id), .newest, limit: 1, for: viewer)
                    }
                ),
                (
                    "room.set", [scene.group.rawValue], .notMember,
                    { id in
                        _ = try await directory.setRoom(RoomID(id), muted: .all, slow: nil, by: viewer)
                    }
                ),
                (
                    "GET /v1/groups/…/gatherings", [scene.group.rawValue], .notMember,
                    { id in
                        _ = try await directory.gatherings(of: GroupID(id), for: viewer)
                    }
                ),
                (
                    "group.update", [scene.group.rawValue], .notMember,
                    { id in
                        _ = try await directory.updateGroup(GroupID(id), name: "Mine", by: viewer)
                    }
                ),
            ]
            for row in rows {
                for id in row.ids + [12345] {
                    let code = await failure { try await row.attempt(id) }
                    #expect(code == row.refusal, "\(row.name) \(id)")
                }
            }
            let stored = try await scene.store.count(
                "(SELECT 1 FROM muster.report UNION ALL SELECT 1 FROM muster.block) x"
            )
            #expect(stored == 0)
        }
    }

    @Test("the inviter of a preview can be reported and blocked with its code, and with no other")
    func inviter() async throws {
        try await Self.with { scene in
            let (directory, viewer, stranger) = (scene.store.directory, scene.viewer, scene.stranger)
            let code = try await directory.createInvite(to: scene.group, by: stranger).code
            let own = try await directory.createGroup(name: "Other", by: viewer)
            let wrong = try await directory.createInvite(to: own.id, by: viewer).code
            for (invite, expected) in [(wrong, .notFound), (nil, .notFound), (code, nil)]
                as [(String?, Refusal?)]
            {
                let report = await failure {
                    try await directory.report(
                        Report(.user, stranger.rawValue, invite: invite, reason: "Not nice"),
                        by: viewer
                    )
                }
                #expect(report == expected)
                let block = await failure {
                    _ = try await directory.block(stranger, seenIn: invite, by: viewer)
                }
                #expect(block == expected)
            }
        }
    }

    @Test("as much is read for an answer about a stranger's thing as for one about nothing")
    func sameWork() async throws {
        try await Self.with { scene in
            func steps(_ sql: String, _ parameters: [PostgresValue]) async throws -> Int {
                let plan = try await scene.store.pool.query("EXPLAIN ANALYZE \(sql)", parameters)
                return try plan.count { try $0.text("QUERY PLAN").contains("loops=") }
            }
            let viewer = PostgresValue.int64(scene.viewer.rawValue)
            let rows: [(String, [Int64], [PostgresValue])] = [
                (VisibilityCondition.visiblePerson, [scene.stranger.rawValue], [.text("")]),
                (VisibilityCondition.visiblePhoto, scene.photos.map(\.rawValue), []),
            ]
            for (sql, ids, more) in rows {
                let nothing = try await steps(sql, [.int64(12345), viewer] + more)
                for id in ids {
                    let hidden = try await steps(sql, [.int64(id), viewer] + more)
                    // An event that exists is compared with the viewer's groups, once for its host and once for a guest.
                    #expect(
                        nothing > 10 && (0...nothing / 4).contains(hidden - nothing),
                        "\(nothing) and \(hidden) of \(sql)"
                    )
                }
            }
        }
    }

    /// The relation through which a stranger becomes visible, and with them some of their photos.
    enum Way: CaseIterable {
        case nothing, group, spot, pin, event, guest, leftRoom, notification
    }

    @Test("whoever some answer may show can be blocked and reported", arguments: Way.allCases)
    func people(_ way: Way) async throws {
        try await Self.with { scene in
            let (store, directory) = (scene.store, scene.store.directory)
            let place = Coordinate(latitude: 48, longitude: 16)
            func event(by host: UserID) async throws -> EventID {
                let draft = EventCreate(
                    key: "open",
                    title: "For all",
                    at: place,
                    startsAt: store.now + 3_600_000,
                    timeZone: "UTC"
                )
                return try await directory.createEvent(draft, by: host).event.id
            }
            switch way {
            case .nothing: break
            case .group, .leftRoom:
                let own = try await directory.createGroup(name: "Both", by: scene.viewer)
                let code = try await directory.createInvite(to: own.id, by: scene.viewer).code
                _ = try await directory.join(code: code, user: scene.stranger)
                if way == .leftRoom { _ = try await directory.leave(own.id, user: scene.stranger) }
            case .spot: _ = try await directory.addSpot(SpotAdd(at: place, comment: "Coffee"), by: scene.stranger)
            case .pin: _ = try await directory.postPin(PinPost("Here", at: place), by: scene.stranger)
            case .event: _ = try await event(by: scene.stranger)
            case .guest:
                _ = try await directory.reply(.maybe, to: try await event(by: scene.viewer), by: scene.stranger)
            case .notification:
                try await store.pool.query(
                    """
                    SELECT * FROM muster.notify(ARRAY[$1::bigint], ARRAY['left_without_you'], ARRAY[NULL::bigint],
                        ARRAY[NULL::bigint], ARRAY['x'], ARRAY[now()], ARRAY[$2::jsonb])
                    """,
                    [.int64(scene.viewer.rawValue), .text(#"{"together":[{"id":"\#(scene.stranger)","name":"N"}]}"#)]
                )
            }
            func refusal(_ report: Report) async -> Refusal? {
                await failure {
                    try await directory.report(report, by: scene.viewer)
                }
            }
            let expected: Refusal? = way == .nothing ? .notFound : nil
            #expect(await refusal(Report(.user, scene.stranger.rawValue, reason: "Not nice")) == expected)
            #expect(await refusal(Report(.photo, scene.photos[1].rawValue, reason: "Not nice")) == expected)
            #expect(await refusal(Report(.photo, scene.photos[0].rawValue, reason: "Not nice")) == .notFound)
            let block = await failure {
                _ = try await directory.block(scene.stranger, by: scene.viewer)
            }
            #expect(block == expected)
        }
    }
}
