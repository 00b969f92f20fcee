import EventLoop
import Foundation

/// The progress of a replay on one line of standard error, only on a terminal.
struct ReplayProgress {
    /// Whether standard error is a terminal.
    static let isShown = isatty(STDERR_FILENO) == 1
    /// Erases the progress line, and returns to its beginning.
    static let erasure = "\r\u{1B}[K"

    private static let interval: Int64 = 500
    /// The number of fixes between two readings of the clock; a fix takes about seven microseconds.
    private static let stride = 8_192

    private let clock = MonotonicClock.system
    private var next: Int64 = 0
    private var rest = 0

    /// Shows the progress from time to time.
    mutating func step(fixes: Int, of whole: () -> (done: Int64, all: Int64)?) {
        guard Self.isShown else { return }
        self.rest -= 1
        guard self.rest <= 0 else { return }
        self.rest = Self.stride
        guard self.clock.milliseconds >= self.next else { return }
        self.next = self.clock.milliseconds + Self.interval
        let share = whole().map { " \(min(100, 100 * $0.done / max(1, $0.all))) %" } ?? ""
        self.write("\(Self.erasure)replay:\(share) \(fixes) fixes")
    }

    /// Erases the progress line.
    func end() { if Self.isShown { self.write(Self.erasure) } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
