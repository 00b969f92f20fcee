import Foundation

/// Runs a program of the system or of the checkout.
package enum Tool {
    /// Runs it to its end; blocks.
    ///
    /// What it writes goes to a file, so that a program that it leaves behind keeps nobody waiting.
    ///
    /// - Parameters:
    ///   - path: the program.
    ///   - arguments: what follows on its command line.
    ///   - input: what it reads.
    ///   - milliseconds: how long it may take.
    /// - Returns: its exit status, and what it wrote to standard output and error.
    /// - Throws: when it cannot be started or does not end in time; it is killed then.
    @discardableResult
    package static func run(
        _ path: String,
        _ arguments: [String] = [],
        input: String = "",
        within milliseconds: Int64 = 120_000
    ) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (inputFile, outputFile) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try Data(input.utf8).write(to: inputFile)
        try Data().write(to: outputFile)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        try Self.start(process, input: inputFile, output: outputFile)
        let hasEnded = eventually(within: milliseconds) { !process.isRunning }
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
        let text = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
        guard hasEnded else {
            throw ProgramError("\(path) \(arguments.joined(separator: " ")) did not end; it wrote:\n\(text)")
        }
        return (process.terminationStatus, text)
    }

    /// Starts a program between two files, of which this process keeps nothing open: Foundation lets go of no program that
    /// it has started, and the handles would stay with it.
    private static func start(_ process: Process, input: URL, output: URL) throws {
        let input = try FileHandle(forReadingFrom: input)
        defer { try? input.close() }
        let output = try FileHandle(forWritingTo: output)
        defer { try? output.close() }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try ProgramStart.alone { try process.run() }
    }
}
