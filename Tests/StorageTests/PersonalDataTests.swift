import Foundation
import FoundationXML
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import Postgres

@Suite("What belongs to a person")
struct PersonalDataTests {
    @Test("no table that knows a person is left out of deletion and export")
    func catalogue() async throws {
        try await Store.with { store in
            // Tables with a foreign key to accounts, or with a column of such a name. For partitions, the parent table.
            let result = try await store.pool.query(
                """
                SELECT DISTINCT c.relname::text AS name
                FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
                WHERE s.nspname = 'muster' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND (
                        c.oid = 'muster.account'::regclass
                        OR EXISTS (
                            SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
                                AND k.confrelid = 'muster.account'::regclass
                        )
                        OR EXISTS (
                            SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                                AND a.attname IN ('user_id', 'author_id', 'from_id', 'member_id', 'created_by')
                        )
                    )
                ORDER BY 1
                """
            )
            let tables = try result.map { try $0.text("name") }
            #expect(tables.count >= 10)
            let listed = PersonalData.all.map(\.table)
            #expect(Set(tables).subtracting(listed).isEmpty, "add these to PersonalData.all")
            #expect(Set(listed).subtracting(tables).isEmpty, "these know nobody")
            #expect(listed.count == Set(listed).count)
        }
    }

    @Test("what is deleted by no statement goes with the account's row")
    func cascades() async throws {
        try await Store.with { store in
            for data in PersonalData.all where data.table != "account" {
                guard case .cascade = data.deletion else { continue }
                let count = try await store.count(
                    """
                    pg_constraint k WHERE k.conrelid = ('muster.' || $1)::regclass AND k.contype = 'f'
                        AND k.confrelid = 'muster.account'::regclass AND k.confdeltype = 'c'
                    """,
                    [.text(data.table)]
                )
                #expect(count >= 1, "\(data.table) has no ON DELETE CASCADE to accounts")
            }
        }
    }

