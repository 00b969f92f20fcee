import MusterCore
import Postgres

/// The SQL statements of geocoding.
enum GeocodeStatements {
    /// The maximum number of names for one exact key, the most important first.
    static let exactLimit: Int64 = 300
    /// The maximum number of names similar to one span.
    static let fuzzyLimit: Int64 = 60
    /// The maximum number of names that begin with one span.
    static let beginningLimit: Int64 = 100
    /// The minimum similarity of two names in pg_trgm.
    static let likeness = "0.45"
    /// The time limit of the fuzzy search while a client waits, in milliseconds.
    static let timeout = 300

    /// The columns for scoring a place `p` with a name `n` that matches the span `k`.
    private static let columns = """
        k.span, n.key, n.own, p.id, p.name, p.type, p.category, p.lat, p.lon, p.importance, p.country, p.state, p.parent
        """
    private static let place = "JOIN muster.place p ON p.id = n.place AND p.source = n.source"

    /// All gazetteers.
    static let gazetteers = PostgresStatement("SELECT source, attribution FROM muster.gazetteer")

    /// Finds names equal to a span.
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

    /// Finds names that begin with a span of three letters or more.
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

    /// Finds names similar to a span.
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

    /// Finds the nearest city to a point, within 30 km.
    static func nearestCity(to point: Coordinate) -> PostgresStatement {
        // The condition is exactly that of the partial index of cities, so that the index is used; `IN` with a list
        // would not match it.
        self.nearest("q.type = 'city'", to: point, within: 30_000)
    }

    /// Finds the nearest house or street to a point, within 50 m.
    static func nearestDoor(to point: Coordinate) -> PostgresStatement {
        self.nearest("q.type IN ('house', 'street')", to: point, within: 50)
    }

    /// Searches a spatial index outwards from the point, within the bounding box of the circle.
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

    /// Sets a parameter for the transaction.
    static func setting(_ name: String, _ value: String) -> PostgresStatement {
        PostgresStatement("SELECT set_config($1, $2, true) AS value", [.text(name), .text(value)])
    }

    private static func parameters(_ spans: [(number: Int, key: String)]) -> [PostgresValue] {
        [.int32Array(spans.map { Int32($0.number) }), .textArray(spans.map { $0.key })]
    }
}
