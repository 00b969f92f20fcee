import MusterCore
import Postgres

/// An imported source of places.
package struct Gazetteer: Sendable {
    /// The name of the source.
    package let source: String
    /// The version of the rule for its keys.
    let keyVersion: Int32
}

extension Directory {
    /// All gazetteers.
    ///
    /// - Throws: `unavailable`.
    package func gazetteers() async throws -> [Gazetteer] {
        let result = try await self.query("SELECT source, key_version FROM muster.gazetteer ORDER BY source")
        return try result.map { row in
            Gazetteer(source: try row.text("source"), keyVersion: try row.int32("key_version"))
        }
    }
}
