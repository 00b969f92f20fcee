package import Foundation

/// A server that Muster queries in tests, in a child process that never outlives this one.
///
/// `@unchecked`: it does not change after `init`, except for the process, which only `deinit` ends.
package final class StandIn: @unchecked Sendable {
    /// The base URL, such as `http://127.0.0.1:40123`.
    package let url: String

    private let process = Process()
    private let watcher: ProcessWatcher

    /// Starts a script and waits until its first line reports its address.
    ///
    /// - Parameters:
    /// - script: the file's name.
    /// - arguments: the command line arguments.
    /// - hasPackages: whether it needs the packages that `scripts/setup --test` installs.
    /// - Throws: if it does not listen.
    package convenience init(_ script: String, _ arguments: [String] = [], hasPackages: Bool = false) throws {
        let checkout = MusterProcess.checkout
        try self.init(
            program: hasPackages
                ? checkout.appending(path: ".build/browser-tools/bin/python") : URL(filePath: "/usr/bin/python3"),
            [checkout.appending(path: "Tests/StandIns/\(script)").path] + arguments
        ) { $0.hasPrefix("http") ? $0 : nil }
    }

    /// Starts a program and waits until one of its lines reports its address.
    ///
    /// - Parameters:
    /// - program: the program.
    /// - arguments: the command line arguments.
    /// - address: returns the address in a line; nil if the line has none.
    /// - Throws: if it does not listen.
    package init(program: URL, _ arguments: [String], address: (String) -> String?) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-stand-in-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.watcher = try ProcessWatcher(folder: folder.path)
        let (outputFile, logFile) = (folder.appending(path: "out"), folder.appending(path: "log"))
        for file in [outputFile, logFile] { try Data().write(to: file) }
        self.process.executableURL = program
        self.process.arguments = arguments
        self.process.currentDirectoryURL = MusterProcess.checkout
        self.process.standardInput = FileHandle.nullDevice
        let output = try FileHandle(forWritingTo: outputFile)
        defer { try? output.close() }
        let log = try FileHandle(forWritingTo: logFile)
        defer { try? log.close() }
        self.process.standardOutput = output
        self.process.standardError = log
        let process = self.process
        try ProgramStart.alone { try process.run() }
        try self.watcher.watch(process.processIdentifier)
        func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
        var found: String?
        _ = eventually(within: 60_000) {
            // The last line may be incomplete.
            let lines = text(outputFile).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            for line in lines where found == nil { found = address(String(line)) }
            return found != nil || !process.isRunning
        }
        guard let found else {
            kill(process.processIdentifier, SIGKILL)
            self.watcher.end()
            throw ProgramError("\(program.lastPathComponent) does not listen; it wrote:\n\(text(logFile))")
        }
        self.url = found
    }

    deinit {
        if self.process.isRunning { kill(self.process.processIdentifier, SIGKILL) }
        self.watcher.end()
    }
}
