import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite(
    "Positions by network address",
    .blocking,
    .enabled(
        if: FileManager.default.fileExists(atPath: MusterProcess.checkout.path + "/.build/browser-tools/bin/python")
    )
)
struct PositionTests {
    private static let python = MusterProcess.checkout.appending(path: ".build/browser-tools/bin/python").path
    private static let script = MusterProcess.checkout.appending(path: "Tests/StandIns/addresses.py").path

    /// Writes a database with two networks at a point.
    private static func write(_ latitude: Double, _ longitude: Double, radius: Int = 5, to file: String) throws {
        let made = try Tool.run(
            Self.python,
            [Self.script, file, "\(latitude)", "\(longitude)", "\(radius)", "81.2.69.160/27", "2a02:d100::/29"]
        )
        #expect(made.status == 0, "\(made.output)")
    }

    /// The answer to `position.guess` for a client behind a proxy that sends this header.
    private static func guess(_ fixture: ServerFixture, _ account: Account, forwarded: String?) throws -> Frame? {
        let headers = forwarded.map { [(name: "X-Forwarded-For", value: $0)] } ?? []
        let client = try fixture.connect(account, headers: headers)
        try client.hello(device: "phone", kind: "phone", resume: nil)
        try client.send("position.guess", ["id": "guess"])
        let answer = try client.answer(tagged: "guess")
        if answer.type == "error" {
            #expect(answer["code"].string == "not_found")
            return nil
        }
        return answer
    }

    @Test("are rough, by the chain of our own proxies, kept nowhere, and read anew at SIGHUP")
    func guesses() async throws {
        let file = "/tmp/muster-geoip-test-\(UUID().uuidString).mmdb"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Self.write(12.3456, 98.7654, to: file)
        let proxies = ["--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.2"]
        try await ServerFixture.open(["--geoip", file] + proxies) { fixture in
            let account = try fixture.signUp("Ada")
            for forwarded in [
                "81.2.69.165", "203.0.113.1, 81.2.69.165", "81.2.69.165, 10.0.0.2", "::ffff:81.2.69.165",
                "2a02:d100::7",
            ] {
                let answer = try #require(try Self.guess(fixture, account, forwarded: forwarded), "\(forwarded)")
                #expect(answer["lat"].double == 12.3)
                #expect(answer["lon"].double == 98.8)
                #expect(answer["accuracy"].double == 25_000)
                #expect(answer["source"].string == "ip")
            }
            // A forged address, an address without a location, and a proxy without a valid header.
            for forwarded in ["81.2.69.165, 203.0.113.1", "203.0.113.1", "81.2.69.165, nonsense", nil] {
                #expect(try Self.guess(fixture, account, forwarded: forwarded) == nil)
            }
            try self.leavesNothing(fixture)
            // A damaged file that overwrites the open one has no effect.
            let whole = try Data(contentsOf: URL(filePath: file))
            for damaged in [whole.prefix(whole.count / 2), Data(repeating: 0xff, count: 4_000) + whole.suffix(200)] {
                let warnings = fixture.server.log.components(separatedBy: "cannot be used").count
                try damaged.write(to: URL(filePath: file))
                kill(fixture.server.processIdentifier, SIGHUP)
                #expect(eventually { fixture.server.log.components(separatedBy: "cannot be used").count > warnings })
                #expect(try Self.guess(fixture, account, forwarded: "81.2.69.165")?["lat"].double == 12.3)
            }
            try Self.write(-33.8, 151.2, radius: 100, to: file)
            let opened = fixture.server.log.components(separatedBy: "--geoip is open").count
            kill(fixture.server.processIdentifier, SIGHUP)
            #expect(eventually { fixture.server.log.components(separatedBy: "--geoip is open").count > opened })
            #expect(try Self.guess(fixture, account, forwarded: "81.2.69.165")?["lat"].double == -33.8)
            #expect(try Self.guess(fixture, account, forwarded: "2a02:d100::7")?["accuracy"].double == 100_000)
        }
    }

    /// Checks that no table and no log line contains the guessed position or the address.
    private func leavesNothing(_ fixture: ServerFixture) throws {
        let tables = try fixture.query(
            "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'muster'"
        )
        for row in tables {
            let name = try row.text("name")
            let rows = try fixture.count(of: "\(name) t WHERE t::text ~ '81\\.2\\.69|(?<![0-9:.])12\\.3|2a02:d100'")
            #expect(rows == 0, "\(name)")
        }
        for text in ["81.2.69", "2a02:d100", "12.3", "98.8"] { #expect(!fixture.server.log.contains(text), "\(text)") }
    }

    @Test("are unknown without a file, and whoever comes by no proxy of ours is where the connection is from")
    func unknown() async throws {
        let file = "/tmp/muster-geoip-test-\(UUID().uuidString).mmdb"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Self.write(12.3456, 98.7654, to: file)
        try await ServerFixture.open(["--geoip", file]) { fixture in
            let account = try fixture.signUp("Ada")
            #expect(try Self.guess(fixture, account, forwarded: "81.2.69.165") == nil)
        }
        try await ServerFixture.open { fixture in
            let account = try fixture.signUp("Ada")
            #expect(try Self.guess(fixture, account, forwarded: nil) == nil)
        }
    }
}
