import Foundation
import MusterCore
import Postgres

// Joins leave out rows of accounts, devices and groups that were deleted concurrently, because they have no readers.
// Rows are written in the order of their keys, so that two transactions with common rows rarely deadlock.
// Columns of nearly every batch are mapped by closures, which create the array of optionals in one step. They are
// mapped lazily where the array of ids or timestamps would be an intermediate one.

extension JournalBatch {
    /// The statements after the fixes, in the order of foreign keys.
    ///
    /// - Parameters:
    ///   - devices: the statements for the batch's devices.
    ///   - now: the time.
    ///   - last: the statement before the notifications, which come last because they lock accounts until the commit.
    /// - Returns: all statements.
    func statements(
        after devices: [PostgresStatement],
        now: Timestamp,
        last: PostgresStatement
    ) -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        // The maximum number, including those that end the transaction, so that the array is never reallocated.
        statements.reserveCapacity(22)
        statements += devices
        statements += self.keyStatements()
        statements += self.verdictStatements()
        statements += self.gatheringStatements()
        statements += self.machineStatements(now: now)
        statements += self.suspensionStatements()
        statements += self.arrivalStatements()
        statements += self.seenStatements()
        statements += self.positionStatements(now: now)
        statements += self.presenceStatements(now: now)
        statements += self.sessionStatements()
        statements.append(last)
        statements += self.notifyStatements()
        return statements
    }

    private func keyStatements() -> [PostgresStatement] {
        guard !self.keys.isEmpty else { return [] }
        let keys = self.keys.sorted { ($0.device, $0.sequence) < ($1.device, $1.sequence) }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.ingest_key (device_id, key, seq)
                SELECT x.device_id, x.key, x.seq
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS x(device_id, key, seq)
                    JOIN muster.device d ON d.id = x.device_id
                ON CONFLICT (device_id, key) DO UPDATE SET seq = excluded.seq
                """,
                [
                    .ids(keys.lazy.map { $0.device }), .int64Array(keys.map { $0.key.rawValue }),
                    .int64Array(keys.map { $0.sequence }),
                ]
            )
        ]
    }

    private func verdictStatements() -> [PostgresStatement] {
        guard !self.verdicts.isEmpty else { return [] }
        // By user and time, which are indexed; fixes of a deleted account no longer exist.
        return [
            PostgresStatement(
                """
                UPDATE muster.fix f SET verdict = x.verdict::muster.fix_verdict
                FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[])
                        AS x(device_id, seq, at, verdict)
                    JOIN muster.device d ON d.id = x.device_id
                WHERE f.user_id = d.user_id AND f.at = x.at AND f.device_id = x.device_id AND f.seq = x.seq
                """,
                [
                    .ids(self.verdicts.map(\.device)), .int64Array(self.verdicts.map(\.sequence)),
                    .timestamps(self.verdicts.map(\.at)), .textArray(self.verdicts.map(\.verdict.rawValue)),
                ]
            )
        ]
    }

    private func gatheringStatements() -> [PostgresStatement] {
        guard !self.gatherings.isEmpty else { return [] }
        let records = self.gatherings.values.sorted { $0.status.gathering < $1.status.gathering }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.gathering (id, group_id, state, since, ended_at, updated_at, lat, lon, place_name)
                SELECT x.id, x.group_id, x.state::muster.gathering_state_name, x.since,
                    CASE WHEN x.state = 'ended' THEN x.at END, x.at, x.lat, x.lon, x.place_name
                FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::float8[],
                    $7::float8[], $8::text[]) AS x(id, group_id, state, since, at, lat, lon, place_name)
                    JOIN muster.grp g ON g.id = x.group_id
                ORDER BY x.id
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
                    updated_at = excluded.updated_at, lat = excluded.lat, lon = excluded.lon,
                    place_name = excluded.place_name
                """,
                [
                    .ids(records.map(\.status.gathering)), .ids(records.map(\.group)),
                    .textArray(records.map(\.status.state.rawValue)), .timestamps(records.map(\.status.since)),
                    .timestamps(records.map(\.at)), .float8Array(records.map(\.status.place.lat)),
                    .float8Array(records.map(\.status.place.lon)), .textArray(records.map(\.status.place.name)),
                ]
            ),
            PostgresStatement(
                "UPDATE muster.gathering_member SET standing = 'elsewhere' WHERE gathering_id = ANY($1)",
                [.ids(records.map(\.status.gathering))]
            ),
            self.memberStatement(records),
        ]
    }

    private func memberStatement(_ records: [Gathering]) -> PostgresStatement {
        var gatherings: [GatheringID] = []
        var users: [UserID] = []
        var tookPart: [Bool] = []
        var statuses: [String] = []
        for record in records {
            let together = Set(record.status.together)
            let absent = Set(record.status.absent)
            let participants = Set(record.participants).union(together)
            for user in participants.union(absent).sorted() {
                gatherings.append(record.status.gathering)
                users.append(user)
                tookPart.append(participants.contains(user))
                statuses.append(together.contains(user) ? "together" : absent.contains(user) ? "absent" : "elsewhere")
            }
        }
        return PostgresStatement(
            """
            INSERT INTO muster.gathering_member (gathering_id, user_id, took_part, standing)
            SELECT x.gathering_id, x.user_id, x.took_part, x.standing::muster.gathering_standing
            FROM unnest($1::bigint[], $2::bigint[], $3::bool[], $4::text[])
                    AS x(gathering_id, user_id, took_part, standing)
                JOIN muster.gathering g ON g.id = x.gathering_id
                JOIN muster.account a ON a.id = x.user_id
            ON CONFLICT (gathering_id, user_id) DO UPDATE
            SET took_part = muster.gathering_member.took_part OR excluded.took_part, standing = excluded.standing
            """,
            [.ids(gatherings), .ids(users), .boolArray(tookPart), .textArray(statuses)]
        )
    }

    private func machineStatements(now: Timestamp) -> [PostgresStatement] {
        guard !self.machines.isEmpty else { return [] }
        let machines = self.machines.sorted { $0.key < $1.key }
        let kept = machines.compactMap { group, machine in machine.map { (group: group, machine: $0) } }
        let cleared = machines.compactMap { group, machine in machine == nil ? group : nil }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.gathering_state (group_id, state, updated_at)
                SELECT x.group_id, x.state, $3
                FROM unnest($1::bigint[], $2::jsonb[]) AS x(group_id, state)
                    JOIN muster.grp g ON g.id = x.group_id
                ORDER BY x.group_id
                ON CONFLICT (group_id) DO UPDATE
                SET state = excluded.state, landed = NULL, updated_at = excluded.updated_at
                """,
                [
                    .ids(kept.map(\.group)), .jsonbArray(kept.map { Self.text(of: $0.machine) }),
                    .timestamptz(now),
                ]
            ),
            PostgresStatement("DELETE FROM muster.gathering_state WHERE group_id = ANY($1)", [.ids(cleared)]),
        ]
    }

    private func suspensionStatements() -> [PostgresStatement] {
        guard !self.suspension.isEmpty else { return [] }
        let all = self.suspension.sorted { $0.key < $1.key }
        let kept = all.compactMap { group, aside in aside.map { (group: group, aside: $0) } }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.group_set_aside (group_id, cause, since, retry_at, tries)
                SELECT x.group_id, x.cause, x.since, x.retry_at, x.tries
                FROM unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[])
                        AS x(group_id, cause, since, retry_at, tries)
                    JOIN muster.grp g ON g.id = x.group_id
                ORDER BY x.group_id
                ON CONFLICT (group_id) DO UPDATE SET cause = excluded.cause, since = excluded.since,
                    retry_at = excluded.retry_at, tries = excluded.tries
                """,
                [
                    .ids(kept.map(\.group)), .textArray(kept.map(\.aside.cause.rawValue)),
                    .timestamps(kept.map(\.aside.since)), .timestamps(kept.map(\.aside.retryAt)),
                    .int64Array(kept.map { Int64($0.aside.tries) }),
                ]
            ),
            PostgresStatement(
                "DELETE FROM muster.group_set_aside WHERE group_id = ANY($1)",
                [.ids(all.compactMap { group, aside in aside == nil ? group : nil })]
            ),
        ]
    }

    private func arrivalStatements() -> [PostgresStatement] {
        guard !self.arrivals.isEmpty else { return [] }
        let states = self.arrivals.sorted { $0.key < $1.key }.map(\.value)
        return [
            PostgresStatement(
                """
                INSERT INTO muster.place_state (user_id, place_id, inside, since, proof)
                SELECT x.user_id, x.place_id, nullif(x.inside, '')::boolean, x.since, x.proof
                FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::jsonb[])
                        AS x(user_id, place_id, inside, since, proof)
                    JOIN muster.place_consent c ON c.place_id = x.place_id AND c.user_id = x.user_id
                ORDER BY x.user_id, x.place_id
                ON CONFLICT (user_id, place_id) DO UPDATE
                SET inside = excluded.inside, since = excluded.since, proof = excluded.proof
                """,
                [
                    .ids(states.map(\.user)), .ids(states.map(\.place)),
                    .textArray(states.map { $0.isInside.map { $0 ? "true" : "false" } ?? "" }),
                    .timestamps(states.map(\.since)),
                    .jsonbArray(
                        states.map { state in
                            (try? JSONEncoder().encode(state.details)).map { String(decoding: $0, as: UTF8.self) }
                        }
                    ),
                ]
            )
        ]
    }

    private static func text(of state: GatheringState) -> String? {
        // A number without a representation in JSON becomes NULL, which the table rejects; halving then isolates the
        // record.
        (try? JSONEncoder().encode(state)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func seenStatements() -> [PostgresStatement] {
        guard !self.seen.isEmpty else { return [] }
        let seen = self.seen.sorted { $0.key < $1.key }
        let single = seen.flatMap { user, seen in seen.numbers.map { (user: user, number: $0, at: seen.at) } }
        return [
            PostgresStatement(
                """
                UPDATE muster.notification n SET seen_at = x.at
                FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS x(user_id, up_to, at)
                WHERE n.user_id = x.user_id AND n.number <= x.up_to AND n.seen_at IS NULL
                """,
                [.ids(seen.map(\.key)), .int64Array(seen.map(\.value.upTo)), .timestamps(seen.map(\.value.at))]
            ),
            PostgresStatement(
                """
                UPDATE muster.notification n SET seen_at = x.at
                FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS x(user_id, number, at)
                WHERE n.user_id = x.user_id AND n.number = x.number AND n.seen_at IS NULL
                """,
                [.ids(single.map(\.user)), .int64Array(single.map(\.number)), .timestamps(single.map(\.at))]
            ),
        ]
    }

    /// Stores the notifications and returns their numbers; the commit must follow in the same round trip.
    func notifyStatements() -> [PostgresStatement] {
        self.notifications.isEmpty ? [] : [NotifyStatement.make(self.notifications.map(\.record))]
    }

    private func presenceStatements(now: Timestamp) -> [PostgresStatement] {
        guard !self.presences.isEmpty else { return [] }
        let presences = self.presences.sorted { $0.key < $1.key }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.presence AS p (user_id, state, last_seen, changed_at)
                SELECT x.user_id, x.state::muster.presence_state, x.last_seen, $4
                FROM unnest($1::bigint[], $2::text[], $3::timestamptz[]) AS x(user_id, state, last_seen)
                    JOIN muster.account a ON a.id = x.user_id
                ORDER BY x.user_id
                ON CONFLICT (user_id) DO UPDATE SET state = excluded.state,
                    last_seen = coalesce(excluded.last_seen, p.last_seen),
                    changed_at = CASE WHEN p.state = excluded.state THEN p.changed_at ELSE excluded.changed_at END
                """,
                [
                    .ids(presences.lazy.map { $0.key }), .textArray(presences.map { $0.value.presence.rawValue }),
                    .timestamptzArray(unixMilliseconds: presences.map { $0.value.lastSeen?.milliseconds }),
                    .timestamptz(now),
                ]
            )
        ]
    }

    private func sessionStatements() -> [PostgresStatement] {
        var statements: [PostgresStatement] = []
        if !self.closedSessions.isEmpty {
            statements.append(
                PostgresStatement(
                    "DELETE FROM muster.live_session WHERE session_id = ANY($1)",
                    [.ids(self.closedSessions.sorted())]
                )
            )
        }
        if !self.openedSessions.isEmpty {
            let sessions = self.openedSessions.values.sorted { $0.session < $1.session }
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO muster.live_session (session_id, user_id, device_id, is_watch, opened_at)
                    SELECT x.session_id, x.user_id, x.device_id, x.is_watch, x.opened_at
                    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bool[], $5::timestamptz[])
                            AS x(session_id, user_id, device_id, is_watch, opened_at)
                        JOIN muster.device d ON d.id = x.device_id AND d.user_id = x.user_id
                    ON CONFLICT (session_id) DO NOTHING
                    """,
                    [
                        .ids(sessions.map(\.session)), .ids(sessions.map(\.user)), .ids(sessions.map(\.device)),
                        .boolArray(sessions.map(\.isWatch)), .timestamps(sessions.map(\.openedAt)),
                    ]
                )
            )
        }
        return statements
    }
}

extension PostgresValue {
    /// Timestamps.
    static func timestamps(_ moments: some Sequence<Timestamp>) -> Self {
        .timestamptzArray(unixMilliseconds: moments.map { $0.milliseconds })
    }
}
