import MusterCommands
import MusterServer
import Postgres

extension OptionValues {
    /// The folder of the private PostgreSQL and the secret key.
    var dataFolder: String { self.text("data-dir") ?? ".muster" }

    /// Where the data lives, by `--database-url` or `--data-dir`.
    ///
    /// The default folder may be anybody's home, which PostgreSQL's account cannot enter when root starts it; a folder that was
    /// named is used or refused.
    var database: ServerConfiguration.Database {
        if let url = self.text("database-url") { return .external(connectionString: url) }
        return .embedded(
            folder: "\(self.dataFolder)/postgres",
            self.isGiven("data-dir") ? .exactly : .elsewhereWhenClosed
        )
    }
}
