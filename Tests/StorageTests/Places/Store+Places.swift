import Foundation
import MusterTestSupport
import Postgres

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

/// A temporary folder for place files, deleted with the object.
final class PlaceFolder: Sendable {
    let path = "/tmp/muster-places-\(UUID().uuidString.prefix(12))"

    init() throws { try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: self.path) }

    /// Writes a file.
    func write(_ name: String, _ text: String) throws -> String {
        let path = "\(self.path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}

/// A line of a GeoNames file.
func geoNamesLine(
    _ number: Int,
    _ name: String,
    others: [String] = [],
    at latitude: Double,
    _ longitude: Double,
    country: String = "DE",
    state: String = "02",
    people: Int = 1000,
    code: String = "PPL"
) -> String {
    let fields = [
        String(number), name, name, others.joined(separator: ","), String(latitude), String(longitude), "P", code,
        country, "",
        state, "", "", "", String(people), "", "", "Europe/Berlin", "2026-01-01",
    ]
    return fields.joined(separator: "\t") + "\n"
}

extension Store {
    /// Imports a file; the tables of countries and states come from Debian's package.
    @discardableResult
    func importPlaces(
        _ path: String,
        in database: String? = nil,
        installed: Bool = false
    ) async throws -> PlaceImport.Report {
        let connectionString = database ?? self.connectionString
        let now = self.now
        return try await onWorkerThread {
            let session = PostgresSession(connectionString: connectionString, timeout: .seconds(600))
            try session.connectWithRetries()
            defer { session.close() }
            var file = try PlaceFile(path: path)
            file.yields = installed
            var work = PlaceImport(file, into: session, folders: [AreaTable.installedFolder])
            return try work.run(at: now)
        }
    }

    /// The labels of the geocoding results for a text.
    func labels(_ text: String, near bias: Coordinate? = nil, completes: Bool = false) async throws -> [String] {
        try await self.directory.search(Geocode(text, near: bias, completes: completes)).results.map(\.place.label)
    }
}

extension Directory {
    /// The answer to a query, also on a machine that is too busy for a search within the time of a client.
    func search(_ query: Geocode) async throws -> GeocodeAnswer {
        try await self.geocode(query, within: 60_000)
    }
}
