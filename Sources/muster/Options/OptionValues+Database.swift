import MusterCommands
import MusterServer
import Postgres

extension OptionValues {
    /// The folder of the private PostgreSQL and the secret key.
    var dataFolder: String { self.text("data-dir") ?? ".muster" }

    /// The database of `--database-url` or `--data-dir`.
    ///
    /// The default folder may be in a home directory that PostgreSQL's account cannot access when root starts it, so
    /// another folder may be used instead. A folder that was named explicitly is used or rejected.
    var database: ServerConfiguration.Database {
        if let url = self.text("database-url") { return .external(connectionString: url) }
        return .embedded(
            folder: "\(self.dataFolder)/postgres",
            self.isGiven("data-dir") ? .exactly : .elsewhereWhenClosed
        )
    }
}
