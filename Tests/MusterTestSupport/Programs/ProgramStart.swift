import Foundation

/// Starts programs one at a time, though many tests run concurrently.
///
/// Foundation lists the open descriptors, and then starts the program with orders to close those. A pipe that another
/// thread opens in between is inherited, and its reader then waits for the program's end. Foundation itself detects a
/// program's end by such a pipe. With a program that lives as long as the tests, both wait forever. Therefore every
/// test starts programs, and creates their pipes, inside `alone`.
enum ProgramStart {
    private static let turn = NSLock()

    /// Runs `body`, which creates pipes and starts a program, under a lock.
    static func alone<Started>(_ body: () throws -> Started) rethrows -> Started {
        try self.turn.withLock(body)
    }

    /// Starts a shell that waits for the end of a pipe whose write end only this process holds.
    ///
    /// The shell detects the end of this process in any case, be it by `exit` or by `kill -9`. Signals do not end the
    /// shell.
    ///
    /// - Parameters:
    /// - script: the shell script, which waits with `read`.
    /// - arguments: its `$0` and following arguments.
    /// - Returns: the pipe, for lines to the shell.
    /// - Throws: if no shell can be started.
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
