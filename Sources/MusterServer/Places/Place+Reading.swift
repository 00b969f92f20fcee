import MusterCore
import Postgres

extension Place {
    /// The columns of a place `p`, with the names of the areas that contain it; requires `joins`.
    static let columns = """
        p.source, p.id, p.name, p.type, p.category, p.lat, p.lon, p.extent, p.country_code,
        CASE WHEN p.type IN ('street', 'house', 'other', 'locality') AND c.type = 'city' THEN c.name END AS city,
        s.name AS state, k.name AS country
        """

    /// The joins for `columns`.
    static let joins = """
        LEFT JOIN LATERAL (SELECT name, type FROM muster.place WHERE id = p.parent LIMIT 1) c ON true
        LEFT JOIN LATERAL (SELECT name FROM muster.place WHERE id = p.state LIMIT 1) s ON true
        LEFT JOIN LATERAL (SELECT name FROM muster.place WHERE id = p.country LIMIT 1) k ON true
        """

    /// Reads a row of `columns`.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.text("id"),
            name: try row.text("name"),
            type: try row.choice("type"),
            category: try row.optionalText("category").flatMap(PlaceCategory.init(rawValue:)),
            coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
            extent: try Extent(row),
            source: try row.text("source"),
            surroundings: Surroundings(
                city: try row.optionalText("city"),
                state: try row.optionalText("state"),
                country: try row.optionalText("country"),
                countryCode: try row.optionalText("country_code")
            )
        )
    }
}

extension Place.Extent {
    /// Reads the column `extent`; nil when it is NULL.
    init?(_ row: PostgresRow) throws {
        let corners = try row.isNull("extent") ? [] : try row.float8Array("extent").compactMap { $0 }
        guard corners.count == 4 else { return nil }
        self.init(west: corners[0], south: corners[1], east: corners[2], north: corners[3])
    }
}
