import Foundation
import MusterCommands
import MusterServer
import Postgres

/// What `muster doctor` looks at in PostgreSQL.
struct DatabaseChecks {
    /// The greatest harmless difference between the clocks, in milliseconds.
    private static let tolerance: Int64 = 2_000

    let values: OptionValues
    /// The folder of the migrations.
    let sql: String

    /// Blocks.
    func run() -> [Diagnosis] {
        guard let connectionString = self.connectionString else {
            return [
                Diagnosis(
                    "PostgreSQL",
                    .wrong(
                        "the private PostgreSQL of '\(self.values.dataFolder)' does not run",
                        remedy: "Start the server, or set --data-dir or --database-url"
                    )
                )
            ]
        }
        let session = PostgresSession(connectionString: connectionString, timeout: .milliseconds(1_500))
        defer { session.close() }
        do {
            try session.connect()
            return try self.look(at: session)
        } catch {
            let parts = "\(StartupProblem(error, self.values))".split(separator: ". ", maxSplits: 1).map(String.init)
            return [
                Diagnosis(
                    "PostgreSQL",
                    .wrong(parts.first ?? "it cannot be reached", remedy: parts.count > 1 ? parts[1] : "See its log")
                )
            ]
        }
    }

    private var connectionString: String? {
        switch self.values.database {
        case .external(let connectionString): connectionString
        case .embedded(let folder, _): EmbeddedCluster.connectionString(ofRunningIn: folder)
        }
    }

    private func look(at session: PostgresSession) throws(PostgresError) -> [Diagnosis] {
        [
            try self.clock(session), try self.durability(session), try self.schema(session),
            try self.partitions(session),
        ]
    }

    private func clock(_ session: PostgresSession) throws(PostgresError) -> Diagnosis {
        let row = try session.execute(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS milliseconds"
        ).onlyRow()
        let theirs = try row?.int64("milliseconds") ?? 0
        let ahead = Int64(Date().timeIntervalSince1970 * 1000) - theirs
        guard abs(ahead) <= Self.tolerance else {
            return Diagnosis(
                "clocks",
                .wrong(
                    "this machine is \(ahead / 1000) s ahead of PostgreSQL's",
                    remedy: "Set both by NTP, for example by systemd-timesyncd"
                )
            )
        }
        return Diagnosis("clocks", .fine("\(abs(ahead)) ms apart"))
    }

    private func durability(_ session: PostgresSession) throws(PostgresError) -> Diagnosis {
        let row = try session.execute(
            """
            SELECT string_agg(name, ', ' ORDER BY name) AS names FROM pg_settings
            WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'
            """
        ).onlyRow()
        guard let names = try row?.optionalText("names") else { return Diagnosis("durability", .fine("fsync is on")) }
        return Diagnosis(
            "durability",
            .wrong(
                "PostgreSQL runs without \(names), so a power failure may destroy it",
                remedy: "Run ALTER SYSTEM SET … = on for each, and SELECT pg_reload_conf()"
            )
        )
    }

    private func schema(_ session: PostgresSession) throws(PostgresError) -> Diagnosis {
        do {
            let pending = try Migrator(directory: "\(self.sql)/migrations").status(session).filter {
                $0.appliedAtUnixMilliseconds == nil
            }
            guard let first = pending.first else { return Diagnosis("schema", .fine("up to date")) }
            return Diagnosis(
                "schema",
                .wrong(
                    "\(pending.count) migrations are pending, from \(first.number) on",
                    remedy: "Start the server, or run muster migrate"
                )
            )
        } catch  where error.code == .migration {
            return Diagnosis(
                "schema",
                .wrong(error.message, remedy: "Run the version of Muster that created the database, or a newer one")
            )
        }
    }

    private func partitions(_ session: PostgresSession) throws(PostgresError) -> Diagnosis {
        let row = try session.execute(
            """
            SELECT string_agg(to_char(day, 'YYYY-MM-DD'), ', ' ORDER BY day) AS missing
            FROM generate_series(0, 1) n, LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date + n AS day) d
            WHERE to_regclass('muster.fix_' || to_char(day, 'YYYYMMDD')) IS NULL
            """
        ).onlyRow()
        guard let missing = try row?.optionalText("missing") else {
            return Diagnosis("partitions", .fine("today and tomorrow"))
        }
        return Diagnosis(
            "partitions",
            .wrong(
                "those of \(missing) are missing, so fixes of these days wait",
                remedy: "Start the server, which makes them, and see its log"
            )
        )
    }
}
