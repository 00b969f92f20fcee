import Foundation

/// Starts programs one after the other, though many tests run at once.
///
/// Foundation lists the open descriptors, and then starts the program with orders to close those. A pipe that another
/// thread opens in between is inherited. Whoever reads from that pipe waits for the program's end, and Foundation itself
/// learns of a program's end by such a pipe: with a program that lives as long as the tests, both wait forever. Every
/// test starts programs by `alone`, and makes the pipes for them there.
enum ProgramStart {
    private static let turn = NSLock()

    /// Runs `body`, which makes pipes and starts a program, while nobody else does.
    static func alone<Started>(_ body: () throws -> Started) rethrows -> Started {
        try self.turn.withLock(body)
    }

    /// Starts a shell that waits for the end of a pipe whose other end only this process holds.
    ///
    /// However this process ends, be it by `exit` or by `kill -9`, the shell learns of it, and signals do not end it.
    ///
    /// - Parameters:
    ///   - script: what it does, with `read` to wait.
    ///   - arguments: its `$0` and so on.
    /// - Returns: the pipe, for lines to the shell.
    /// - Throws: when no shell can be started.
    static func watcher(_ script: String, _ arguments: [String]) throws -> Pipe {
        try self.alone {
            let lifeline = Pipe()
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "trap '' INT TERM HUP\n" + script] + arguments
            shell.standardInput = lifeline
            shell.standardOutput = FileHandle.nullDevice
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            return lifeline
        }
    }
}
