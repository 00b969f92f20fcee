import Foundation
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterClient

@Suite("The command line", .blocking)
struct CommandLineTests {
    @Test(
        "what is not understood is exit status 2, and says what",
        arguments: [
            ([], "Usage"), (["dance"], "dance"), (["serve", "--nope"], "--nope"), (["serve", "-x"], "-x"),
            (["serve", "--tick"], "--tick"), (["serve", "--tick", "soon"], "--tick"),
            (["serve", "--tick", "49"], "--tick"), (["serve", "--listen", "8080"], "--listen"),
            (["serve", "--listen", "127.0.0.1:65536"], "--listen"), (["serve", "operand"], "operand"),
            (["serve", "--tls-cert", "/nowhere"], "--tls-key"),
            (["serve", "--tls-cert", "/nowhere", "--tls-key", "/nowhere"], "/nowhere"),
            (["serve", "--log-level", "loud"], "--log-level"),
            (["serve", "--chat-rate", "0"], "--chat-rate"), (["serve", "--password-cost", "cheap"], "--password-cost"),
            (["serve", "--config", "/nowhere"], "/nowhere"),
            (["serve", "--processors", "0-"], "--processors"), (["serve", "--processors", "0,60000"], "60000"),
            (["serve", "--listen", "caddy:80"], "numeric address"),
            (["serve", "--listen", "127.1:80"], "numeric address"),
            (["serve", "--metrics-listen", "metrics:80"], "numeric address"),
            (["serve", "--metrics-listen", "80"], "--metrics-listen"),
            (["serve", "--listen", "[::1]:80", "--metrics-listen", "[::1]:80"], "different ports"),
            (["serve", "--trusted-proxy", "caddy"], "is a host name"),
            (["serve", "--trusted-proxy", "999.1.1.1"], "neither an address"),
            (["serve", "--trusted-proxy", "10.0.0.1:80"], "port"), (["serve", "--trusted-proxy", "[::1]"], "brackets"),
            (["serve", "--trusted-proxy", "10.0.0.0/33"], "1 to 32"),
            (["serve", "--trusted-proxy", "fd00::/129"], "1 to 128"),
            (["serve", "--trusted-proxy", "10.0.0.0/0"], "1 to 32"),
            (["serve", "--trusted-proxy", "10.0.0.0/"], "1 to 32"),
            (["serve", "--trusted-proxy", "0.0.0.0"], "possible address of a client"),
            (["serve", "--trusted-proxy", "fe80::1%eth0"], "zone"),
            (["serve", "--trusted-proxy", ""], "neither an address"),
            (["serve", "--allow-origin", "app.example"], "://"),
            (["serve", "--allow-origin", "https://app.example/"], "slash"),
            (["serve", "--allow-origin", "*"], "separately"), (["serve", "--allow-origin", "null"], "null"),
            (["serve", "--allow-origin", "https://app.example:443"], ":443"),
            (["serve", "--allow-origin", "https://*.example"], "host"),
            (["serve", "--allow-origin", "https://"], "host"),
            (["serve", "--allow-origin", "https://me@app.example"], "user name"),
            (["serve", "--public-url", "muster.example"], "--public-url"),
            (["serve", "--public-url", "ftp://x"], "--public-url"),
            (["serve", "--public-url", "https://x?a"], "--public-url"),
            (["serve", "--public-url", "https://x#a"], "--public-url"),
            (["serve", "--public-url", "https://x:0"], "--public-url"),
            (["serve", "--public-url", "https://x//"], "--public-url"),
            (["serve", "--leaflet-dir", "/nowhere"], "/nowhere"), (["serve", "--places-dir", "/nowhere"], "/nowhere"),
            (["serve", "--bundle-dir", "/nowhere"], "/nowhere"),
            (["serve", "--public-dir", "/nowhere"], "/nowhere"), (["serve", "--sql-dir", "/nowhere"], "/nowhere"),
            (["serve", "--geocoder-url", "photon"], "--geocoder-url"),
            (["serve", "--router-url", "osrm:5000"], "--router-url"),
            (["serve", "--places-url", "ftp://x"], "--places-url"), (["serve", "--share-tiles", "x"], "--share-tiles"),
            (["serve", "--contact", "me"], "--contact"), (["serve", "--geoip", "/nowhere"], "/nowhere"),
            (["serve", "--places-key-file", "/nowhere"], "/nowhere"), (["serve", "--node", "256"], "--node"),
            (["serve", "--max-connections", "0"], "--max-connections"),
            (["serve", "--max-per-address", "-1"], "--max-per-address"),
            (["serve", "--pool-size", "1e3"], "--pool-size"), (["serve", "--gateways", "65"], "--gateways"),
            (["serve", "--retention-days", "0"], "--retention-days"),
            (["simulate", "--url", "http://muster:80"], "numeric address"),
            (["serve", "--fix-rate", "nan"], "--fix-rate"), (["migrate", "--status=yes"], "--status"),
            (["migrate", "--keep-sharing"], "--after-restore"), (["migrate", "--end-logins"], "--after-restore"),
            (["migrate", "--status", "--after-restore"], "--status"),
            (["import"], "places"), (["import", "places"], "FILE"), (["import", "places", "a.doc"], "a.doc"),
            (["geocode"], "TEXT"), (["geocode", "x", "--bias", "91,0"], "--bias"),
            (["geocode", "--check", "/nowhere"], "/nowhere"),
            (["moderate"], "reports"), (["moderate", "reports", "x"], "x"),
            (["moderate", "reports", "--room", "1"], "--room"),
            (["moderate", "take-down", "user", "1"], "user"), (["moderate", "take-down", "spot", "-1"], "-1"),
            (["moderate", "take-down", "spot", "x"], "'x'"), (["moderate", "take-down", "message", "1"], "--room"),
            (["moderate", "take-down", "spot", "1", "--room", "1"], "--room"), (["moderate", "dismiss"], "REPORT"),
            (["simulate", "--url", "ftp://x"], "--url"), (["simulate", "--center", "north"], "--center"),
            (["replay", "--group", "3", "/nowhere"], "--from-database"),
            (["replay", "--since", "2026-11-20", "/nowhere"], "--since"),
            (["replay", "--people", "6", "/nowhere"], "--generate"),
            (["replay", "--faults", "/nowhere"], "--score"), (["replay", "--generate", "1", "/nowhere"], "/nowhere"),
            (["replay", "--generate", "1", "--from-database"], "--generate"),
        ] as [([String], String)]
    )
    func usageErrors(arguments: [String], complaint: String) throws {
        let run = try MusterProcess.run(arguments)
        #expect(run.status == 2, "\(run)")
        #expect(run.log.contains(complaint), "\(run)")
        #expect(run.output.isEmpty)
    }

