import MusterTestSupport
import MusterWire
import Testing

@Suite("Groups and invites", .blocking)
struct GroupTests {
    @Test("an invite shows whom one would join, and lets in as many as it says")
    func invites() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let ada = people[0]
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            let di = try fixture.enter(try fixture.signUp("Di"))
            let answer = try ada.request("group.invite", ["group": .string(group), "uses": 1])
            let code = answer["code"].string ?? ""
            #expect(answer["url"].string == "\(fixture.server.url)/#/join/\(code)")

            let preview = try fixture.http("GET", "/v1/invites/\(code)")
            #expect(preview.status == 200)
            #expect(preview.json?["group"]["name"].string == "Sunday climbers")
            #expect(preview.json?["group"]["members"].int == 2)
            #expect(preview.json?["inviter"]["name"].string == "Ada")

            try cy.join(code)
            for person in people + [cy] {
                try person.waitUntil("Cy in the roster") { person.roster(group).members.count == 3 }
            }
            // A member who uses the link again is not refused, and the answer names the group.
            #expect(try cy.request("group.join", ["code": .string(code)])["group"]["id"].string == group)
            #expect(try di.refusal(of: "group.join", ["code": .string(code)])["code"].string == "gone")
            #expect(try fixture.http("GET", "/v1/invites/\(code)").status == 410)
            let unknown = try fixture.http("GET", "/v1/invites/AAAAAAAAAAAA")
            #expect(unknown.status == 404)
            #expect(try di.refusal(of: "group.join", ["code": "AAAAAAAAAAAA"])["code"].string == "not_found")
            #expect(ada.roster(group).members[di.account.id] == nil)
        }
    }

    @Test("an invite that is revoked or has expired lets nobody in; only the owner revokes")
    func endedInvites() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let cy = try fixture.enter(try fixture.signUp("Cy"))
            let code = try people[1].invite(to: group)
            #expect(try people[1].refusal(of: "group.revoke", ["code": .string(code)])["code"].string == "forbidden")
            #expect(try cy.refusal(of: "group.revoke", ["code": .string(code)])["code"].string == "not_member")
            try people[0].request("group.revoke", ["code": .string(code)])
            #expect(try cy.refusal(of: "group.join", ["code": .string(code)])["code"].string == "gone")

            let short = try people[0].invite(to: group, ["expiresIn": 1])
            let hasEnded = try eventually { try fixture.http("GET", "/v1/invites/\(short)").status == 410 }
            #expect(hasEnded)
            #expect(try cy.refusal(of: "group.join", ["code": .string(short)])["code"].string == "gone")
            #expect(try cy.refusal(of: "group.invite", ["group": .string(group)])["code"].string == "not_member")
        }
    }

    @Test("who leaves or is removed disappears for the others, and sees the group no more")
    func leaving() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let (ada, bo, cy, di) = (people[0], people[1], people[2], people[3])
            try cy.sendFix(48.2, 16.37)
            try cy.waitForAck()
            #expect(
                try bo.refusal(of: "group.remove", ["group": .string(group), "user": .string(cy.account.id)])["code"]
                    .string == "forbidden"
            )
            try ada.request("group.remove", ["group": .string(group), "user": .string(cy.account.id)])
            for person in [ada, bo, di] {
                try person.waitUntil("Cy gone") { person.roster(group).members[cy.account.id] == nil }
                #expect(person.received.contains { $0["gone"].strings == [cy.account.id] })
            }
            // The removed member is notified, and receives nothing of the group afterwards.
            #expect(try cy.expectDeparture(from: group)["members"].count == 0)
            try cy.catchUp()
            let known = cy.received.count
            try bo.sendFix(48.21, 16.37)
            try ada.waitUntil("Bo") { ada.roster(group)[bo.account.id].latitude == 48.21 }
            try cy.catchUp()
            #expect(!cy.received.dropFirst(known).contains { $0["group"].string == group })
            #expect(try cy.request("group.list")["groups"].count == 0)
            #expect(try cy.refusal(of: "group.leave", ["group": .string(group)])["code"].string == "not_member")

            // The owner leaves: the oldest member takes over.
            let tablet = try fixture.enter(ada.account, device: "tablet")
            try tablet.waitUntil("the roster") { tablet.rosters[group] != nil }
            try ada.request("group.leave", ["group": .string(group)])
            // All sessions of the owner leave.
            try ada.expectDeparture(from: group)
            try tablet.expectDeparture(from: group)
            try di.waitUntil("Bo the owner") { di.roster(group)[bo.account.id]["role"]?.string == "owner" }
            #expect(di.roster(group).members[ada.account.id] == nil)
            #expect(try bo.request("group.list")["groups"][0]["role"].string == "owner")

            // The last member leaves, which deletes the group.
            try bo.request("group.leave", ["group": .string(group)])
            try di.request("group.leave", ["group": .string(group)])
            #expect(try fixture.count(of: "muster.grp") == 0)
            #expect(try fixture.count(of: "muster.membership") == 0)
            #expect(try fixture.count(of: "muster.invite") == 0)
        }
    }

    @Test("the owner, and nobody else, changes and deletes the group")
    func owner() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let change: JSON = ["group": .string(group), "name": "Monday", "settings": ["radius": 250, "dwell": 60]]
            #expect(try bo.refusal(of: "group.update", change)["code"].string == "forbidden")
            let changed = try ada.request("group.update", change)
            #expect(changed["group"]["name"].string == "Monday")
            #expect(changed["group"]["settings"]["radius"].double == 250)
            #expect(changed["group"]["settings"]["dwell"].int == 60)
            #expect(changed["group"]["settings"]["maxAbsent"].int == 1, "what was not named stays")
            #expect(try bo.request("group.list")["groups"][0]["name"].string == "Monday")
            let wrong = try ada.refusal(of: "group.update", ["group": "12345678", "name": "Not ours"])
            #expect(["not_member", "not_found"].contains(wrong["code"].string))

            #expect(try bo.refusal(of: "group.delete", ["group": .string(group)])["code"].string == "forbidden")
            try ada.request("group.delete", ["group": .string(group)])
            try ada.expectDeparture(from: group)
            try bo.expectDeparture(from: group)
            #expect(try bo.request("group.list")["groups"].count == 0)
            #expect(try bo.refusal(of: "group.leave", ["group": .string(group)])["code"].string == "not_member")
            let again = try fixture.connect(bo.account)
            #expect(try again.hello()["groups"].count == 0)
            #expect(try fixture.count(of: "muster.grp") == 0)
        }
    }
}
