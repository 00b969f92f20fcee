import Foundation
import MusterTestSupport
import MusterWire
import Postgres
import Testing

@Suite("The private PostgreSQL", .blocking)
struct EmbeddedDatabaseTests {
    @Test("when it is killed the server starts it again; acks go on, and nothing is lost or doubled")
    func killed() throws {
        let folder = "/tmp/muster-test-\(UUID().uuidString.prefix(8))"
        let cluster = "\(folder)/postgres"
        let watcher = try FolderWatcher(cluster: cluster, scratch: folder)
        defer { withExtendedLifetime(watcher) {} }
        let server = try MusterProcess.serve([
            "--listen", "127.0.0.1:0", "--data-dir", folder, "--tick", "250", "--fix-rate", "1000",
        ])
        let transcript = Transcript()
        let account = try ServerFixture.signUp("Ada", port: server.port, transcript: transcript)
        let ada = try TestClient(account, port: server.port, transcript: transcript)
        _ = try ada.hello()
        for step in 1...20 { try ada.sendFix(48 + Double(step) / 10_000, 16.37) }
        try ada.waitForAck(of: 20)

        let first = try #require(Self.postmaster(of: cluster))
        #expect(kill(first, SIGKILL) == 0)
        // Some of these may still be committed by a process that has not noticed the loss yet.
        for step in 21...30 { try ada.sendFix(48 + Double(step) / 10_000, 16.37) }
        #expect(eventually(within: 60_000) { server.log.contains("the private PostgreSQL is running again") })
        for step in 31...40 { try ada.sendFix(48 + Double(step) / 10_000, 16.37) }
        try ada.waitForAck(of: 40, within: 60_000)
        #expect(Self.postmaster(of: cluster) != first)
        #expect(server.logLines.contains { $0.contains("ended unexpectedly") && $0.contains(#""level":"error""#) })

        let session = PostgresSession(
            connectionString: "host=\(cluster)/socket port=5432 user=muster dbname=muster"
        )
        try session.connectWithRetries()
        let row = try session.execute("SELECT count(*) AS rows, count(DISTINCT seq) AS numbers FROM muster.fix")
            .onlyRow()
        #expect(try row?.int64("rows") == 40)
        #expect(try row?.int64("numbers") == 40)
        session.close()
        let isReady = try eventually(within: 20_000) {
            try HTTPReply.request("GET", "/readyz", port: server.port, transcript: nil).status == 200
        }
        #expect(isReady)
        #expect(server.terminate() == 0)
        #expect(Self.postmaster(of: cluster) == nil, "it was started again while the server stopped")
    }

    /// The postmaster of the cluster, read from its pid file.
    private static func postmaster(of cluster: String) -> Int32? {
        let file = try? String(contentsOfFile: "\(cluster)/data/postmaster.pid", encoding: .utf8)
        return file?.split(separator: "\n").first.flatMap { Int32($0) }
    }
}
