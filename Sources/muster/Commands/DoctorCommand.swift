import EventLoop
import Foundation
import MusterCommands
import MusterServer

/// `muster doctor`: names what is wrong with an installation, and how to mend it.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Name what is wrong with this installation, and how to mend it."
    static let usage = "[--url URL] [options]"
    static let discussion = """
        Looks at the secret key, the certificate, file descriptors, disk, memory, photos and fonts of this machine, the
        last backup, PostgreSQL's clock, durability, schema and partitions, and with --url at the address that browsers
        use: whether it is ready, its certificate, its clock, and whether a WebSocket passes. Changes nothing, and ends
        within seconds. The exit status is 1 if anything is wrong. Use the options of the server, best by its --config.
        """
    static let options: [Option] =
        [
            Option("url", .one("URL"), help: "also look at this address, as browsers do"),
            Option("backups", .one("DIR"), help: "the folder in which `muster backup` makes its folders"),
        ] + ServeCommand.options.filter { Self.shared.contains($0.name) }

    /// The options of the server that are looked at.
    private static let shared: Set<String> = [
        "database-url", "data-dir", "sql-dir", "secret-key-file", "tls-cert", "tls-key", "public-url",
        "max-connections",
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.isEmpty else { throw UsageError("unexpected argument '\(values.operands[0])'") }
        let sql = try values.sqlFolder()
        let site = try values.site("url")
        let machine = MachineChecks(values: values, now: Int64(Date().timeIntervalSince1970))
        let database = DatabaseChecks(values: values, sql: sql)
        async let ofDatabase = BlockingWork.run(named: "doctor") { database.run() }
        let ofAddress = if let site { await AddressChecks(site: site).run() } else { [Diagnosis]() }
        let all = try machine.run() + (await ofDatabase) + ofAddress
        for diagnosis in all { print(diagnosis.line) }
        let wrong = all.count { $0.isWrong }
        print(wrong == 0 ? "nothing is wrong" : "\(wrong) of \(all.count) are wrong")
        return wrong == 0 ? 0 : 1
    }
}
