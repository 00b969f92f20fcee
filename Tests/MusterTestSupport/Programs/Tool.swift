import Foundation

/// Runs a program of the system or of the checkout.
package enum Tool {
    /// Runs a program to its end; blocks.
    ///
    /// Its output goes to a file, so that a child that outlives it does not block the caller.
    ///
    /// - Parameters:
    /// - path: the program.
    /// - arguments: the command line arguments.
    /// - input: the standard input.
    /// - milliseconds: the timeout.
    /// - Returns: the exit status, and the text of standard output and error.
    /// - Throws: if it cannot be started or does not end in time; it is killed then.
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

    /// Starts a program with two files as input and output, and closes both in this process.
    ///
    /// Foundation never releases a program that it has started, so the handles would stay open with it.
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