    /// Creates rows of one user in every table: in the first of two groups, with fixes of three days.
    private func makeHistory(in store: Store, fixes: Int) async throws -> (person: Credentials, other: Credentials) {
        let (group, people) = try await store.group(2)
        let person = people[1]
        let other = people[0]
        _ = try await store.directory.createGroup(name: "Own \"quoted\"", by: person.user.id)
        let admission = try await store.directory.hello(
            token: person.token,
            device: Hello.Device(key: "the-secret-key", name: "My phone", kind: .phone)
        )
        let device = admission.arrival.device
        let invite = try await store.directory.createInvite(to: group.id, by: other.user.id)
        _ = try await store.directory.createInvite(to: group.id, by: person.user.id)
        #expect(!invite.code.isEmpty)
        let spot = try await store.directory.addSpot(
            SpotAdd(
                at: Coordinate(latitude: 48.2, longitude: 16.37),
                comment: "Coffee \"&\" cake\nsecond line",
                photo: try await store.photo(of: person.user.id).id
            ),
            by: person.user.id
        )
        _ = try await store.directory.updateProfile(
            of: person.user.id,
            ProfileChange(avatar: .replaced(try await store.photo(of: person.user.id, .face).id))
        )
        let pin = PinPost(
            "By the \"lake\"",
            at: Coordinate(latitude: 48.2, longitude: 16.37),
            link: "https://example.org/a"
        )
        _ = try await store.directory.postPin(pin, by: person.user.id)
        try await self.addPlace(to: group.id, by: person.user.id, telling: other.user.id, in: store)
        _ = try await store.proposedPlan(by: person.user.id, to: group.id)
        for host in [person, other] {
            let draft = EventCreate(
                key: "k",
                title: "Climbing at \"six\"",
                at: Coordinate(latitude: 48.2, longitude: 16.37),
                startsAt: store.now + 3_600_000,
                timeZone: "UTC"
            )
            let event = try await store.directory.createEvent(draft, by: host.user.id).event
            if host.user.id == other.user.id {
                _ = try await store.directory.reply(.maybe, to: event.id, by: person.user.id)
            }
        }
        _ = try await store.share(of: group.id, by: person.user.id, showing: [other.user.id])
        _ = try await store.share(of: group.id, by: other.user.id, showing: [person.user.id, other.user.id])
        _ = try await store.directory.calendarKey(of: person.user.id)
        _ = try await store.directory.vote(.like, on: spot.id, by: person.user.id)
        _ = try await store.directory.vote(.dislike, on: spot.id, by: other.user.id)
        let third = try await store.person("Third").user.id
        _ = try await store.directory.postPin(pin, by: third)
        let left = try await store.directory.createInvite(
            to: try await store.directory.createGroup(name: "Left", by: third).id,
            by: third
        )
        let leaving = try await store.directory.join(code: left.code, user: person.user.id).group.id
        _ = try await store.directory.leave(leaving, user: person.user.id)
        for (one, another) in [(person.user.id, third), (third, person.user.id)] {
            _ = try await store.directory.block(another, by: one)
            try await store.directory.report(Report(.user, another.rawValue, reason: "Not \"nice\""), by: one)
        }
        try await self.say("Words with \"quotes\"\nand a line", by: person.user.id, in: group.id.room, of: store)
        let start = store.now - 2 * 86_400_000
        let step = 2 * 86_400_000 / Int64(max(fixes, 1))
        let journal = TestJournal(store)
        journal.submit(
            (1...fixes).map { .fix(.sample(device, person.user.id, Int64($0), at: start + Int64($0) * step)) }
        )
        var fromPerson = NotificationRecord.sample(2, user: other.user.id, group: group.id, at: store.now)
        fromPerson.content.from = person.user.id
        journal.submit([
            .fix(.sample(device, person.user.id, Int64(fixes + 1), at: store.now, verdict: .implausible)),
            .position(person.user.id, .sample(device, at: store.now), .ok),
            .presence(person.user.id, .online, lastSeen: store.now),
            .gathering(
                .sample(
                    GatheringID(6001),
                    group: group.id,
                    .together,
                    at: store.now,
                    together: [person.user.id, other.user.id],
                    participants: [person.user.id, other.user.id],
                    machine: nil
                )
            ),
            .notification(.sample(1, user: person.user.id, group: group.id, at: store.now)),
            .notification(fromPerson),
        ])
        try await journal.finish()
        #expect(journal.failed.isEmpty)
        try await store.pool.query(
            "INSERT INTO muster.known_device (user_id, key_hash, last_seen) VALUES ($1, sha256('old'), now())",
            [.int64(person.user.id.rawValue)]
        )
        try await store.pool.query(
            """
            INSERT INTO muster.live_session (session_id, user_id, device_id, is_watch, opened_at)
            VALUES (1, $1, $2, false, now())
            """,
            [.int64(person.user.id.rawValue), .int64(device.rawValue)]
        )
        try await store.pool.query(
            """
            INSERT INTO muster.identity (id, user_id, provider, issuer, subject, created_at, last_login_at)
            VALUES (1, $1, 'keycloak', 'https://id.example', 'ada', now(), now())
            """,
            [.int64(person.user.id.rawValue)]
        )
        try await store.pool.query(
            """
            INSERT INTO muster.login_flow (id, provider, purpose, user_id, login_id, return_to, is_fresh, flow_hash,
                created_at, expires_at)
            SELECT 1, 'keycloak', 'link', t.user_id, t.id, '/', false, sha256('flow'), now(), now()
            FROM muster.session_token t WHERE t.user_id = $1
            """,
            [.int64(person.user.id.rawValue)]
        )
        try await store.pool.query(
            """
            INSERT INTO muster.device_token (device_id, user_id, token_hash, app, created_at)
            VALUES ($2, $1, sha256('tracker'), 'owntracks', now())
            """,
            [.int64(person.user.id.rawValue), .int64(device.rawValue)]
        )
        for statement in [
            "INSERT INTO muster.push_setting (user_id) VALUES ($1)",
            """
            INSERT INTO muster.push_target (id, user_id, kind, address_hash, secret, place)
            VALUES (1, $1, 'webhook', sha256('address'), 'sealed', 'push.example')
            """,
            """
            INSERT INTO muster.push_outbox (user_id, kind, payload, at) VALUES ($1, 'locate', '{}', now())
            """,
            """
            INSERT INTO muster.push_delivery (target_id, user_id, kind, payload, at, due_at, expires_at)
            VALUES (1, $1, 'locate', '{}', now(), now(), now())
            """,
        ] {
            try await store.pool.query(statement, [.int64(person.user.id.rawValue)])
        }
        return (person, other)
    }

    /// Stores a message with a photo.
    private func say(_ text: String, by user: UserID, in room: RoomID, of store: Store) async throws {
        let photo = try await store.photo(of: user).id
        let writer = store.chatWriter { _ in }
        let draft = ChatOrder.Draft(key: "a", kind: .photo, text: text, photo: photo)
        let outcome = await failure {
            _ = try await writer.write(ChatOrder(.send(draft), in: room, by: user, at: store.now))
        }
        #expect(outcome == nil)
        await writer.close()
    }

