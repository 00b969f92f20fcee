import EventLoop
import MusterTestSupport
import MusterWire
import Testing

@Suite("Sharing and locating", .blocking)
struct SharingTests {
    @Test("approximate snaps to the grid at once, in rosters, and in what a resumed client gets")
    func approximate() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.20849, 16.37208)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.20849 }
            let held = bo.resume
            try ada.request("sharing.set", ["mode": "approximate", "group": .string(group)])
            try bo.waitUntil("Ada on the grid") { bo.roster(group)[ada.account.id].latitude == 48.21 }
            #expect(bo.roster(group)[ada.account.id].longitude == 16.37)
            #expect(bo.roster(group)[ada.account.id].sharing == "approximate")
            let known = bo.received.count
            try ada.sendFix(48.21349, 16.37208)
            try ada.waitForAck()
            try bo.catchUp()
            for other in [
                try fixture.enter(bo.account, device: "tablet"),
                try fixture.enter(bo.account, device: "laptop", resume: held),
            ] {
                try other.waitUntil("the roster") { other.rosters[group] != nil }
                #expect(other.roster(group)[ada.account.id].latitude == 48.21)
                #expect(!other.received.contains { $0.text.contains("48.21349") || $0.text.contains("48.20849") })
            }
            #expect(!bo.received.dropFirst(known).contains { $0.text.contains("48.21349") })
        }
    }

    @Test("paused hides the position at once and everywhere; afterwards only a newer fix is shown")
    func paused() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            let held = bo.resume
            // Sent together, so that the fix directly follows the request.
            try ada.send("sharing.set", ["mode": "paused", "id": "p"])
            try ada.sendFix(48.2007, 16.37)
            try bo.waitUntil("Ada hidden") { bo.roster(group)[ada.account.id].latitude == nil }
            #expect(bo.roster(group)[ada.account.id].sharing == "paused")
            #expect(bo.roster(group)[ada.account.id]["freshness"]?.string == "unknown")
            try ada.waitForAck()
            try bo.catchUp()
            let tablet = try fixture.enter(bo.account, device: "tablet")
            let laptop = try fixture.enter(bo.account, device: "laptop", resume: held)
            for other in [tablet, laptop] {
                try other.waitUntil("the roster") { other.roster(group)[ada.account.id].sharing == "paused" }
                #expect(other.roster(group)[ada.account.id].latitude == nil)
            }

            try ada.request("sharing.set", ["mode": "live"])
            try bo.waitUntil("Ada live") { bo.roster(group)[ada.account.id].sharing == "live" }
            try bo.catchUp()
            #expect(bo.roster(group)[ada.account.id].latitude == nil, "a fix of the pause came to light")
            // A late fix that was taken during the pause stays hidden too.
            ada.lastSequence += 1
            try ada.send("location", .fix(ada.lastSequence, 48.2008, 16.37, ["at": .now(plus: -60_000)]))
            try ada.waitForAck()
            try bo.catchUp()
            #expect(bo.roster(group)[ada.account.id].latitude == nil)
            try ada.sendFix(48.2003, 16.37)
            try bo.waitUntil("Ada's newer fix") { bo.roster(group)[ada.account.id].latitude == 48.2003 }
            for person in [bo, tablet, laptop] {
                try person.catchUp()
                let hidden = person.received.filter { $0.text.contains("48.2007") || $0.text.contains("48.2008") }
                #expect(hidden.isEmpty, "\(hidden)")
            }
        }
    }

    @Test("when its time is over, sharing returns to live by itself")
    func until() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.request("sharing.set", ["mode": "paused", "until": .now(plus: 1500)])
            try bo.waitUntil("paused") { bo.roster(group)[ada.account.id].sharing == "paused" }
            try bo.waitUntil("live again") { bo.roster(group)[ada.account.id].sharing == "live" }
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
        }
    }

    @Test("live for a while ends hidden by itself, and each session is told so before")
    func thenPaused() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            try ada.request("sharing.set", ["mode": "live", "until": .now(plus: 1500), "then": "paused"])
            let said = try ada.expect("sharing") { $0["then"].string == "paused" }
            #expect(said["mode"].string == "live")
            try bo.waitUntil("hidden") { bo.roster(group)[ada.account.id].sharing == "paused" }
            #expect(bo.roster(group)[ada.account.id].latitude == nil)
        }
    }

    @Test("asking where someone is reaches their devices, and the answer the asker; once a minute")
    func locate() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let stranger = try fixture.enter(try fixture.signUp("Cy"))
            let whom: JSON = ["group": .string(group), "user": .string(bo.account.id)]
            let asked = try ada.request("locate", whom)
            #expect(asked["devices"].int == 1)
            let request = asked["request"].string ?? ""
            let question = try bo.expect("locate")
            #expect(question["request"].string == request)
            #expect(question["from"]["name"].string == "Ada")
            try bo.sendFix(48.2, 16.37, ["accuracy": 4, "trigger": "answer", "answer": .string(request)])
            let located = try ada.expect("located")
            #expect(located["request"].string == request)
            #expect(located["user"].string == bo.account.id)
            #expect(located["lat"].double == 48.2)

            let again = try ada.refusal(of: "locate", whom)
            #expect(again.isTooOften)
            #expect(again["retry"].bool == true)
            #expect((1...60_000).contains(again["retryAfter"].int ?? 0))
            #expect(try stranger.refusal(of: "locate", whom)["code"].string == "not_member")
            let nobody: JSON = ["group": .string(group), "user": .string(stranger.account.id)]
            #expect(try ada.refusal(of: "locate", nobody)["code"].string == "not_found")
            try stranger.catchUp()
            #expect(stranger.unreadFrames("locate").isEmpty)
        }
    }
}
