#if DEBUG
import Glibc

/// A fault for tests of debug builds: a loop that never ends its iteration.
///
/// `MUSTER_STALL_LOOP` contains the loop's name, `spin` or `block`, and the path of a file. As soon as the file exists,
/// the loop's next iteration never ends.
struct LoopStall: Sendable {
    /// The fault that the environment asks for.
    static let wanted = LoopStall(getenv("MUSTER_STALL_LOOP").map { String(cString: $0) } ?? "")

    private let name: String
    private let spins: Bool
    private let file: String

    private init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        (self.name, self.spins, self.file) = (words[0], words[1] == "spin", words[2])
    }

    /// Blocks for ever if the loop has the configured name and the file exists.
    func strike(_ name: String) {
        guard name == self.name, access(self.file, F_OK) == 0 else { return }
        while true {
            if !self.spins { sleep(1) }
        }
    }
}
#endif
