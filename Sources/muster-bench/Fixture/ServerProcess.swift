import EventLoop
import Foundation
import MusterCommands
import MusterServer

/// `muster serve` as a child process, so that its time and memory can be measured separately.
final class ServerProcess: Sendable {
    /// The process id.
    let processID: Int32
    /// The address of its listener.
    let endpoint: Endpoint
    private let process: Process

    /// Starts this program as a server with `options`, waits until it listens, and writes its log to `log`.
    static func start(options: [String], log: String) async throws -> ServerProcess {
        try await BlockingWork.run(named: "start") { () throws(BenchError) in
            ProcessorPlan.unbindThread()
            return try ServerProcess(options: options, log: log)
        }
    }

    private init(options: [String], log: String) throws(BenchError) {
        let process = Process()
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "muster")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BenchError("\(program.path) does not exist; build it: swift build -c release --product muster")
        }
        process.executableURL = program
        process.arguments = ["serve"] + options
        // General settings for servers must not affect this one.
        process.environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("MUSTER_") && name != "DATABASE_URL"
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        guard FileManager.default.createFile(atPath: log, contents: nil),
            let errors = FileHandle(forWritingAtPath: log)
        else { throw BenchError("cannot write \(log)") }
        process.standardError = errors
        do {
            try process.run()
        } catch {
            throw BenchError("the server cannot be started: \(error)")
        }
        let line = Self.firstLine(of: output.fileHandleForReading)
        let marker = #"{"listening":"http://"#
        guard line.hasPrefix(marker), line.hasSuffix(#""}"#),
            let endpoint = try? Endpoint(String(line.dropFirst(marker.count).dropLast(2)), option: "listen")
        else {
            process.terminate()
            process.waitUntilExit()
            let said = (try? String(contentsOfFile: log, encoding: .utf8))?.suffix(2000) ?? ""
            throw BenchError("the server does not listen: \(line)\n\(said)")
        }
        self.process = process
        self.processID = process.processIdentifier
        self.endpoint = endpoint
    }

    /// Whether the process is running.
    var isRunning: Bool { self.process.isRunning }

    /// Ends the server by SIGTERM, and after 20 s by SIGKILL.
    ///
    /// Blocks.
    func stop() {
        self.process.terminate()
        for _ in 0..<200 where self.process.isRunning { usleep(100_000) }
        if self.process.isRunning { kill(self.processID, SIGKILL) }
        self.process.waitUntilExit()
    }

    private static func firstLine(of handle: FileHandle) -> String {
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = handle.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        return String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
