import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("The connection dies between COMMIT and its answer", .blocking)
struct LostCommitTests {
    /// Ada's group with Bo as a member, and the objects to change.
    struct Scene {
        let fixture: ServerFixture
        let ada: TestClient
        let bo: TestClient
        let group: String
        let spot: String
        let event: String

        var inGroup: JSON { ["group": .string(self.group)] }
    }

    /// A request that changes something, and the change that the other user must receive.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Makes what the request changes, before answers are lost.
        var prepare: @Sendable (Scene) throws -> Void = { _ in }
        /// The maximum number of lost answers.
        var cuts = Int.max
        /// Throws unless the request is answered as if nothing were lost.
        let request: @Sendable (Scene) throws -> Void
        /// Throws unless the live world has the change within 2 s.
        let isKnown: @Sendable (Scene) throws -> Void
    }

    static let rows = [
        Row(testDescription: "group.remove") { scene in
            try scene.ada.request("group.remove", scene.inGroup.with(["user": .string(scene.bo.account.id)]))
        } isKnown: { scene in
            try scene.bo.waitUntil("Bo is out", within: 2000) {
                scene.bo.roster(scene.group)[scene.bo.account.id].fields.isEmpty
            }
        },
        Row(testDescription: "group.leave") { scene in
            try scene.bo.request("group.leave", scene.inGroup)
        } isKnown: { scene in
            try scene.ada.waitUntil("Bo is out", within: 2000) { scene.ada.roster(scene.group).members.count == 1 }
        },
        Row(testDescription: "group.update") { scene in
            try scene.ada.request("group.update", scene.inGroup.with(["name": "Monday climbers"]))
        } isKnown: { scene in
            try scene.bo.expect("group", within: 2000) { $0["group"]["name"].string == "Monday climbers" }
        },
        Row(testDescription: "group.delete") { scene in
            try scene.ada.request("group.delete", scene.inGroup)
        } isKnown: { scene in
            try scene.bo.waitUntil("Bo is out", within: 2000) {
                scene.bo.roster(scene.group)[scene.bo.account.id].fields.isEmpty
            }
        },
        Row(testDescription: "sharing.set") { scene in
            try scene.bo.request("sharing.set", ["mode": "live"])
        } isKnown: { scene in
            try scene.ada.waitUntil("Bo live", within: 2000) {
                scene.ada.roster(scene.group)[scene.bo.account.id].sharing == "live"
            }
        },
        Row(testDescription: "PATCH /v1/me") { scene in
            let token = scene.bo.account.token
            let code = try scene.fixture.http("PATCH", "/v1/me", token: token, body: ["name": "Bob"]).status
            #expect(code == 200)
        } isKnown: { scene in
            try scene.ada.waitUntil("Bob", within: 2000) {
                scene.ada.roster(scene.group)[scene.bo.account.id]["name"]?.string == "Bob"
            }
        },
        Row(testDescription: "DELETE /v1/me") { scene in
            let code = try scene.fixture.http("DELETE", "/v1/me", token: scene.bo.account.token).status
            #expect(code == 204)
        } isKnown: { scene in
            try scene.ada.waitUntil("Bo is out", within: 2000) { scene.ada.roster(scene.group).members.count == 1 }
            let code = try scene.bo.expectClose(within: 2000)
            #expect(code == 4401)
        },
        Row(testDescription: "DELETE /v1/sessions/current") { scene in
            let token = scene.bo.account.token
            let code = try scene.fixture.http("DELETE", "/v1/sessions/current", token: token).status
            #expect(code == 204)
        } isKnown: { scene in
            let code = try scene.bo.expectClose(within: 2000)
            #expect(code == 4401)
        },
        Row(testDescription: "spot.delete") { scene in
            try scene.ada.request("spot.delete", ["spot": .string(scene.spot)])
        } isKnown: { scene in
            try scene.bo.expect("spot_gone", within: 2000)
        },
        Row(testDescription: "event.rsvp") { scene in
            try scene.bo.request("event.rsvp", ["event": .string(scene.event), "rsvp": "yes"])
        } isKnown: { scene in
            try scene.ada.expect("event", within: 2000) { $0["event"]["counts"]["yes"].int == 1 }
        },
        Row(
            testDescription: "event.cancel, which numbers notifications with its COMMIT",
            prepare: { try $0.bo.request("event.rsvp", ["event": .string($0.event), "rsvp": "yes"]) },
            request: { scene in
                try scene.ada.request("event.cancel", ["event": .string(scene.event)])
            },
            isKnown: { scene in
                try scene.bo.expect("event_cancelled", within: 2000)
            }
        ),
        Row(testDescription: "user.block") { scene in
            try scene.ada.request("user.block", ["user": .string(scene.bo.account.id)])
        } isKnown: { scene in
            try scene.bo.request("locate", scene.inGroup.with(["user": .string(scene.ada.account.id)]))
            try scene.ada.catchUp()
            #expect(scene.ada.unreadFrames("locate").isEmpty)
        },
        Row(
            testDescription: "user.unblock",
            prepare: { try $0.ada.request("user.block", ["user": .string($0.bo.account.id)]) },
            request: { scene in
                try scene.ada.request("user.unblock", ["user": .string(scene.bo.account.id)])
            },
            isKnown: { scene in
                try scene.bo.request("locate", scene.inGroup.with(["user": .string(scene.ada.account.id)]))
                try scene.ada.expect("locate", within: 2000)
            }
        ),
        Row(
            testDescription: "pin.delete",
            prepare: { try $0.ada.request("pin.post", ["text": "At the fair", "lat": 48.2, "lon": 16.37]) },
            request: { scene in
                try scene.ada.request("pin.delete")
            },
            isKnown: { scene in
                let answer = try scene.ada.request("pin.get")
                #expect(answer["pin"].isNull)
            }
        ),
    ]

    @Test("the request is answered by what is stored, and the live world knows it", arguments: rows)
    func lost(_ row: Row) async throws {
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let cutter = try CommitCutter(to: database)
        try await ServerFixture.open(database: cutter.connectionString) { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try bo.request("sharing.set", ["mode": "paused"])
            try ada.waitUntil("Bo paused") { ada.roster(group)[bo.account.id].sharing == "paused" }
            try bo.request("spots.watch", ["scope": "all"])
            let spot = try ada.request("spot.add", ["lat": 48.2, "lon": 16.37, "comment": "Shade at noon"])["spot"]
            let event = try ada.request(
                "event.create",
                [
                    "key": "e", "group": .string(group), "title": "The wall", "lat": 48.2, "lon": 16.37,
                    "startsAt": .now(plus: 86_400_000), "tz": "Europe/Vienna", "visibility": "group",
                ]
            )["event"]["id"].string
            let scene = Scene(
                fixture: fixture,
                ada: ada,
                bo: bo,
                group: group,
                spot: spot["id"].string ?? "",
                event: event ?? ""
            )
            try row.prepare(scene)
            try cutter.cutting(atMost: row.cuts) { try row.request(scene) }
            #expect(cutter.cutCount > 0, "no answer to a COMMIT was lost")
            try row.isKnown(scene)
            withExtendedLifetime(cutter) {}
        }
    }
}
