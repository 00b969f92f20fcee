import Glibc
import Imaging

/// The program that decodes strangers' pictures, so that the server need not: it is started with a socket as its standard
/// input, serves what comes there, and ends when the server lets go of it, or is ended by a picture.
@main
enum MusterImaging {
    static func main() {
        var isSocket = stat()
        guard fstat(STDIN_FILENO, &isSocket) == 0, isSocket.st_mode & S_IFMT == S_IFSOCK else {
            self.fail("`muster serve` starts this by itself; it is of no use by hand", status: 2)
        }
        guard Confinement.begin() else { self.fail("cannot start", status: 1) }
        exit(ImagingService(descriptor: STDIN_FILENO).run() ? 0 : 1)
    }

    private static func fail(_ why: String, status: Int32) -> Never {
        let line = Array("muster-imaging: \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
