import Foundation
import MusterCore
import Postgres

extension Directory {
    /// The maximum number of fixes of a member that are read again when a group is loaded.
    private static let fixesRead: Int64 = 600

    /// Adds the stored states of a group's members at its places, and the last fixes of the members who tell others.
    ///
    /// - Throws: `unavailable`.
    func findArrivals(of group: inout GroupSnapshot) async throws {
        let places = group.places.filter { !$0.consents.isEmpty }.map(\.id)
        guard !places.isEmpty else { return }
        let users = Set(group.places.flatMap { $0.consents.map(\.user) }).sorted()
        let results = try await self.transaction { transaction in
            try await transaction.pipeline([
                PostgresStatement(
                    "SELECT user_id, place_id, inside, since, proof::text AS proof FROM muster.place_state WHERE place_id = ANY($1)",
                    [.ids(places)]
                ),
                PostgresStatement(
                    """
                    SELECT u.id AS user_id, f.device_id, f.at, f.received_at, f.lat, f.lon, f.accuracy, f.verdict, f.trigger
                    FROM unnest($1::bigint[]) AS u(id)
                        JOIN muster.position q ON q.user_id = u.id
                        CROSS JOIN LATERAL (
                            SELECT * FROM muster.fix x
                            WHERE x.user_id = u.id AND x.at > q.at - $2::float8 * interval '1 ms' AND x.at <= $4
                            ORDER BY x.at DESC LIMIT $3
                        ) f
                    ORDER BY u.id, f.received_at, f.at
                    """,
                    [
                        .ids(users), .float8(Double(ArrivalRule.memory)), .int64(Self.fixesRead),
                        .timestamptz(self.now + FixGate.tolerance),
                    ]
                ),
            ])
        }
        var arrivals = StoredArrivals()
        for row in results[0] {
            guard
                let details = try? JSONDecoder().decode(
                    StoredArrival.Details.self,
                    from: Data(try row.text("proof").utf8)
                )
            else { continue }
            arrivals.states.append(
                StoredArrival(
                    user: try row.id("user_id"),
                    place: try row.id("place_id"),
                    isInside: try row.isNull("inside") ? nil : try row.bool("inside"),
                    since: try row.timestamp("since"),
                    details: details
                )
            )
        }
        for row in results[1] {
            let fix = ArrivalFix(
                device: try row.id("device_id"),
                at: try row.timestamp("at"),
                receivedAt: try row.timestamp("received_at"),
                coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                accuracy: try row.isNull("accuracy") ? 0 : Float(try row.float8("accuracy")),
                verdict: try row.choice("verdict"),
                isPing: try row.optionalText("trigger") == Fix.Trigger.ping.rawValue
            )
            if let fix { arrivals.fixes[try row.id("user_id"), default: []].append(fix) }
        }
        group.arrivals = arrivals
    }

    /// The groups in which an arrival or a departure is pending, as of the journal's last commit.
    ///
    /// Call it only after the journal is ready.
    ///
    /// - Throws: `unavailable`.
    func pendingArrivals() async throws -> [GroupID] {
        let result = try await self.query(
            """
            SELECT DISTINCT p.group_id FROM muster.place_state s JOIN muster.group_place p ON p.id = s.place_id
            WHERE s.proof ? 'proof'
            UNION
            SELECT DISTINCT c.group_id FROM muster.place_consent c JOIN muster.position q ON q.user_id = c.user_id
            WHERE q.at > $1
            ORDER BY group_id
            """,
            [.timestamptz(self.now - ArrivalRule.memory)]
        )
        return try result.map { row in try row.id("group_id") }
    }
}
