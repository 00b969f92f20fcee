import EventLoop
import Foundation
import MusterServer

/// Compares the server's allocations with `thresholds.json`: exit 1 if a figure is above its threshold, a warning if it
/// is far below.
///
/// Usage: `Allocations FILE [--update]`; `--update` writes the file again.
@main
struct Allocations {
    static func main() async {
        do {
            exit(try await self.run())
        } catch {
            FileHandle.standardError.write(Data("allocations: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() async throws -> Int32 {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "--update" }) else {
            print("usage: Allocations FILE [--update]")
            return 2
        }
        let file = URL(filePath: path)
        let figures = try await self.measure()
        if arguments.contains("--update") {
            try figures.write(to: file)
            print("wrote \(path)")
        }
        return self.report(figures, against: try Figures(contentsOf: file)) ? 0 : 1
    }

    private static func measure() async throws -> Figures {
        MeasurementProgress.say("a server and people who log in")
        return try await Fixture.with(groups: 31) { fixture in
            let result = await BlockingWork.run(named: "probe") { () throws(Never) in
                Result {
                    var probe = Probe(fixture)
                    var figures = try probe.run()
                    MeasurementProgress.say("the core alone")
                    figures.core["a warm move on a map"] = ClusterIndexProbe.allocationsPerMove()
                    figures.bytes["session with a position: the world's share"] = WorldProbe.bytesPerMember()
                    return figures
                }
            }
            return try result.get()
        }
    }

    /// Prints a table.
    ///
    /// - Returns: whether no figure is above its threshold.
    private static func report(_ figures: Figures, against thresholds: Figures) -> Bool {
        func column(_ value: Double?) -> String { value.map { String(format: "%10.2f", $0) } ?? "         –" }
        var isGood = true
        for pair in figures.paired(with: thresholds) {
            var line = "\(column(pair.measured)) (at most \(column(pair.threshold))) \(pair.unit): \(pair.name)"
            switch pair.verdict {
            case .good: break
            case .generous: line += "\n  warning: far below its threshold; lower it with --update"
            case .bad(let reason):
                line += "\n  error: \(reason)"
                isGood = false
            }
            print(line)
        }
        return isGood
    }
}
