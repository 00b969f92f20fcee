import Foundation
import MusterTestSupport
import Testing

/// The input of a replay, and its messages to the terminal.
@Suite("The input of replays", .blocking)
struct ReplayInputTests {
    private static let evening =
        [TraceFolder.group("ada", "bob", "cy")]
        + stride(from: 0, to: 600, by: 20).flatMap { second in
            [
                TraceFolder.fix("ada", second, north: 0), TraceFolder.fix("bob", second, north: 5),
                TraceFolder.fix("cy", second, north: 2_000),
            ]
        }

    @Test("a mark of the byte order before the first line is no part of it")
    func byteOrderMark() throws {
        let folder = try TraceFolder()
        let plain = try folder.replay(Self.evening)
        #expect(plain.contains("left_without_you"))
        #expect(try folder.replay(["\u{FEFF}" + Self.evening[0]] + Self.evening.dropFirst()) == plain)
    }

    @Test("lines may end as on Windows")
    func carriageReturns() throws {
        let folder = try TraceFolder()
        let plain = try folder.replay(Self.evening)
        let trace = try folder.write(Self.evening.flatMap { [$0 + "\r", "\r"] })
        let run = try MusterProcess.run(["replay", trace])
        #expect(run.output == plain)
        #expect(run.log.isEmpty, "\(run.log)")
    }

    @Test("a trace without a fix is said to be one", arguments: [[], [""], [TraceFolder.group("ada")]])
    func empty(lines: [String]) throws {
        let folder = try TraceFolder()
        let run = try MusterProcess.run(["replay", try folder.write(lines)])
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.log.contains("no fix"), "\(run.log)")
    }

    @Test("a terminal is told how far it is, on a line that goes away; the output is what it is elsewhere")
    func progress() throws {
        let folder = try TraceFolder()
        let trace = try folder.write(Self.evening)
        let plain = try MusterProcess.run(["replay", trace])
        #expect(plain.log.isEmpty)
        let command = "'\(MusterProcess.executable.path)' replay '\(trace)'"
        // `script` runs a program in a terminal, and returns the terminal output.
        let apart = try Tool.run("/usr/bin/script", ["-qec", "\(command) > '\(trace).out'", "/dev/null"])
        #expect(apart.status == 0)
        #expect(apart.output.contains("replay: 100 % "), "\(apart.output)")
        #expect(apart.output.hasSuffix("\r\u{1B}[K"))
        #expect(try String(contentsOfFile: trace + ".out", encoding: .utf8) == plain.output)
        // On one terminal each line of the output starts where the progress line was.
        let both = try Tool.run("/usr/bin/script", ["-qec", command, "/dev/null"]).output
        let lines = both.replacing("\r\n", with: "\n").split(separator: "\n").compactMap { line in
            line.split(separator: "\u{1B}[K").last.map(String.init)
        }
        #expect(lines.filter { $0.hasPrefix("{") }.map { $0 + "\n" }.joined() == plain.output, "\(both)")
    }
}
