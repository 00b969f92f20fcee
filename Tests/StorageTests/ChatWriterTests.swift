import EventLoop
import MusterTestSupport
import MusterWire
import Postgres
import Synchronization
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("What is written in rooms") struct ChatWriterTests {
    @Test("messages are numbered without holes, a key is written once whoever sends it how often")
    func numbers() async throws {
        try await ChatScene.with(3) { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<8 {
                    group.addTask {
                        for key in 0..<20 {
                            _ = try await scene.send("m\(key)", key: "k\(key)", by: sender % 2)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let log = try await scene.log()
            // The first three messages announce who joined.
            #expect(log.map(\.seq) == Array(1...Int64(43)))
            #expect(log.prefix(3).allSatisfy { $0.kind == .system })
            #expect(Set(log.dropFirst(3).map { "\($0.from?.id.rawValue ?? 0) \($0.key ?? "")" }).count == 40)
            let advances = scene.advances.all.filter { !$0.messages.isEmpty }
            #expect(advances.first?.after == 3)
            for (earlier, later) in zip(advances, advances.dropFirst()) { #expect(later.after == earlier.upTo) }
            #expect(advances.flatMap(\.messages).map(\.seq) == Array(4...Int64(43)))
        }
    }

    @Test("an edit and a deletion raise the version, are read by it, and leave no words behind")
    func changes() async throws {
        try await ChatScene.with(2) { scene in
            let sent = try await scene.send("Hello", key: "a", by: 1).message
            let edited = try await scene.order(.edit(sent.seq, text: "Hello there"), by: 1).message
            #expect(edited.version == sent.version + 1)
            #expect(edited.editedAt == scene.store.now)
            #expect(try await scene.order(.edit(sent.seq, text: "Hello there"), by: 1).isRepeated)
            let deleted = try await scene.order(.delete(sent.seq)).message
            #expect(deleted.isDeleted)
            let epoch = try await scene.store.directory.messages(
                of: scene.room,
                .newest,
                limit: 1,
                for: scene.people[0]
            ).epoch
            let page = try await scene.store.directory.changes(
                of: scene.room,
                epoch: epoch,
                after: sent.version - 1,
                limit: 200,
                for: scene.people[0]
            )
            #expect(page.messages.count == 1)
            #expect(page.messages.first?.text == nil)
            #expect(page.version == deleted.version)
            let other = await failure {
                _ = try await scene.store.directory.changes(
                    of: scene.room,
                    epoch: "another",
                    after: 0,
                    limit: 1,
                    for: scene.people[0]
                )
            }
            #expect(other == .gone)
        }
    }

    @Test("who joins reads from then on, who leaves writes and reads no more; the room says both")
    func members() async throws {
        try await ChatScene.with(2) { scene in
            let (directory, owner) = (scene.store.directory, scene.people[0])
            _ = try await scene.send("Before", key: "a")
            let code = try await directory.createInvite(to: scene.room.group, by: owner).code
            let cy = try await scene.store.person("Cy").user.id
            _ = try await directory.join(code: code, user: cy)
            let seen = try await directory.messages(of: scene.room, .newest, limit: 100, for: cy).messages
            #expect(seen.map { $0.data?["event"]?.text } == ["joined"])
            #expect(seen.map(\.from?.id) == [cy])
            _ = try await directory.removeMember(cy, from: scene.room.group, by: owner)
            let refused = await failure {
                _ = try await directory.messages(of: scene.room, .newest, limit: 1, for: cy)
            }
            #expect(refused == .notMember)
            _ = try await directory.leave(scene.room.group, user: scene.people[1])
            #expect(
                try await scene.log().suffix(2).map { $0.data?["event"]?.text } == ["removed", "left"]
            )
            let gone = await failure {
                _ = try await scene.send("x", key: "b", by: 1)
            }
            #expect(gone == .notMember)
        }
    }

    @Test("unread is what others have said above the mark, without the blocked; the mark only rises")
    func unread() async throws {
        try await ChatScene.with(3) { scene in
            let directory = scene.store.directory
            let query = RoomsQuery(session: SessionID(1), user: scene.people[0], rooms: [scene.room])
            func unread() async throws -> Int { try await directory.rooms(query).rooms[0].unread }
            _ = try await scene.send("own", key: "a")
            let second = try await scene.send("b", key: "b", by: 1).message
            _ = try await scene.send("c", key: "c", by: 2)
            #expect(try await unread() == 2)
            _ = try await directory.block(scene.people[2], by: scene.people[0])
            #expect(try await unread() == 1)
            _ = try await directory.unblock(scene.people[2], by: scene.people[0])
            #expect(try await directory.readRoom(scene.room, upTo: second.seq, by: scene.people[0]).unread == 1)
            #expect(try await directory.readRoom(scene.room, upTo: 1, by: scene.people[0]).seq == second.seq)
            _ = try await scene.order(.delete(second.seq + 1), by: 2)
            #expect(try await unread() == 0)
        }
    }

    @Test("how far one has read is right before it is noted")
    func markAhead() async throws {
        try await ChatScene.with(2) { scene in
            let (directory, reader) = (scene.store.directory, scene.people[1])
            let first = try await scene.send("a", key: "a").message
            _ = try await scene.send("b", key: "b")
            let mark = try await directory.readMark(of: scene.room, upTo: first.seq, by: reader)
            #expect(mark.seq == first.seq && mark.unread == 1 && mark.seen.isEmpty)
            #expect(try await directory.readMark(of: scene.room, upTo: 99, by: reader).seq == first.seq + 1)
            #expect(try await directory.readMark(of: scene.room, upTo: 0, by: reader).unread == 2, "nothing was noted")
            let stranger = try await scene.store.person("Eve").user.id
            let refused = await failure {
                _ = try await directory.readMark(of: scene.room, upTo: 1, by: stranger)
            }
            #expect(refused == .notMember)
        }
    }

    @Test("two sessions of a person ask others to wait at once: they are asked once")
    func waits() async throws {
        try await ChatScene.with(2) { scene in
            let outcomes = await withTaskGroup(of: Refusal?.self) { group in
                for key in ["a", "b", "c"] {
                    group.addTask {
                        await failure {
                            let draft = ChatOrder.Draft(key: key, kind: .wait, mentions: [scene.people[0]])
                            _ = try await scene.order(.send(draft), by: 1)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.count { $0 == .rateLimited(retryAfter: 300_000) } == 2)
        }
    }

    @Test("when a gathering is over, those are asked to wait who were together at the alert")
    func waitAfterTheEnd() async throws {
        try await ChatScene.with(4) { scene in
            let (directory, pool, people) = (scene.store.directory, scene.store.pool, scene.people)
            try await pool.query(
                """
                INSERT INTO muster.gathering (id, group_id, state, since, ended_at, updated_at, lat, lon)
                VALUES (5, $1, 'ended', $2, $2, $2, 48, 16)
                """,
                [.int64(scene.room.rawValue), .timestamptz(unixMilliseconds: scene.store.now.milliseconds)]
            )
            for (person, standing) in zip(people, ["absent", "together", "together", "together"]) {
                try await pool.query(
                    """
                    INSERT INTO muster.gathering_member (gathering_id, user_id, standing, took_part)
                    SELECT 5, $1, $2::text::muster.gathering_standing, $2 = 'together'
                    """,
                    [.int64(person.rawValue), .text(standing)]
                )
            }
            #expect(try await directory.waitAudience(of: scene.room.group, for: people[0]) == nil)
            let together = [people[1], people[3], UserID(1)].map { #"{"id":"\#($0)","name":"N"}"# }.joined(
                separator: ","
            )
            try await pool.query(
                """
                SELECT * FROM muster.notify(ARRAY[$1::bigint], ARRAY['left_without_you'], ARRAY[$2::bigint],
                    ARRAY[NULL::bigint], ARRAY['x'], ARRAY[$3::timestamptz], ARRAY[$4::jsonb])
                """,
                [
                    .int64(people[0].rawValue), .int64(scene.room.rawValue),
                    .timestamptz(unixMilliseconds: scene.store.now.milliseconds),
                    .text(#"{"gathering":"5","together":[\#(together)]}"#),
                ]
            )
            let audience = try await directory.waitAudience(of: scene.room.group, for: people[0])
            #expect(audience?.together == [people[1], people[3]].sorted())
        }
    }

    @Test("what is given up may be there: the rooms are told of")
    func uncertain() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            try await store.pool.query(
                """
                CREATE FUNCTION public.be_slow() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$
                """
            )
            try await store.pool.query(
                """
                CREATE CONSTRAINT TRIGGER be_slow AFTER INSERT ON muster.message DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION public.be_slow()
                """
            )
            var configuration = ChatWriter.Configuration(connectionString: store.connectionString)
            configuration.timeout = 0
            let rooms = Mutex<[RoomID]>([])
            let writer = ChatWriter(
                configuration,
                onCommitted: { _ in },
                onUncertain: { changes in rooms.withLock { $0 += changes } }
            )
            let write = Task {
                await failure {
                    let draft = ChatOrder.Draft(key: "a", text: "A")
                    _ = try await writer.write(
                        ChatOrder(.send(draft), in: group.id.room, by: people[0].user.id, at: store.now)
                    )
                }
            }
            try await waitUntil {
                try await store.count(
                    """
                    (SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event = 'PgSleep') x
                    """
                ) > 0
            }
            #expect(await write.value == .unavailable)
            #expect(rooms.withLock { $0 } == [group.id.room])
            await writer.close()
        }
    }

    @Test("nothing of an erased person is left in a room but that something was said")
    func erased() async throws {
        try await ChatScene.with(2) { scene in
            let sent = try await scene.send("secret", key: "a", by: 1).message
            _ = try await scene.send("after", key: "b")
            let deletion = try await scene.store.directory.deleteAccount(scene.people[1])
            #expect(deletion.changes.contains(.rooms([scene.room])))
            let log = try await scene.log()
            #expect(log.map(\.seq) == Array(1...Int64(log.count)))
            let tombstone = log.first { $0.seq == sent.seq }
            #expect(tombstone?.isDeleted == true)
            #expect(tombstone?.from == nil)
            #expect(tombstone?.text == nil)
            #expect(Set(log.map(\.version)).count == log.count)
        }
    }

    @Test("a killed connection loses nothing and writes nothing twice")
    func killed() async throws {
        try await ChatScene.with(2) { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<4 {
                    group.addTask {
                        for key in 0..<25 { _ = try await scene.send("m", key: "\(sender)-\(key)", by: sender % 2) }
                    }
                }
                group.addTask {
                    for _ in 0..<5 {
                        _ = try await scene.send("kill", key: "kill")
                        _ = try? await scene.store.pool.query(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND query LIKE '%muster.room r%' AND pid <> pg_backend_pid()
                            """
                        )
                    }
                }
                try await group.waitForAll()
            }
            let result = try await scene.store.pool.query(
                "SELECT count(*) AS n, max(seq) AS last, count(DISTINCT (author_id, key)) AS keys FROM muster.message WHERE kind = 'text'"
            )
            let row = try #require(result.first)
            #expect(try row.int64("n") == 101)
            #expect(try row.int64("keys") == 101)
            #expect(try row.int64("last") == 103)
        }
    }

    @Test("more than may wait are refused at once")
    func full() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            var configuration = ChatWriter.Configuration(connectionString: store.connectionString)
            configuration.queueLimit = 0
            let writer = ChatWriter(configuration) { _ in }
            let refused = await failure {
                _ = try await writer.write(
                    ChatOrder(
                        .send(ChatOrder.Draft(key: "a", text: "A")),
                        in: group.id.room,
                        by: people[0].user.id,
                        at: store.now
                    )
                )
            }
            #expect(refused == .unavailable)
            await writer.close()
        }
    }
}
