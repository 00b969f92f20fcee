import MusterTestSupport
import MusterWire
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("A fix that is taken while one pauses is shown to nobody")
struct PausedFixTests {
    /// The actions of a user, one minute apart.
    enum Step {
        case fix
        case say(Sharing.Mode, seconds: Int64?)

        static let pause = Step.say(.paused, seconds: nil)
        static let live = Step.say(.live, seconds: nil)
    }

    private static let unknownClock = "a fix after it by a clock that nobody knows"

    static let stories: [(name: String, steps: [Step], isShown: Bool)] = [
        ("never paused", [.fix], true),
        ("paused", [.fix, .pause], false),
        ("a fix in a pause that lasts", [.pause, .fix], false),
        ("a fix in a pause that is over", [.fix, .pause, .fix, .live], false),
        ("a fix before a pause that is over", [.fix, .pause, .live], false),
        ("a fix after it", [.fix, .pause, .fix, .live, .fix], true),
        (Self.unknownClock, [.fix, .pause, .live, .fix], false),
        ("a fix in a pause that ran out", [.say(.paused, seconds: 90), .fix, .say(.live, seconds: nil)], false),
        ("a fix in a pause that ran out by itself", [.say(.paused, seconds: 90), .fix], false),
        ("a fix after a pause that ran out by itself", [.say(.paused, seconds: 30), .fix], true),
    ]

    @Test("whoever reads positions", arguments: stories)
    func story(_ name: String, _ steps: [Step], _ isShown: Bool) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(2)
            let (other, person) = (people[0].user.id, people[1].user.id)
            let hello = Hello.Device(key: "phone", kind: .phone)
            let device = try await store.directory.hello(token: people[1].token, device: hello).arrival.device
            // If the clock offset is unknown, times after a pause are not trusted.
            if name != Self.unknownClock { try await store.pool.query("UPDATE muster.device SET clock_offset = 0") }
            for (number, step) in steps.enumerated() {
                store.manual.advance(milliseconds: 60_000)
                switch step {
                case .fix:
                    try await store.pool.query(
                        """
                        INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, stationary, verdict)
                        VALUES ($1, $2, $3, $4, 48.01, 16, true, 'ok')
                        ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq, at = excluded.at
                        """,
                        [
                            .int64(person.rawValue), .int64(device.rawValue), .int64(Int64(number + 1)),
                            .timestamptz(unixMilliseconds: store.now.milliseconds),
                        ]
                    )
                case .say(let mode, let seconds):
                    let until = seconds.map { store.now + $0 * 1000 }
                    _ = try await store.directory.say(mode, until: until, of: person)
                }
            }
            store.manual.advance(milliseconds: 60_000)
            try await store.pool.query(
                """
                INSERT INTO muster.gathering (id, group_id, state, since, updated_at, lat, lon)
                VALUES (5, $1, 'together', $2, $2, 48, 16)
                """,
                [.int64(group.id.rawValue), .timestamptz(unixMilliseconds: store.now.milliseconds)]
            )
            for (user, standing) in [(other, "together"), (person, "absent")] {
                try await store.pool.query(
                    """
                    INSERT INTO muster.gathering_member (gathering_id, user_id, standing, took_part)
                    VALUES (5, $1, $2::text::muster.gathering_standing, false)
                    """,
                    [.int64(user.rawValue), .text(standing)]
                )
            }
            let audience = try await store.directory.waitAudience(of: group.id, for: person)
            #expect((audience?.distance != nil) == isShown, "\(name): asking to wait")
            guard name != Self.unknownClock else { return }
            let fresh = "ops.member_freshness WHERE user_id = $1 AND freshness <> 'unknown'"
            #expect(try await store.count(fresh, [.int64(person.rawValue)]) == (isShown ? 1 : 0), "\(name): freshness")
            let active = "ops.group_activity WHERE last_position_at IS NOT NULL"
            #expect(try await store.count(active) == (isShown ? 1 : 0), "\(name): activity")
        }
    }
}
