import MusterCommands
import MusterServer
import Postgres

extension Option {
    /// The options of a command that uses the server's database, and may start a private one.
    static let database = [
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL instead of a private one (also: DATABASE_URL)"
        ),
        Option("data-dir", .one("DIR"), default: ".muster", help: "the folder of the private PostgreSQL"),
    ]

    /// The folder of the migrations.
    static let migrations = Option(
        "sql-dir",
        .one("DIR"),
        help: "the folder of the migrations [sql, here or beside the program]"
    )
}

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

    /// The file of the server's secret key.
    var secretKeyFile: String { self.text("secret-key-file") ?? "\(self.dataFolder)/secret.key" }

    /// The folder of `--sql-dir`, which has that of the migrations.
    func sqlFolder() throws(UsageError) -> String {
        guard let folder = self.text("sql-dir") ?? ResourceFolder.find("sql") else {
            throw UsageError("no folder 'sql' here or beside the program; set --sql-dir")
        }
        return folder
    }
}
