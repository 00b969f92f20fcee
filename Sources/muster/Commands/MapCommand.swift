import EventLoop
import Foundation
import MusterCommands
import MusterServer
import Postgres

/// `muster import map`: imports, lists and removes parts of the map of streets.
enum MapCommand {
    static func run(_ values: OptionValues) async throws -> Int32 {
        let folder = MapFolder("\(values.dataFolder)/map")
        let files = values.operands.dropFirst()
        let (isList, removed) = (values.isGiven("list"), values.text("remove"))
        guard files.count + (isList ? 1 : 0) + (removed == nil ? 0 : 1) == 1 else {
            throw UsageError("give one of FILE, --list and --remove NAME: muster import map FILE")
        }
        if isList {
            for part in try folder.parts() { print(self.line(part)) }
            return 0
        }
        if let removed {
            try folder.remove(removed)
            print("removed \(removed)")
            return 0
        }
        let sql = try values.sqlFolder()
        var wanted = MapImport.Settings(folder: folder, sqlDirectory: sql)
        wanted.memory = try values.integer("memory", in: 64...1_000_000)
        wanted.placement = values.isGiven("data-dir") ? .exactly : .elsewhereWhenClosed
        let (path, name, settings) = (files[files.startIndex], values.text("name"), wanted)
        let report = try await BlockingWork.run(named: "import") { () throws in
            let line = MapProgress(path)
            defer { line.end() }
            return try MapImport(path, name: name, settings) { line.show($0) }.run()
        }
        print("\(report.name): wrote \(report.tiles) tiles, \(self.size(report.bytes))")
        if report.isCut {
            let share = report.cutFeatures * 100 / (report.features + report.cutFeatures)
            print(
                "warning: \(share) % of the features are cut at the edge of '\(path)' and are missing on the map; "
                    + "osmium extract makes an extract with complete ways"
            )
        }
        return 0
    }

    private static func line(_ part: MapFolder.Part) -> String {
        let sides = [part.bounds.west, part.bounds.south, part.bounds.east, part.bounds.north]
        let box = sides.map { String(format: "%.5f", $0) }.joined(separator: ",")
        return "\(part.name)  \(part.tiles) tiles  \(self.size(part.bytes))  \(box)"
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\((bytes + 500) / 1000) kB" : "\((bytes + 500_000) / 1_000_000) MB"
    }
}

/// The progress of an import: a line of standard error for each step, and on a terminal one that changes.
private final class MapProgress {
    private let name: String
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ path: String) { self.name = URL(fileURLWithPath: path).lastPathComponent }

    func show(_ progress: MapImport.Progress) {
        switch progress {
        case .reading: self.write("reading", isStep: true)
        case .copying: self.write("copying", isStep: true)
        case .selecting(let features): self.write("\(features) features", isStep: true)
        case .tiles(let zoom, let done, let all):
            self.write("tiles z\(zoom) \(done)/\(all)", isStep: done == all)
        }
    }

    func end() { if self.isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }

    private func write(_ text: String, isStep: Bool) {
        if self.isTerminal {
            FileHandle.standardError.write(Data("\r\u{1B}[K\(self.name): \(text)".utf8))
        } else if isStep {
            FileHandle.standardError.write(Data("\(self.name): \(text)\n".utf8))
        }
    }
}
