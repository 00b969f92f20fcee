import MusterCommands
import MusterServer
import Postgres
import WebSocketGateway

/// The reason why a command cannot start: the option, the problem, and a remedy.
struct StartupProblem: Error, CustomStringConvertible {
    /// The message on one line.
    let description: String

    /// Describes a problem with PostgreSQL or its schema.
    init(_ error: PostgresError, _ values: OptionValues) {
        self.init(option: Self.option(of: error, values), error.message, Self.remedy(for: error))
    }

    /// Describes a problem with opening a listener.
    ///
    /// - Parameters:
    ///   - error: the problem.
    ///   - isOfMetrics: whether it is the listener of `--metrics-listen`.
    ///   - values: the options.
    init(_ error: GatewayError, isOfMetrics: Bool, _ values: OptionValues) {
        switch error.code {
        case .tooFewDescriptors: self.init(option: "--max-connections", error.message)
        case .contextFailed where values.text("tls-cert") != nil && !isOfMetrics:
            let (certificate, key) = (values.text("tls-cert") ?? "", values.text("tls-key") ?? "")
            self.init(
                option: "--tls-cert \(certificate) --tls-key \(key)",
                "TLS cannot be served with these two files: \(error.message)",
                "Both must be PEM files: a certificate with its chain, and its private key"
            )
        case .cannotListen: self.init(option: isOfMetrics ? "--metrics-listen" : "--listen", error.message)
        default: self.init(option: nil, error.message)
        }
    }

    private init(option: String?, _ cause: String, _ remedy: String? = nil) {
        // PostgreSQL's messages may have several lines.
        let cause = cause.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.description = [option.map { "\($0): \(cause)" } ?? cause, remedy].compactMap(\.self).joined(
            separator: ". "
        )
    }

    private static func option(of error: PostgresError, _ values: OptionValues) -> String? {
        switch error.code {
        case .cluster: "--data-dir \(values.dataFolder)"
        case .migration where error.sqlState == nil: "--sql-dir"
        default:
            values.text("database-url") == nil ? "--data-dir \(values.dataFolder)" : "--database-url (or DATABASE_URL)"
        }
    }

    private static func remedy(for error: PostgresError) -> String? {
        switch (error.code, error.sqlState) {
        case (.cluster, _):
            "Use a folder that this account may write and no other server uses, or set --database-url"
        case (_, "28P01"), (_, "28000"):
            "Set the user and password in the URL, in PGPASSWORD or in .pgpass, and check pg_hba.conf"
        case (_, "3D000"): "Create it with createdb, or use another database"
        case (_, "42501"):
            "Make the user the owner of the database, and run CREATE EXTENSION postgis in it once as a superuser"
        case (_, "0A000"), (_, "58P01"), (_, "42704"):
            "Install PostGIS 3 where PostgreSQL runs (Debian: postgresql-15-postgis-3)"
        case (.migration, _): "Run the version of Muster that created the database, or a newer one"
        case (.connectFailed, _), (.timedOut, _), (.connectionLost, _):
            "Start PostgreSQL, or set the right host and port"
        default: nil
        }
    }
}
