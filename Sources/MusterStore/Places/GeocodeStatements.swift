package import MusterCore
package import Postgres

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
    /// How long names that look like a query may be looked for while a client waits, in milliseconds.
    package static let patience = 300

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

    /// The city nearest to a point, within 30 km.
    package static func nearestCity(to point: Coordinate) -> PostgresStatement {
        // As the index of cities has it, so that it is used: not one of a list.
        self.nearest("q.type = 'city'", to: point, within: 30_000)
    }

    /// The house or street nearest to a point, within 50 m.
    static func nearestDoor(to point: Coordinate) -> PostgresStatement {
        self.nearest("q.type IN ('house', 'street')", to: point, within: 50)
    }

    /// Walks a spatial index from the point outwards, within a box that holds the circle.
    private static func nearest(
        _ condition: String,
        to point: Coordinate,
        within metres: Double
    ) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(Place.columns) FROM (
                SELECT * FROM (
                    SELECT q.*, ST_Distance(q.place, o.point, false) AS distance
                    FROM (SELECT ST_SetSRID(ST_MakePoint($2, $1), 4326)::geography AS point) o
                    CROSS JOIN LATERAL (
                        SELECT * FROM muster.place q WHERE q.place && _ST_Expand(o.point, $3) AND \(condition)
                        ORDER BY q.place <-> o.point LIMIT 1
                    ) q
                ) near WHERE distance <= $3
            ) p \(Place.joins)
            """,
            [.float8(point.latitude), .float8(point.longitude), .float8(metres)]
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
