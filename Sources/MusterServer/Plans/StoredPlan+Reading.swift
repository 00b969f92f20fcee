import Foundation
import MusterCore
import MusterWire
import Postgres

extension StoredPlan {
    /// A query for plans from the point of view of user `$1`, of a relation `p` with the columns of `muster.plan` and
    /// `body`.
    ///
    /// Shares are limited to groups of the user.
    static func selection(from relation: String) -> String {
        """
        SELECT p.id, p.name AS plan_name, p.body, a.id AS user_id, a.name, a.avatar,
            h.groups, h.moments, h.going, h.maybe, h.staying, h.own
        FROM \(relation) p
            JOIN muster.account a ON a.id = p.user_id
            CROSS JOIN LATERAL (
                SELECT array_agg(x.group_id ORDER BY x.at, x.group_id) AS groups,
                    array_agg(x.at ORDER BY x.at, x.group_id) AS moments,
                    array_agg(x.going ORDER BY x.at, x.group_id) AS going,
                    array_agg(x.maybe ORDER BY x.at, x.group_id) AS maybe,
                    array_agg(x.staying ORDER BY x.at, x.group_id) AS staying,
                    array_agg(x.own ORDER BY x.at, x.group_id) AS own
                FROM (
                    SELECT s.group_id, (extract(epoch FROM s.shared_at) * 1000)::bigint AS at,
                        count(*) FILTER (WHERE r.answer = 'in') AS going,
                        count(*) FILTER (WHERE r.answer = 'maybe') AS maybe,
                        count(*) FILTER (WHERE r.answer = 'out') AS staying,
                        coalesce(max(r.answer) FILTER (WHERE r.user_id = $1), 'none') AS own
                    FROM muster.plan_share s
                        JOIN muster.membership m ON m.group_id = s.group_id AND m.user_id = $1
                        LEFT JOIN muster.plan_answer r ON r.plan_id = s.plan_id AND r.group_id = s.group_id
                    WHERE s.plan_id = p.id
                    GROUP BY s.group_id, s.shared_at
                ) x
            ) h
        """
    }

    /// Reads a row of `selection`.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.id("id"),
            name: try row.text("plan_name"),
            person: try row.profile(),
            plan: try DayPlan(stored: try row.text("body")),
            shares: try PlanShare.all(in: row)
        )
    }
}

extension PlanShare {
    fileprivate static func all(in row: PostgresRow) throws -> [PlanShare] {
        guard try !row.isNull("groups") else { return [] }
        let columns = (
            groups: try row.int64Array("groups").compactMap(\.self),
            moments: try row.int64Array("moments").compactMap(\.self),
            going: try row.int64Array("going").compactMap(\.self),
            maybe: try row.int64Array("maybe").compactMap(\.self),
            staying: try row.int64Array("staying").compactMap(\.self),
            own: try row.textArray("own").compactMap(\.self)
        )
        return columns.groups.indices.map { index in
            PlanShare(
                group: GroupID(columns.groups[index]),
                at: Timestamp(milliseconds: columns.moments[index]),
                answers: PlanAnswers(
                    in: Int(columns.going[index]),
                    maybe: Int(columns.maybe[index]),
                    out: Int(columns.staying[index])
                ),
                answer: PlanAnswer(rawValue: columns.own[index]) ?? .none
            )
        }
    }
}

extension DayPlan {
    /// Decodes a stored plan.
    init(stored text: String) throws {
        guard let plan = try? JSONDecoder().decode(DayPlan.self, from: Data(text.utf8)) else {
            throw PostgresError(.decoding, message: "a stored plan cannot be decoded")
        }
        self = plan
    }

    /// The stored form of a plan.
    var stored: PostgresValue {
        get throws { .jsonb(try Self.json(self)) }
    }

    /// The stored form of several plans.
    static func stored(_ plans: [DayPlan]) throws -> PostgresValue { .jsonb(try Self.json(plans)) }

    private static func json(_ value: some Encodable) throws -> String {
        guard let data = try? JSONEncoder().encode(value) else {
            throw FrameError(.internal, message: "A plan cannot be stored.")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