    @Test(
        "help is there on each level",
        arguments: [
            ["--help"], ["serve", "--help"], ["migrate", "--help"], ["simulate", "--help"], ["replay", "--help"],
            ["import", "--help"], ["geocode", "--help"], ["moderate", "--help"],
        ]
    )
    func help(arguments: [String]) throws {
        let run = try MusterProcess.run(arguments)
        #expect(run.status == 0)
        #expect(run.output.contains("Usage: muster"))
        if arguments.count == 2 { #expect(run.output.contains("--config FILE")) }
    }

    @Test(
        "a data folder that no server has used holds nothing to look up, and is left alone",
        arguments: [
            (["geocode", "Wien"], "muster import places"), (["geocode", "--check", "@"], "muster import places"),
            (["moderate", "reports"], "no server has used it"),
            (["replay", "--from-database", "--group", "1", "--since", "2026-01-01"], "no server has used it"),
        ]
    )
    func unusedFolder(arguments: [String], advice: String) throws {
        let folder = "/tmp/muster-unused-\(UUID().uuidString.prefix(8))"
        let queries = MusterProcess.checkout.appending(path: "Tests/Fixtures/geocode-queries.tsv").path
        let run = try MusterProcess.run(arguments.map { $0 == "@" ? queries : $0 } + ["--data-dir", folder])
        #expect(run.status == 1, "\(run)")
        #expect(run.log.contains(advice) && run.log.contains(folder), "\(run.log)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a database without tables, or without places, is told from one in which a text is unknown")
    func unusedDatabase() async throws {
        let cluster = try await ThrowawayCluster.shared()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        for database in [try await cluster.makeDatabase(), try await cluster.makeDatabase(migratedFrom: migrations)] {
            let run = try MusterProcess.run(["geocode", "Wien", "--database-url", database])
            #expect(run.status == 1)
            #expect(run.log.contains("--database-url") && run.log.contains("muster import places"), "\(run.log)")
        }
    }

    @Test("the command line is stronger than the environment, that than the file, that than the default")
    func precedence() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "muster-\(UUID().uuidString).conf")
        // Written by a Windows editor: a byte order mark and CRLF.
        // `from-database` belongs to another command.
        try "\u{FEFF}# a comment\r\ntick = 300\r\nretention-days=7\r\n\r\nfix-rate = 25\r\nfrom-database = on\r\n"
            .write(
                to: file,
                atomically: true,
                encoding: .utf8
            )
        defer { try? FileManager.default.removeItem(at: file) }
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let table: [(options: [String], environment: [String: String], tick: Int64)] = [
            ([], [:], 1000),
            (["--config", file.path], [:], 300),
            ([], ["MUSTER_CONFIG": file.path, "MUSTER_TICK": "400"], 400),
            (["--tick=500", "--config", file.path], ["MUSTER_TICK": "400"], 500),
        ]
        for row in table {
            let environment = row.environment.merging(["DATABASE_URL": database]) { $1 }
            let server = try MusterProcess.serve(["--listen", "127.0.0.1:0"] + row.options, environment: environment)
            let transcript = Transcript()
            let account = try ServerFixture.signUp("Ada", port: server.port, transcript: transcript)
            let client = try TestClient(account, port: server.port, transcript: transcript)
            let welcome = try client.hello()
            #expect(welcome["tick"].int == row.tick)
            let usesFile = row.options.contains("--config") || row.environment["MUSTER_CONFIG"] != nil
            #expect(welcome["limits"]["fixesPerSecond"].double == (usesFile ? 25 : 10))
            #expect(server.terminate() == 0)
        }
        let broken = file.appendingPathExtension("broken")
        try "tick = 300\r\ntock = 1\r\n".write(to: broken, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: broken) }
        let run = try MusterProcess.run(["serve", "--config", broken.path])
        #expect(run.status == 2)
        #expect(run.log.contains("tock"))
        #expect(run.log.contains(":2"), "the line is named: \(run.log)")
    }

    @Test(
        "the usual port of --public-url may be given, though no browser names it in an origin",
        arguments: [
            ("https://muster.example:443", "https://muster.example"),
            ("http://muster.example:80/live", "http://muster.example"),
            ("https://muster.example:80", "https://muster.example:80"),
        ]
    )
    func usualPort(url: String, origin: String) async throws {
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let server = try MusterProcess.serve(database: database, options: ["--public-url", url])
        let headers = [(name: "Origin", value: origin)]
        let answer = try BlockingHTTP(port: server.port).request("GET", "/v1/nothing", headers: headers)
        #expect(answer.headers["access-control-allow-origin"] == origin)
        #expect(server.terminate() == 0)
    }

    @Test("migrate brings an empty database up to date, and --status tells how far it is")
    func migrate() async throws {
        let database = try await ThrowawayCluster.shared().makeDatabase()
        func migrate(_ options: [String]) throws -> (status: Int32, output: String, log: String) {
            try MusterProcess.run(["migrate", "--database-url", database] + options)
        }
        let before = try migrate(["--status"])
        #expect(before.status == 0, "\(before)")
        #expect(before.output.contains("pending"))
        let first = try migrate([])
        #expect(first.status == 0, "\(first)")
        #expect(first.output.contains("applied 0001"))
        #expect(try migrate([]).output == "up to date\n")
        #expect(try !migrate(["--status"]).output.contains("pending"))
        let nowhere = try MusterProcess.run(["migrate", "--database-url", "host=/nowhere dbname=x"])
        #expect(nowhere.status == 1)
        #expect(!nowhere.log.isEmpty)
    }

    @Test("an address that is taken is exit status 1 and says so")
    func addressInUse() async throws {
        try await ServerFixture.open { fixture in
            let run = try MusterProcess.run(
                ["serve", "--listen", "127.0.0.1:\(fixture.server.port)", "--database-url", fixture.database]
            )
            #expect(run.status == 1)
            #expect(run.log.contains("\(fixture.server.port)"), "\(run.log)")
        }
    }
}
