import EventLoop
import Foundation
import MusterCore
import MusterServer
import MusterWire
import Scenario

/// The source of a replay's lines.
enum ReplaySource: Sendable {
    /// A file, or standard input for `-`.
    case file(String)
    /// The history of a group in a database.
    case history(HistoryTrace, ServerConfiguration.Database)
    /// Generated lines.
    case generated(ScenarioGenerator)

    /// Replays all lines, and passes the trace's ground truth to `note`.
    func replay(
        tick: Int64,
        explaining explained: String? = nil,
        to output: any ReplayOutput,
        noting note: (TraceTruth) -> Void = { _ in }
    ) throws {
        var replay = Replay(tick: tick, explaining: explained, from: self.begin, output: output)
        switch self {
        case .file(let path): try Self.replay(try TraceFile(path: path), by: &replay, to: output, noting: note)
        case .history(let history, let database):
            try Self.replay(history, in: database, by: &replay, to: output)
        case .generated(let generator): try Self.replay(generator, by: &replay, to: output, noting: note)
        }
        replay.finish()
        if let failure = output.failure { throw failure }
        if let explained, replay.cast.user(named: explained) == nil {
            throw ReplayError(.nothingFound, message: "the trace has no user '\(explained)' (--explain)")
        }
        if replay.summary.fixes == 0 { Self.remark("the trace contains no fix") }
        if replay.summary.refused > 0 {
            Self.remark(
                "\(replay.summary.refused) fixes were older than the retention period or more than a day ahead, and were skipped"
            )
        }
    }

    /// The beginning of the output; nil for the whole trace.
    private var begin: Timestamp? {
        switch self {
        case .file, .generated: nil
        case .history(let history, _): history.since
        }
    }

    /// The maximum number of malformed lines that are reported individually.
    private static let reportedLines = 20

    private static func remark(_ text: String) {
        FileHandle.standardError.write(Data("replay: \(text)\n".utf8))
    }

    private static func replay(
        _ file: TraceFile,
        by replay: inout Replay,
        to output: any ReplayOutput,
        noting note: (TraceTruth) -> Void
    ) throws(ReplayError) {
        let decoder = TraceDecoder()
        var malformed = 0
        defer {
            if malformed > Self.reportedLines {
                Self.remark("\(file.name): \(malformed) lines are malformed and were skipped")
            }
        }
        var progress = ReplayProgress()
        defer { progress.end() }
        while let next = try file.nextLine() {
            do throws(FrameError) {
                guard case .text(let bytes) = next else {
                    throw FrameError(.badRequest, message: "A line must have at most \(TraceFile.lineLimit) bytes.")
                }
                guard !bytes.isEmpty else { continue }
                let line = try decoder.decode(bytes)
                if case .truth(let truth) = line { note(truth) }
                try replay.apply(line)
            } catch {
                malformed += 1
                guard malformed <= Self.reportedLines else { continue }
                Self.remark("\(file.name): line \(file.lineNumber): \(error.message) The line is skipped.")
            }
            if let failure = output.failure { throw failure }
            progress.step(fixes: replay.summary.fixes) { file.size.map { (file.position, $0) } }
        }
    }

    private static func replay(
        _ history: HistoryTrace,
        in database: ServerConfiguration.Database,
        by replay: inout Replay,
        to output: any ReplayOutput
    ) throws {
        try database.requireCluster("no server has used it, so it has no history to replay")
        var progress = ReplayProgress()
        defer { progress.end() }
        try database.withConnection { connectionString in
            try history.read(from: connectionString, places: { replay.expect($0) }) { line in
                try replay.apply(line)
                if let failure = output.failure { throw failure }
                progress.step(fixes: replay.summary.fixes) { nil }
            }
        }
    }

    private static func replay(
        _ made: ScenarioGenerator,
        by replay: inout Replay,
        to output: any ReplayOutput,
        noting note: (TraceTruth) -> Void
    ) throws(ReplayError) {
        var generator = made
        var progress = ReplayProgress()
        defer { progress.end() }
        var days: Int64 = 0
        while let day = generator.nextDay() {
            for line in day {
                if case .truth(let truth) = line { note(truth) }
                do throws(FrameError) { try replay.apply(line) } catch {
                    preconditionFailure("a generated line is refused: \(error)")
                }
                progress.step(fixes: replay.summary.fixes) { (days, Int64(generator.days)) }
            }
            days += 1
        }
    }
}
