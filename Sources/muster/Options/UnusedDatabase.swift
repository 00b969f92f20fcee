import MusterServer
import Postgres

/// The error for a database that no server has used, which therefore has no data to read.
struct UnusedDatabase: Error, CustomStringConvertible {
    let description: String

    /// Names the database, and appends the advice.
    init(_ database: ServerConfiguration.Database, _ advice: String) {
        let place =
            switch database {
            case .embedded(let folder, _):
                "the data folder '\(folder.hasSuffix("/postgres") ? String(folder.dropLast(9)) : folder)' (--data-dir)"
            case .external: "the database of --database-url"
            }
        self.description = "\(place): \(advice)"
    }

    /// Whether an error means that our tables or our schema do not exist.
    static func isCause(of error: PostgresError?) -> Bool { ["42P01", "3F000"].contains(error?.sqlState) }
}

extension ServerConfiguration.Database {
    /// Requires that a configured private cluster exists, so that reading does not create one.
    ///
    /// - Throws: `UnusedDatabase`.
    func requireCluster(_ advice: String) throws(UnusedDatabase) {
        guard case .embedded(let folder, _) = self, !EmbeddedCluster.exists(in: folder) else { return }
        throw UnusedDatabase(self, advice)
    }
}
