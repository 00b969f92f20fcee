import Foundation
import MusterTestSupport
import Testing

@testable import MusterServer

extension ServerFixture {
    /// Runs `body` with a server that has a few places of a town and their time zone.
    static func openWithPlaces(_ options: [String] = [], _ body: (ServerFixture) async throws -> Void) async throws {
        let cluster = try await ThrowawayCluster.shared()
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await cluster.makeDatabase(migratedFrom: migrations)
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-town-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = MusterProcess.checkout.appending(path: "Tests/Fixtures")
        let import_ = try MusterProcess.run(
            [
                "import", "places", fixtures.appending(path: "town.geojson").path,
                fixtures.appending(path: "town.txt").path, "--database-url", database,
            ],
            environment: ["MUSTER_PLACES_DIR": AreaTable.installedFolder],
            within: 120_000
        )
        #expect(import_.status == 0, "\(import_.log)")
        try await ServerFixture.open(options, database: database, body)
    }
}
