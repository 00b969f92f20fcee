import MusterCore
import Postgres

/// The statements by which a query is looked up.
package enum GeocodeStatements {
    /// Names of one key that count, the most important first.
    static let exactLimit: Int64 = 300
    /// Names that look like one span.
    static let fuzzyLimit: Int64 = 60
    /// Names that begin with one span.
    static let beginningLimit: Int64 = 100
    /// How alike two names must be, as pg_trgm counts it.
    static let likeness = "0.45"
    /// How long names that look like a query may be looked for.
    static let patience = "300ms"

    /// What scoring must know of a place `p` with a name `n` of the span `k`.
    private static let columns = """
        k.span, n.key, n.own, p.id, p.name, p.type, p.category, p.lat, p.lon, p.importance, p.country, p.state, p.parent
        """
    private static let place = "JOIN muster.place p ON p.id = n.place AND p.source = n.source"

    /// Which gazetteers there are.
    static let gazetteers = PostgresStatement("SELECT source, attribution FROM muster.gazetteer")

    /// Names that are exactly a span.
    static func exact(_ spans: [(number: Int, key: String)], limit: Int64 = Self.exactLimit) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM unnest($1::integer[], $2::text[]) AS k (span, key)
            CROSS JOIN LATERAL (
                SELECT source, place, key, own FROM muster.place_name
                WHERE key = k.key ORDER BY importance DESC LIMIT $3
            ) n \(Self.place)
            """,
            Self.parameters(spans) + [.int64(limit)]
        )
    }

    /// Names that begin with a span of three letters or more.
    static func beginnings(_ spans: [(number: Int, key: String)]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM unnest($1::integer[], $2::text[]) AS k (span, key)
            CROSS JOIN LATERAL (
                SELECT source, place, key, own FROM muster.place_name
                WHERE "left"(key, 3) = "left"(k.key, 3) AND starts_with(key, k.key)
                ORDER BY importance DESC LIMIT $3
            ) n \(Self.place)
            """,
            Self.parameters(spans) + [.int64(Self.beginningLimit)]
        )
    }

    /// Names that look like a span.
    static func alike(_ spans: [(number: Int, key: String)]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Self.columns) FROM unnest($1::integer[], $2::text[]) AS k (span, key)
            CROSS JOIN LATERAL (
                SELECT source, place, key, own FROM muster.place_name
                WHERE key % k.key ORDER BY similarity(key, k.key) DESC, importance DESC LIMIT $3
            ) n \(Self.place)
            """,
            Self.parameters(spans) + [.int64(Self.fuzzyLimit)]
        )
    }

    /// A setting of the transaction.
    static func setting(_ name: String, _ value: String) -> PostgresStatement {
        PostgresStatement("SELECT set_config($1, $2, true) AS value", [.text(name), .text(value)])
    }

    private static func parameters(_ spans: [(number: Int, key: String)]) -> [PostgresValue] {
        [.int32Array(spans.map { Int32($0.number) }), .textArray(spans.map { $0.key })]
    }
}
