import Foundation
import Glibc
import MusterCommands
import MusterCore

/// Another cluster index, run as a program on the same points, such as `scripts/supercluster.mjs`.
struct ClusterPeer {
    /// The processor time until a tile can be read, in milliseconds.
    let load: Double
    /// The processor time of a rebuild, as after a change, in milliseconds.
    let rebuild: Double
    /// All figures in the program's output.
    let figures: [String: Double]

    /// Runs a shell command to its end; blocks.
    ///
    /// Its standard input contains two little-endian doubles for each point: longitude and latitude in degrees. It
    /// prints one JSON object of numbers, which must include `load_ms` and `rebuild_ms`.
    ///
    /// - Throws: ``BenchError`` when the command fails, prints anything else, or the user interrupts it.
    init(command: String, points: [MercatorPoint], _ context: BenchContext) throws(BenchError) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-peer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let (input, output) = (folder.appending(path: "points"), folder.appending(path: "figures"))
            try Self.bytes(of: points).write(to: input)
            try Data().write(to: output)
            try Self.run(
                command,
                input: try FileHandle(forReadingFrom: input),
                output: try FileHandle(forWritingTo: output),
                context
            )
            self.figures = try Self.read(try Data(contentsOf: output))
            self.load = try Self.figure("load_ms", of: self.figures)
            self.rebuild = try Self.figure("rebuild_ms", of: self.figures)
        } catch let error as BenchError {
            throw error
        } catch {
            throw BenchError("the baseline of --beside cannot be started: \(error)")
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

    private static func run(
        _ command: String,
        input: FileHandle,
        output: FileHandle,
        _ context: BenchContext
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // `exec` replaces the shell, so that signals reach the other index.
        process.arguments = ["-c", "exec " + command]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        while process.isRunning {
            usleep(50_000)
            guard context.stop.isRaised else { continue }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            throw BenchError.stopped
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw BenchError("the baseline of --beside failed with status \(process.terminationStatus): \(command)")
        }
    }

    private static func read(_ output: Data) throws(BenchError) -> [String: Double] {
        guard let figures = try? JSONDecoder().decode([String: Double].self, from: output) else {
            throw BenchError("the baseline of --beside must print one JSON object of numbers")
        }
        return figures
    }

    private static func figure(_ key: String, of figures: [String: Double]) throws(BenchError) -> Double {
        guard let figure = figures[key], figure > 0 else {
            throw BenchError("the baseline of --beside did not print \(key)")
        }
        return figure
    }
}
