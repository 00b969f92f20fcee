import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("Names of places", .blocking)
struct PlaceNameTests {
    private static let cafe = (latitude: 48.2, longitude: 16.37)

    /// Sends reports from the café until each user has sent two since the last one arrived.
    private func meet(_ people: [TestClient]) throws { try report(people) { _ in Self.cafe } }

    /// Adds a spot this many metres north of the café.
    private func add(_ comment: String, _ metres: Double, by person: TestClient) throws -> String {
        let answer = try person.request(
            "spot.add",
            [
                "lat": .number(Self.cafe.latitude + metres / 111_195), "lon": .number(Self.cafe.longitude),
                "comment": .string(comment),
            ]
        )
        return answer["spot"]["id"].string ?? ""
    }

    @Test("a gathering is called by the nearest spot wherever it is told, stored or looked up, also after a crash")
    func named() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let di = people[3]
            _ = try self.add("Bar", 70, by: people[0])
            _ = try self.add("Blue Bottle\nThe corner table.", 30, by: di)
            try di.sendFix(48.22, 16.37)
            try di.waitForAck()
            try self.meet(Array(people[0...2]))
            for person in people {
                #expect(try person.expect("gathering", within: 15_000)["place"]["name"].string == "Blue Bottle")
            }
            #expect(try di.expect("left_without_you", within: 15_000)["place"]["name"].string == "Blue Bottle")
            let row = try fixture.query("SELECT place_name FROM ops.gatherings_now").onlyRow()
            #expect(try row?.text("place_name") == "Blue Bottle")
            let past = try fixture.http("GET", "/v1/groups/\(group)/gatherings", token: di.account.token).json
            #expect(past?["gatherings"][0]["place"]["name"].string == "Blue Bottle")
            try fixture.crash()
            let again = try fixture.enter(di.account)
            try again.waitUntil("the roster") { again.rosters[group] != nil }
            #expect(again.roster(group).gathering?["place"]["name"].string == "Blue Bottle")
            #expect(try again.expect("left_without_you")["place"]["name"].string == "Blue Bottle")
        }
    }

    @Test("spots that were there before a restart name what begins after it; one that was deleted does not")
    func restart() async throws {
        try await ServerFixture.open { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo")
            let nearest = try self.add("Closed", 5, by: people[0])
            _ = try self.add("Blue Bottle", 50, by: people[0])
            try people[0].request("spot.delete", ["spot": .string(nearest)])
            try fixture.crash()
            let again = try people.map { try fixture.enter($0.account) }
            try self.meet(again)
            #expect(try again[0].expect("gathering", within: 15_000)["place"]["name"].string == "Blue Bottle")
        }
    }

    @Test("without a spot within the radius a gathering has no name; spots of deleted accounts give none")
    func unnamed() async throws {
        try await ServerFixture.open { fixture in
            let (people, _) = try fixture.friends("Ada", "Bo")
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            _ = try self.add("Too far", 110, by: people[0])
            _ = try self.add("Cy's", 10, by: cy)
            #expect(try fixture.http("DELETE", "/v1/me", token: cy.account.token).status == 204)
            try self.meet(people)
            let received = try people[0].expect("gathering", within: 15_000)
            #expect(received["place"]["lat"].double == Self.cafe.latitude)
            #expect(received["place"]["name"].isAbsent)
            // Members are notified before the gathering is stored.
            let isStored = try eventually { try fixture.count(of: "muster.gathering WHERE place_name IS NULL") == 1 }
            #expect(isStored)
        }
    }
}
