import CMusterShims
import EventLoop
import Glibc

/// A program of a PostgreSQL installation.
struct ChildProcess {
    /// The result of a program.
    struct Ending {
        /// The exit status; 128 plus the signal's number when a signal ended the program.
        let status: Int32
        /// Standard output and error combined, at most the last few kilobytes.
        let output: String
    }

    /// The path of the program and its arguments.
    let arguments: [String]
    /// The account to run as; `nil` for our own account.
    let user: SystemUser?
    /// The folder to run in, which the account must be able to enter.
    let folder: String
    /// The file for the program's output.
    let outputFile: String
    /// Variables of its environment, `NAME=value`, before those that all programs get.
    var environment: [String] = []

    /// Runs the program and waits for its end.
    ///
    /// It inherits only the three standard descriptors, no blocked signals and no controlling terminal, so that
    /// processes that it starts may outlive us.
    func run(boundToThread isBound: Bool = false) throws(PostgresError) -> Ending {
        let process = try self.start(boundToThread: isBound)
        var code: Int32 = 0
        while waitpid(process, &code, 0) < 0 && errno == EINTR {}
        let signal = code & 0x7F
        return Ending(
            status: signal == 0 ? (code >> 8) & 0xFF : 128 + signal,
            output: readFile(self.outputFile, limit: 8192).map { String(decoding: $0, as: UTF8.self) } ?? ""
        )
    }

    /// Starts the program.
    ///
    /// The caller waits for its end by `waitpid`.
    ///
    /// - Parameter isBound: whether the system sends SIGINT to the program when the calling thread ends.
    /// - Returns: the process.
    /// - Throws: `cluster`, when the program cannot be started.
    func start(boundToThread isBound: Bool) throws(PostgresError) -> pid_t {
        var privileges = isBound ? ["--pdeathsig=INT"] : []
        if let user = self.user {
            privileges += ["--reuid=\(user.id)", "--regid=\(user.group)", "--init-groups"]
        }
        let prefix = privileges.isEmpty ? [] : ["/usr/bin/setpriv"] + privileges + ["--"]
        let arguments = prefix + self.arguments
        let environment =
            self.environment + [
                "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "HOME=\(self.folder)",
            ]
        var process = pid_t()
        let status = withArgumentVector(arguments) { arguments in
            withArgumentVector(environment) { environment in
                muster_spawn_detached(&process, arguments, environment, self.folder, self.outputFile)
            }
        }
        guard status == 0 else {
            throw PostgresError(
                .cluster,
                message: "cannot run \(self.arguments[0]): \(String(cString: strerror(status)))"
            )
        }
        return process
    }
}