    private func export(of user: UserID, from store: Store) async throws -> (json: [String: Any], pieces: [String]) {
        var export = store.directory.export(of: user)
        var pieces: [String] = []
        while let piece = try await export.next() { pieces.append(piece) }
        let json = try JSONSerialization.jsonObject(with: Data(pieces.joined().utf8))
        return (try #require(json as? [String: Any]), pieces)
    }

    @Test("somebody with everything finds all of it in their export, and no secret")
    func exportEverything() async throws {
        try await Store.with { store in
            let (person, other) = try await self.makeHistory(in: store, fixes: 1203)
            let (json, pieces) = try await self.export(of: person.user.id, from: store)
            func list(_ name: String) throws -> [[String: Any]] {
                try #require(json[name] as? [[String: Any]], "\(name)")
            }

            let profile = try #require(json["profile"] as? [String: Any])
            #expect(profile["id"] as? String == "\(person.user.id)")
            #expect(profile["name"] as? String == person.user.name)
            #expect(try list("logins").count == 1)
            #expect(try list("identities").first?["issuer"] as? String == "https://id.example")
            let device = try #require(try list("devices").first)
            #expect(device["name"] as? String == "My phone")
            #expect(device["kind"] as? String == "phone")
            #expect(try list("presence").first?["presence"] as? String == "online")
            #expect(
                Set(try list("memberships").compactMap { $0["name"] as? String }) == ["Climbers", "Own \"quoted\""]
            )
            #expect(try list("departures").first?["removed"] as? Bool == false)
            #expect(try list("invites").count == 1)
            #expect(try list("position").count == 1)
            let place = try #require(try list("places").first)
            #expect(place["name"] as? String == "Home \"sweet\" home")
            #expect(try list("placeChoices").first?["to"] as? [String] == ["\(other.user.id)"])
            #expect(try list("placesMuted").first?["place"] as? String == place["id"] as? String)
            #expect(try list("placeStates").first?["inside"] as? Bool == true)
            #expect(try list("gatherings").first?["tookPart"] as? Bool == true)
            let notification = try #require(try list("notifications").first)
            #expect(notification["kind"] as? String == "left_without_you")
            #expect(notification["payload"] is [String: Any])
            #expect(try list("spots").first?["comment"] as? String == "Coffee \"&\" cake\nsecond line")
            #expect(try list("events").first?["title"] as? String == "Climbing at \"six\"")
            #expect(try list("rsvps").first?["rsvp"] as? String == "maybe")
            let pin = try #require(try list("pins").first)
            #expect(pin["text"] as? String == "By the \"lake\"")
            #expect(pin["link"] as? String == "https://example.org/a")
            #expect(pin["lat"] as? Double == 48.2)
            let plan = try #require(try list("plans").first)
            #expect((plan["plan"] as? [String: Any])?["origin"] != nil, "it is one's own")
            #expect(try list("suggestions").count == 1)
            #expect(try list("planShares").first?["plan"] as? String == plan["id"] as? String)
            #expect(try list("planAnswers").first?["answer"] as? String == "maybe")
            let photos = try list("photos")
            #expect(photos.compactMap { $0["shape"] as? String } == ["photo", "face", "photo"])
            #expect(try list("spots").first?["photo"] as? String == photos[0]["id"] as? String)
            #expect(profile["avatar"] as? String == photos[1]["thumb"] as? String)
            #expect(try list("votes").first?["vote"] as? String == "like")
            let message = try #require(try list("messages").first)
            #expect(message["text"] as? String == "Words with \"quotes\"\nand a line")
            #expect(message["photo"] as? String == photos[2]["id"] as? String)
            #expect(try list("shares").first?["named"] as? Bool == true)
            #expect(try list("shownOn").first?["as"] as? String == "live")
            #expect(try list("shares").count == 1 && list("shownOn").count == 1)
            #expect(try list("blocked").count == 1)
            #expect(try list("reports").first?["reason"] as? String == "Not \"nice\"")

            // Across several pages no fix is lost or duplicated, and values are exact.
            let fixes = try list("fixes")
            #expect(fixes.compactMap { $0["seq"] as? Int } == Array(1...1204))
            #expect(fixes[1203]["verdict"] as? String == "implausible")
            #expect(
                pieces.contains { $0.contains("40.700070000000004") },
                "\(pieces.first { $0.contains("fixes") }?.prefix(2000) ?? "")"
            )
            let gpx = try #require(json["gpx"] as? String)
            let track = try #require(Track(gpx), "the GPX is no XML")
            #expect(track.points == 1203, "the implausible one is left out")
            let days = Set(try list("fixes").dropLast().compactMap { ($0["at"] as? Int64).map { $0 / 86_400_000 } })
            #expect(track.tracks == days.count, "one a day")
            #expect(days.count >= 2)
            #expect(pieces.allSatisfy { $0.utf8.count < 400_000 })

            let text = pieces.joined()
            for secret in [person.token, "the-secret-key", "argon2"] { #expect(!text.contains(secret)) }
        }
    }

