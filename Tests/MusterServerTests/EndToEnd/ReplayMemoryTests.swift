import EventLoop
import Foundation
import MusterTestSupport
import Testing

@Suite("The memory of replays", .blocking)
struct ReplayMemoryTests {
    /// Writes a trace of three users who sit together, with this many fixes of each.
    private func write(_ count: Int, to file: URL) throws {
        var text = #"{"group":{"id":"g","members":["ada","bob","cy"]}}"# + "\n"
        for number in 0..<count {
            for (index, user) in ["ada", "bob", "cy"].enumerated() {
                let at = 1_732_060_800_000 + number * 5_000 + index
                let latitude = 48.2082 + Double((number * 7 + index) % 11) / 1_000_000
                text += #"{"user":"\#(user)","at":\#(at),"lat":\#(latitude),"lon":16.3738,"accuracy":8}"# + "\n"
            }
        }
        try Data(text.utf8).write(to: file)
    }

    /// Replays a trace, and returns the peak memory in bytes.
    private func peak(of file: URL) throws -> Int {
        let process = try MusterProcess(["replay", file.path])
        let pause = WakeSignal()
        let deadline = MonotonicClock.system.milliseconds + 300_000
        var peak = 0
        while process.isRunning, MonotonicClock.system.milliseconds < deadline {
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            peak = max(peak, 1024 * (kilobytes ?? 0))
            pause.wait(timeoutMilliseconds: 5)
        }
        #expect(process.waitForEnd(within: 60_000) == 0, "\(process.log)")
        #expect(process.output.contains("together"))
        return peak
    }

    @Test("a trace that is ten times as long takes no more memory")
    func bounded() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-replay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (short, long) = (folder.appending(path: "short.jsonl"), folder.appending(path: "long.jsonl"))
        try self.write(4_000, to: short)
        try self.write(40_000, to: long)
        let (usual, most) = (try self.peak(of: short), try self.peak(of: long))
        // If the trace were kept in memory, the longer one would need its 10 MB more.
        #expect(usual > 0 && most - usual < 3 << 20, "\(usual >> 10) kB, and \(most >> 10) kB")
    }
}
