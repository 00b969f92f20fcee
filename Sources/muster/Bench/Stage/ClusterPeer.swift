import Foundation
import MusterCore

/// Another index of clusters, run as a program over the same points: `scripts/supercluster.mjs` is one.
struct ClusterPeer {
    /// What it says of itself: processor time, and tiles a second by zoom.
    let figures: [String: Double]

    /// Runs a shell command to its end; blocks.
    ///
    /// Its standard input is the points, each two little-endian doubles: longitude and latitude in degrees. It prints one
    /// JSON object of numbers, of which `load_ms` and `rebuild_ms` must be there.
    ///
    /// - Throws: ``BenchError`` when it fails or says something else.
    init(command: String, points: [MercatorPoint]) throws(BenchError) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-peer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "points")
            try Self.bytes(of: points).write(to: file)
            self.figures = try Self.read(try Self.output(of: command, input: try FileHandle(forReadingFrom: file)))
        } catch let error as BenchError {
            throw error
        } catch {
            throw BenchError("the other index cannot be run: \(error)")
        }
    }

    private static func bytes(of points: [MercatorPoint]) -> Data {
        var data = Data(capacity: 16 * points.count)
        for point in points {
            let coordinate = point.coordinate
            for value in [coordinate.longitude, coordinate.latitude] {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    private static func output(of command: String, input: FileHandle) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchError("the other index failed: \(command)")
        }
        return data
    }

    private static func read(_ output: Data) throws -> [String: Double] {
        guard let figures = try? JSONDecoder().decode([String: Double].self, from: output) else {
            throw BenchError("the other index did not print one JSON object of numbers")
        }
        for key in ["load_ms", "rebuild_ms"] where !(figures[key] ?? 0 > 0) {
            throw BenchError("the other index did not say its \(key)")
        }
        return figures
    }
}