    @Test("somebody with nothing has an export too, and nobody has one who is gone")
    func exportNothing() async throws {
        try await Store.with { store in
            let person = try await store.person("Ada")
            let json = try await self.export(of: person.user.id, from: store).json
            #expect((json["fixes"] as? [Any])?.isEmpty == true)
            let gpx = try #require(json["gpx"] as? String)
            let track = try #require(Track(gpx))
            #expect(track.points == 0)
            let code = await failure {
                var export = store.directory.export(of: UserID(1))
                _ = try await export.next()
            }
            #expect(code == .notFound)
        }
    }

    @Test("of somebody with everything nothing is left, and of the others all is")
    func deleteEverything() async throws {
        try await Store.with { store in
            let (person, other) = try await self.makeHistory(in: store, fixes: 10)
            var kept: [String: Int64] = [:]
            let columns = try await self.columns(in: store)
            #expect(columns.count >= PersonalData.all.count)
            for (table, column) in columns {
                let count = try await self.count(table, column, person.user.id, in: store)
                #expect(count > 0, "the test has nothing to delete in \(table).\(column)")
                kept["\(table).\(column)"] = try await self.count(table, column, other.user.id, in: store)
            }
            let deletion = try await store.directory.deleteAccount(person.user.id)
            #expect(deletion.deleted["spot"]?.count == 1)
            #expect(deletion.sharedPlans.count == 1)
            for (table, column) in columns {
                #expect(try await self.count(table, column, person.user.id, in: store) == 0, "\(table).\(column)")
                // The other user's vote is deleted with the spot, and their notification with the user who caused it.
                guard table != "spot_vote", table != "notification" else { continue }
                #expect(
                    try await self.count(table, column, other.user.id, in: store) == kept["\(table).\(column)"],
                    "\(table).\(column)"
                )
            }
        }
    }

    /// Adds a place with every choice of a user, and their state there.
    private func addPlace(
        to group: GroupID,
        by user: UserID,
        telling other: UserID,
        in store: Store
    ) async throws {
        let draft = GroupPlaceAdd(
            to: group,
            key: "home",
            name: "Home \"sweet\" home",
            icon: .home,
            at: Coordinate(latitude: 48.2, longitude: 16.37),
            radius: 100
        )
        let place = try await store.directory.addGroupPlace(draft, by: user).value.place.id
        _ = try await store.directory.setArrivalReceivers(GroupPlaceNotify(place, to: .members([other])), by: user)
        _ = try await store.directory.mute(GroupPlaceMute(place, muted: true), by: user)
        _ = try await store.pool.query(
            "INSERT INTO muster.place_state (user_id, place_id, inside, since, proof) VALUES ($1, $2, true, now(), '{}')",
            [.id(user), .id(place)]
        )
    }

    /// All columns that refer to a user, by table.
    private func columns(in store: Store) async throws -> [(table: String, column: String)] {
        let result = try await store.pool.query(
            """
            SELECT c.relname::text AS name, a.attname::text AS attribute
            FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE s.nspname = 'muster' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0
                AND NOT a.attisdropped AND (
                    a.attname = 'user_id' OR (c.relname = 'account' AND a.attname = 'id') OR EXISTS (
                        SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
                            AND k.confrelid = 'muster.account'::regclass AND a.attnum = ANY (k.conkey)
                    )
                )
            ORDER BY 1, 2
            """
        )
        return try result.map { (try $0.text("name"), try $0.text("attribute")) }
    }

    private func count(_ table: String, _ column: String, _ user: UserID, in store: Store) async throws -> Int64 {
        try await store.count("muster.\(table) WHERE \(column) = $1", [.int64(user.rawValue)])
    }
}

/// The counts of elements in a GPX document.
private final class Track: NSObject, XMLParserDelegate {
    private(set) var points = 0
    private(set) var tracks = 0

    init?(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "trkpt": self.points += 1
        case "trk": self.tracks += 1
        case _: break
        }
    }
}
