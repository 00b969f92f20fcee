import Foundation

/// Tells how far a benchmark is: on a terminal in one line that is rewritten, elsewhere not at all.
///
/// Steps that a log should keep go to standard error everywhere.
struct BenchProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Shows what is going on now.
    func show(_ text: String) {
        guard self.isTerminal else { return }
        self.write("\r\u{1B}[K\(text)")
    }

    /// Shows how much of something is done.
    func show(_ what: String, _ done: Int, of total: Int) { self.show("\(what): \(done) of \(total)") }

    /// Writes a line that stays.
    func step(_ text: String) { self.write("\(self.isTerminal ? "\r\u{1B}[K" : "")bench: \(text)\n") }

    /// Wipes the line that was shown last.
    func clear() {
        guard self.isTerminal else { return }
        self.write("\r\u{1B}[K")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
