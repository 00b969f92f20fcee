import Glibc
import Imaging

/// The program that decodes untrusted pictures outside of the server process.
///
/// The server starts it with a socket as its standard input. It answers requests until the server closes the socket, or
/// until a picture makes it crash. `muster-imaging --check` tests whether it can start on this machine.
@main
enum MusterImaging {
    static func main() {
        let isCheck = CommandLine.arguments.dropFirst() == ["--check"]
        var isSocket = stat()
        guard isCheck || fstat(STDIN_FILENO, &isSocket) == 0 && isSocket.st_mode & S_IFMT == S_IFSOCK else {
            self.fail(
                "`muster serve` starts this program; to check that it can, run `muster-imaging --check`",
                status: 2
            )
        }
        do throws(Confinement.Failure) {
            try Confinement.begin()
        } catch {
            self.fail("cannot start: \(error)", status: 1)
        }
        if isCheck { self.say("ok: starts and is confined", on: STDOUT_FILENO) }
        exit(isCheck || ImagingService(descriptor: STDIN_FILENO).run() ? 0 : 1)
    }

    private static func fail(_ why: String, status: Int32) -> Never {
        self.say(why, on: STDERR_FILENO)
        exit(status)
    }

    private static func say(_ what: String, on descriptor: Int32) {
        let line = Array("muster-imaging: \(what)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}
