package import MusterCore
import Postgres

extension Directory {
    /// Finds places by trigram similarity alone, as a baseline for comparison with `geocode`.
    ///
    /// - Throws: `unavailable`.
    package func placesBySimilarity(
        _ text: String,
        limit: Int
    ) async throws -> [(label: String, coordinate: Coordinate)] {
        let result = try await self.query(Self.similarityQuery, [.text(PlaceKey.key(text)), .int64(Int64(limit))])
        return try result.map { row in
            let point = Coordinate(latitude: try row.float8("lat"), longitude: try row.float8("lon"))
            return (label: try row.text("name"), coordinate: point)
        }
    }

    /// The names most similar to `$1`, at most `$2`, with their coordinates.
    static let similarityQuery = """
        SELECT p.name, p.lat, p.lon FROM (
            SELECT place, source, similarity(key, $1) AS alike, importance FROM muster.place_name WHERE key % $1
            ORDER BY similarity(key, $1) DESC, importance DESC LIMIT $2
        ) n JOIN muster.place p ON p.id = n.place AND p.source = n.source ORDER BY n.alike DESC, n.importance DESC
        """
}
