import MusterCore
import Postgres

/// The cities of the gazetteers, for assigning streets and businesses to a city.
struct NearestCities {
    /// A city with the areas that contain it.
    struct City {
        let id: String
        let coordinate: Coordinate
        let country: String?
        let state: String?
        let countryCode: String?
    }

    /// The maximum distance from a place to its city in metres.
    private static let reach = 30_000.0

    /// The cities in cells of one degree.
    private var cells: [Int: [City]] = [:]

    /// Reads all cities, except those of one source.
    init(_ session: PostgresSession, besides source: String) throws(PostgresError) {
        try session.execute(
            """
            DECLARE cities NO SCROLL CURSOR FOR
            SELECT id, lat, lon, country, state, country_code FROM muster.place WHERE type = 'city' AND source <> $1
            """,
            [.text(source)]
        )
        while true {
            let rows = try session.execute("FETCH FORWARD 10000 FROM cities")
            for row in rows {
                let city = City(
                    id: try row.text("id"),
                    coordinate: Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon")),
                    country: try row.optionalText("country"),
                    state: try row.optionalText("state"),
                    countryCode: try row.optionalText("country_code")
                )
                let (row, column) = Self.cell(city.coordinate)
                self.cells[row * 360 + column, default: []].append(city)
            }
            if rows.isEmpty { break }
        }
        try session.execute("CLOSE cities")
    }

    /// The nearest city to a point, within the maximum distance.
    func city(near point: Coordinate) -> City? {
        let (row, column) = Self.cell(point)
        // Beyond 74° north or south a degree of longitude is shorter than the maximum distance.
        let width = abs(point.latitude) > 70 ? 4 : 1
        var best: (city: City, distance: Double)?
        for line in row - 1...row + 1 {
            for place in column - width...column + width {
                for city in self.cells[line * 360 + (place + 360) % 360] ?? [] {
                    let distance = point.distance(to: city.coordinate)
                    if distance <= best?.distance ?? Self.reach { best = (city, distance) }
                }
            }
        }
        return best?.city
    }

    private static func cell(_ point: Coordinate) -> (row: Int, column: Int) {
        (Int((point.latitude + 90).rounded(.down)), Int((point.longitude + 180).rounded(.down)) % 360)
    }
}
