package import Foundation

/// The built `muster` in a child process that never outlives this one.
package final class MusterProcess {
    /// The root of the checkout, which is the program's working directory.
    package static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The program, in the folder of the test bundle.
    package static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "muster")

    private let process = Process()
    private let folder: URL
    private let watcher: ProcessWatcher
    private var listeningURL: URL?

    /// Starts the program.
    ///
    /// Its environment is `environment`, `PATH`, `HOME`, and the path of its secret key.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        self.folder = URL(fileURLWithPath: "/tmp/muster-process-\(UUID().uuidString.prefix(12))")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        self.watcher = try ProcessWatcher(folder: self.folder.path)
        for name in ["out", "log"] {
            try Data().write(to: self.folder.appending(path: name))
        }
        self.process.executableURL = Self.executable
        self.process.arguments = arguments
        self.process.currentDirectoryURL = Self.checkout
        self.process.environment = ["PATH", "HOME"].reduce(into: environment) { all, name in
            all[name] = all[name] ?? ProcessInfo.processInfo.environment[name]
        }
        let key = self.folder.appending(path: "secret.key").path
        self.process.environment?["MUSTER_SECRET_KEY_FILE"] = environment["MUSTER_SECRET_KEY_FILE"] ?? key
        // Importing thousands of cities at each start would slow down the tests. Tests of the import set the folder.
        self.process.environment?["MUSTER_PLACES_DIR"] = environment["MUSTER_PLACES_DIR"] ?? "none"
        self.process.environment?["MUSTER_PASSWORD_COST"] = environment["MUSTER_PASSWORD_COST"] ?? "minimal"
        self.process.standardInput = FileHandle.nullDevice
        let output = try FileHandle(forWritingTo: self.folder.appending(path: "out"))
        defer { try? output.close() }
        let log = try FileHandle(forWritingTo: self.folder.appending(path: "log"))
        defer { try? log.close() }
        self.process.standardOutput = output
        self.process.standardError = log
        try ProgramStart.alone { try self.process.run() }
        try self.watcher.watch(self.process.processIdentifier)
    }

    deinit {
        if self.process.isRunning { self.kill() }
        self.watcher.end()
    }

    /// Starts `muster serve` on a database with a short tick, and waits until it reports its address.
    ///
    /// Port 0 selects a free port.
    package static func serve(
        database: String,
        options: [String] = [],
        port: UInt16 = 0,
        environment: [String: String] = [:]
    ) throws -> MusterProcess {
        try self.serve(
            ["--listen", "127.0.0.1:\(port)", "--database-url", database, "--tick", "250"] + options,
            environment: environment
        )
    }

    /// Starts `muster serve` and waits until it reports its address.
    package static func serve(
        _ options: [String],
        environment: [String: String] = [:]
    ) throws -> MusterProcess {
        let server = try MusterProcess(["serve"] + options, environment: environment)
        try server.waitUntilListening()
        return server
    }

    /// Runs the program to its end.
    package static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        within milliseconds: Int64 = 120_000
    ) throws -> (status: Int32, output: String, log: String) {
        let process = try MusterProcess(arguments, environment: environment)
        guard let status = process.waitForEnd(within: milliseconds) else {
            throw ProgramError("muster \(arguments.joined(separator: " ")) did not end; its log:\n\(process.log)")
        }
        return (status, process.output, process.log)
    }

    /// The standard output so far.
    package var output: String { self.text(of: "out") }

    /// The standard error output so far.
    package var log: String { self.text(of: "log") }

    /// The log lines so far.
    package var logLines: [Substring] { self.log.split(separator: "\n") }

    /// The process id.
    package var processIdentifier: Int32 { self.process.processIdentifier }

    /// Whether it is running.
    package var isRunning: Bool { self.process.isRunning }

    /// The port that it listens on; 0 until then.
    package var port: UInt16 { UInt16(self.listeningURL?.port ?? 0) }

    /// The address that it announced.
    package var url: String { self.listeningURL?.absoluteString ?? "" }

    /// Sends SIGTERM without waiting.
    package func beginTerminating() { Foundation.kill(self.process.processIdentifier, SIGTERM) }

    /// Sends SIGTERM and waits for the end.
    ///
    /// - Returns: the exit status; nil if it does not end in time.
    package func terminate(within milliseconds: Int64 = 60_000) -> Int32? {
        if self.process.isRunning { self.beginTerminating() }
        return self.waitForEnd(within: milliseconds)
    }

    /// Sends SIGKILL and waits for the end.
    package func kill() {
        Foundation.kill(self.process.processIdentifier, SIGKILL)
        _ = self.waitForEnd(within: 10_000)
    }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, 128 and more for a signal; nil if it does not end in time.
    package func waitForEnd(within milliseconds: Int64) -> Int32? {
        guard eventually(within: milliseconds, { !self.process.isRunning }) else { return nil }
        let status = self.process.terminationStatus
        return self.process.terminationReason == .exit ? status : 128 + status
    }

    private func waitUntilListening() throws {
        struct Announcement: Decodable { let listening: URL }
        // Creating a private PostgreSQL takes half a minute on a busy machine.
        let isListening = eventually(within: 120_000) {
            guard let line = self.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first
            else { return !self.process.isRunning }
            self.listeningURL = (try? JSONDecoder().decode(Announcement.self, from: Data(line.utf8)))?.listening
            return self.listeningURL != nil
        }
        guard isListening, self.listeningURL != nil else {
            throw ProgramError("muster serve does not listen; its log:\n\(self.log)")
        }
    }

    private func text(of name: String) -> String {
        String(
            decoding: FileManager.default.contents(atPath: self.folder.appending(path: name).path) ?? Data(),
            as: UTF8.self
        )
    }
}
