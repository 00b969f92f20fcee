import EventLoop
import MusterTestSupport
import MusterWire
import Testing

@Suite("Friends see each other", .blocking)
struct LivePositionTests {
    @Test("two friends see each other move in less than a second")
    func twoFriends() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            #expect(ada.roster(group)[bo.account.id].presence == "online")
            #expect(bo.roster(group)[ada.account.id].presence == "online")

            var delays: [Int64] = []
            for step in 1...10 {
                let latitude = Double(482_000 + step) / 10_000
                let before = MonotonicClock.system.milliseconds
                try ada.sendFix(latitude, 16.37)
                try bo.waitUntil("Ada's step \(step)") { bo.roster(group)[ada.account.id].latitude == latitude }
                delays.append(MonotonicClock.system.milliseconds - before)
            }
            // The median, because other tests may keep the machine busy at times.
            #expect(delays.sorted()[5] < 1000, "delays in ms: \(delays)")
            #expect(bo.roster(group)[ada.account.id]["freshness"]?.string == "live")
            #expect(bo.roster(group)[ada.account.id]["accuracy"]?.double == 5)
            try ada.waitForAck()
        }
    }

    @Test("an update carries the one who moved and nobody else, and not what stayed the same")
    func updateCarriesChanges() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy")
            let (ada, bo) = (people[0], people[1])
            try ada.catchUp()
            try bo.catchUp()
            let known = bo.received.count
            try ada.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            let updates = bo.received.dropFirst(known).filter { $0.type == "update" }
            for update in updates {
                let users = update["members"].elements.compactMap { $0["user"].string }
                #expect(users == [ada.account.id], "\(update)")
                #expect(update["members"][0]["name"].isAbsent, "the name did not change: \(update)")
            }
            #expect(!updates.isEmpty)
            // The user's own position may be sent back; it must be exact.
            try ada.catchUp()
            #expect(ada.roster(group)[ada.account.id].latitude ?? 48.2 == 48.2)
        }
    }

    @Test("the other device of a person gets the exact position as self, the sending one does not")
    func selfFrames() async throws {
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            let phone = try fixture.enter(account)
            let group = try phone.createGroup()
            let laptop = try fixture.enter(account, device: "laptop", kind: "browser")
            try phone.request("sharing.set", ["mode": "approximate"])
            try phone.sendFix(48.20849, 16.37208)
            let own = try laptop.expect("self")
            #expect(own["lat"].double == 48.20849)
            #expect(own["lon"].double == 16.37208)
            try phone.catchUp()
            #expect(phone.unreadFrames("self").isEmpty)
            // The group still sees the snapped position.
            try laptop.waitUntil("the snapped position") { laptop.roster(group)[account.id].latitude == 48.21 }
        }
    }

    @Test("a resumed session gets only what changed, an unknown epoch gets everything")
    func resume() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo", "Cy", "Di")
            let (ada, bo, cy, di) = (people[0], people[1], people[2], people[3])
            try cy.sendFix(48.3, 16.3)
            for person in people {
                try person.waitUntil("Cy") { person.roster(group)[cy.account.id].latitude == 48.3 }
            }
            try bo.catchUp()
            let held = bo.resume
            let version = bo.roster(group).version
            // While Bo is disconnected: Ada moves, and Di leaves.
            try ada.sendFix(48.2, 16.37)
            try di.request("group.leave", ["group": .string(group)])
            try ada.waitUntil("Di gone") { ada.roster(group).members[di.account.id] == nil }

            let again = try fixture.enter(bo.account, device: "tablet", resume: held)
            let roster = try again.expect("roster")
            #expect(roster["full"].bool == false)
            #expect((roster["version"].int ?? 0) > version)
            let users = Set(roster["members"].elements.compactMap { $0["user"].string })
            #expect(users.contains(ada.account.id))
            #expect(!users.contains(cy.account.id), "Cy did not change: \(roster)")
            #expect(roster["gone"].strings == [di.account.id])

            let stranger: JSON = [
                "groups": .object([(key: group, value: ["epoch": "elsewhere", "version": 1] as JSON)])
            ]
            let fresh = try fixture.enter(bo.account, device: "watchless", resume: stranger)
            let full = try fresh.expect("roster")
            #expect(full["full"].bool == true)
            #expect(full["members"].count == 3)
        }
    }

    @Test("a device that connects again replaces the older connection with 4409")
    func sameDeviceTwice() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let newer = try fixture.enter(ada.account)
            #expect(try ada.expectClose() == 4409)
            try newer.sendFix(48.2, 16.37)
            try bo.waitUntil("Ada by her newer connection") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            #expect(bo.roster(group)[ada.account.id].presence == "online")
        }
    }

    @Test("one of two devices leaving changes nothing for the friends; a reconnect is no flicker")
    func twoDevices() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            do {
                let laptop = try fixture.enter(ada.account, device: "laptop", kind: "browser")
                try laptop.catchUp()
                try bo.catchUp()
            }
            // The laptop's socket is cut. The world has processed that when it counts two sessions again.
            let isHeard = try eventually {
                try fixture.http("GET", "/metrics").text.contains("\nmuster_sessions 2\n")
            }
            #expect(isHeard)
            let known = bo.received.count
            try bo.catchUp()
            let received = bo.received.dropFirst(known).filter { $0.type == "update" }
            #expect(
                received.allSatisfy { $0["members"].elements.allSatisfy { $0["presence"].isAbsent } },
                "\(received)"
            )
            #expect(bo.roster(group)[ada.account.id].presence == "online")
        }
    }

    @Test("a background session counts as away, after the grace of 15 s")
    func background() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let before = MonotonicClock.system.milliseconds
            try ada.send("state", ["state": "background"])
            try bo.waitUntil("Ada away", within: 25_000) { bo.roster(group)[ada.account.id].presence == "away" }
            #expect(MonotonicClock.system.milliseconds - before >= 14_900)
            // Online again at once, without leave and join.
            try ada.send("state", ["state": "foreground"])
            try bo.waitUntil("Ada online") { bo.roster(group)[ada.account.id].presence == "online" }
            #expect(!bo.received.contains { $0["gone"].strings.contains(ada.account.id) })
        }
    }

    @Test("a watch is welcomed without groups and gets no rosters, and others see its fixes")
    func watch() async throws {
        try await ServerFixture.open { fixture in
            let (people, group) = try fixture.friends("Ada", "Bo")
            let (ada, bo) = (people[0], people[1])
            let watch = try fixture.connect(ada.account, subprotocol: "muster.watch.v1")
            let welcome = try watch.hello(device: "watch", kind: "watch")
            #expect(!welcome.text.contains("groups"))
            try watch.sendFix(48.2, 16.37)
            try watch.waitForAck()
            try bo.waitUntil("Ada, by her watch") { bo.roster(group)[ada.account.id].latitude == 48.2 }
            try watch.catchUp()
            #expect(watch.rosters.isEmpty)
            #expect(try watch.refusal(of: "group.list")["code"].string == "forbidden")
        }
    }
}
