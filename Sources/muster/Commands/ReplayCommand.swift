import Foundation
import MusterServer
import MusterWire

/// `muster replay`: the world alone over a recorded trace, in virtual time.
enum ReplayCommand: Command {
    static let name = "replay"
    static let summary = "Replay a recorded trace and print every gathering and alert."
    static let usage = "TRACE.jsonl [options]"
    static let discussion = """
        The trace is JSON lines, plain or gzip'd; '-' is standard input. Groups come first, then what happened in the
        order in which it arrived:

          {"group":{"id":"g","members":["a","b","c"],"settings":{"radius":100,"dwell":180}}}
          {"user":"a","at":1732060800000,"lat":48.2082,"lon":16.3738,"accuracy":8}
          {"user":"a","at":1732060900000,"sharing":"paused"}

        A fix may have 'device', 'seq', 'trigger' and 'receivedAt', which is otherwise the greatest 'at' so far. The output
        is JSON lines as clients get them, an alert with its 'user', and is the same for the same trace, byte for byte.
        Behind the last line time runs on for three hours, after which nothing that was begun is undecided.
        """
    static let options = [
        Option("tick", .one("MS"), default: "1000", help: "milliseconds between two looks at who is together")
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.count == 1 else {
            throw UsageError(
                values.operands.isEmpty ? "names no trace" : "takes one trace, not \(values.operands.count)"
            )
        }
        let path = values.operands[0]
        let tick = Int64(try values.integer("tick", in: 50...60_000))
        try await BlockingWork.run(named: "replay") { () throws(ReplayError) in
            try self.replay(path, tick: tick)
        }
        return 0
    }

    private static func replay(_ path: String, tick: Int64) throws(ReplayError) {
        let file = try TraceFile(path: path)
        let decoder = TraceDecoder()
        let lines = ReplayLines(descriptor: STDOUT_FILENO)
        var replay = Replay(tick: tick, output: lines)
        var progress = ReplayProgress()
        defer { progress.end() }
        while let line = try file.nextLine() {
            guard !line.isEmpty else { continue }
            do throws(FrameError) {
                try replay.take(try decoder.decode(line))
            } catch {
                throw ReplayError(.badLine, message: "\(file.name): line \(file.lineNumber): \(error.message)")
            }
            if let failure = lines.failure { throw failure }
            progress.step(fixes: replay.summary.fixes, of: file)
        }
        replay.finish()
        if let failure = lines.failure { throw failure }
        progress.end()
        guard replay.summary.refused > 0 else { return }
        let note = "replay: \(replay.summary.refused) fixes were too old to be kept, or more than a day ahead\n"
        FileHandle.standardError.write(Data(note.utf8))
    }
}
