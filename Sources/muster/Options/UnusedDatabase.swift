import MusterServer
import Postgres

/// No server has used a database, so nothing can be read there.
struct UnusedDatabase: Error, CustomStringConvertible {
    let description: String

    /// Names the database, and tells what is missing there and what can be done.
    init(_ database: ServerConfiguration.Database, _ advice: String) {
        let place =
            switch database {
            case .embedded(let folder, _):
                "the data folder '\(folder.hasSuffix("/postgres") ? String(folder.dropLast(9)) : folder)' (--data-dir)"
            case .external: "the database of --database-url"
            }
        self.description = "\(place): \(advice)"
    }

    /// Whether an error says that there are no tables of ours: no such table, no such schema.
    static func isCause(of error: PostgresError?) -> Bool { ["42P01", "3F000"].contains(error?.sqlState) }
}

extension ServerConfiguration.Database {
    /// Checks that there is a private cluster where one is named, so that reading makes none.
    ///
    /// - Throws: `UnusedDatabase`.
    func requireCluster(_ advice: String) throws(UnusedDatabase) {
        guard case .embedded(let folder, _) = self, !EmbeddedCluster.exists(in: folder) else { return }
        throw UnusedDatabase(self, advice)
    }
}
