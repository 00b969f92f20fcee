import Foundation

/// Shows the progress of a benchmark: on a terminal in one line that is rewritten, elsewhere not at all.
///
/// Steps that belong in a log are always written to standard error.
struct BenchProgress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// Shows the current activity.
    func show(_ text: String) {
        guard self.isTerminal else { return }
        self.write("\r\u{1B}[K\(text)")
    }

    /// Shows the completed part of an activity.
    func show(_ what: String, _ done: Int, of total: Int) { self.show("\(what): \(done) of \(total)") }

    /// Writes a permanent line.
    func step(_ text: String) { self.write("\(self.isTerminal ? "\r\u{1B}[K" : "")bench: \(text)\n") }

    /// Clears the line of the last activity.
    func clear() {
        guard self.isTerminal else { return }
        self.write("\r\u{1B}[K")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
