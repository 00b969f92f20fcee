import Foundation
import MusterCommands
import MusterCore

/// Homes and cafés for simulated people, from a file, so that nobody lives in the sea.
///
/// The file is JSON: `{"homes": [[48.2, 16.37], …], "cafes": [[48.21, 16.36], …]}`, in degrees.
struct SimulationSpots: Sendable {
    /// The positions of homes, at least one.
    let homes: [Coordinate]
    /// The positions of meeting places, at least one.
    let cafes: [Coordinate]

    private struct Content: Decodable {
        let homes: [[Double]]
        let cafes: [[Double]]
    }

    /// Reads the file of an option.
    ///
    /// - Throws: when the file is not readable, or contains a position that does not exist.
    init(file: String, option: String) throws(UsageError) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw UsageError("--\(option): cannot read '\(file)'")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw UsageError("--\(option): '\(file)' must be JSON with homes and cafes, lists of [latitude, longitude]")
        }
        func positions(_ name: String, _ list: [[Double]]) throws(UsageError) -> [Coordinate] {
            let found = list.compactMap { $0.count == 2 ? Coordinate(validating: $0[0], $0[1]) : nil }
            guard found.count == list.count, !found.isEmpty else {
                throw UsageError(
                    "--\(option): \(name) of '\(file)' must be positions, [latitude, longitude] in degrees"
                )
            }
            return found
        }
        self.homes = try positions("homes", content.homes)
        self.cafes = try positions("cafes", content.cafes)
    }
}
