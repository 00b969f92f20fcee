import Foundation
import MusterWire

/// Where the lines of a replay come from.
enum ReplaySource: Sendable {
    /// A file, or standard input for `-`.
    case file(String)
    /// Nowhere: they are made.
    case generated(ScenarioGenerator)

    /// Replays all of it, and lets `note` know what the trace says really happened.
    func replay(
        tick: Int64,
        to output: any ReplayOutput,
        noting note: (TraceTruth) -> Void = { _ in }
    ) throws(ReplayError) {
        var replay = Replay(tick: tick, output: output)
        switch self {
        case .file(let path): try Self.replay(try TraceFile(path: path), by: &replay, to: output, noting: note)
        case .generated(let generator): try Self.replay(generator, by: &replay, to: output, noting: note)
        }
        replay.finish()
        if let failure = output.failure { throw failure }
        guard replay.summary.refused > 0 else { return }
        let text = "replay: \(replay.summary.refused) fixes were too old to be kept, or more than a day ahead\n"
        FileHandle.standardError.write(Data(text.utf8))
    }

    private static func replay(
        _ file: TraceFile,
        by replay: inout Replay,
        to output: any ReplayOutput,
        noting note: (TraceTruth) -> Void
    ) throws(ReplayError) {
        let decoder = TraceDecoder()
        var progress = ReplayProgress()
        defer { progress.end() }
        while let bytes = try file.nextLine() {
            guard !bytes.isEmpty else { continue }
            do throws(FrameError) {
                let line = try decoder.decode(bytes)
                if case .truth(let truth) = line { note(truth) }
                try replay.take(line)
            } catch {
                throw ReplayError(.badLine, message: "\(file.name): line \(file.lineNumber): \(error.message)")
            }
            if let failure = output.failure { throw failure }
            progress.step(fixes: replay.summary.fixes) { file.size.map { (file.position, $0) } }
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
                do throws(FrameError) { try replay.take(line) } catch {
                    preconditionFailure("a generated line is refused: \(error)")
                }
                progress.step(fixes: replay.summary.fixes) { (days, Int64(generator.days)) }
            }
            days += 1
        }
    }
}
