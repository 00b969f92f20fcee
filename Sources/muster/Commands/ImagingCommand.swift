import EventLoop
import Foundation
import MusterCommands

/// `muster imaging`: starts the separate program that decodes pictures.
enum ImagingCommand: Command {
    static let name = "imaging"
    static let summary = "Decode pictures for a server, which starts this by itself."
    static let usage = ""
    static let discussion = """
        Runs muster-imaging, which lies beside this program and alone loads an image library. It serves the socket that is
        its standard input, has 1 GiB of memory, opens no file and no connection, and is killed when a picture takes it
        longer than 10 s. Nobody calls it by hand.
        """
    static let options: [Option] = []

    /// The path of `muster-imaging`; nil when it is not beside this program.
    static var program: String? {
        let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "muster-imaging").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.isEmpty else { throw UsageError("takes no operand: '\(values.operands[0])'") }
        if let program = self.program { withArgumentVector([program]) { _ = execv(program, $0) } }
        FileHandle.standardError.write(Data("muster imaging: muster-imaging is not beside this program\n".utf8))
        return 1
    }
}
