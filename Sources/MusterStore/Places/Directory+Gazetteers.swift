import MusterCore
import Postgres

/// A source of places that was imported.
package struct Gazetteer: Sendable {
    /// Its name.
    package let source: String
    /// Which rule made its keys.
    package let keyVersion: Int32
}

extension Directory {
    /// All gazetteers.
    ///
    /// - Throws: `unavailable`.
    package func gazetteers() async throws(DirectoryError) -> [Gazetteer] {
        let result = try await self.query("SELECT source, key_version FROM muster.gazetteer ORDER BY source")
        return try decoding { () throws(PostgresError) in
            try result.map { (row) throws(PostgresError) in
                Gazetteer(source: try row.text("source"), keyVersion: try row.int32("key_version"))
            }
        }
    }
}
