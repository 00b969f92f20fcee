import EventLoop
import Foundation
import MusterCommands

/// `muster imaging`: starts the separate program that decodes pictures.
enum ImagingCommand: Command {
    static let name = "imaging"
    static let summary = "Decode pictures for a server, which starts this command itself."
    static let usage = ""
    static let discussion = """
        Runs muster-imaging, which is in the folder of this program and is the only one that loads an image library. It
        serves the socket that is its standard input. It has 1 GiB of memory, opens no file and no connection, and is
        killed if a picture takes longer than 10 s. Do not start it by hand.
        """
    static let options: [Option] = []

    /// The path of `muster-imaging`; nil when it is not beside this program.
    static var program: String? {
        let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "muster-imaging").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    static func run(_ values: OptionValues) async throws -> Int32 {
        guard values.operands.isEmpty else { throw UsageError("unexpected argument '\(values.operands[0])'") }
        if let program = self.program { withArgumentVector([program]) { _ = execv(program, $0) } }
        FileHandle.standardError.write(
            Data("muster imaging: muster-imaging must be in the folder of this program\n".utf8)
        )
        return 1
    }
}
