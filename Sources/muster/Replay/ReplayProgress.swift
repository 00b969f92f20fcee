import EventLoop
import Foundation

/// One line on a terminal's standard error that says how far a replay is; nothing elsewhere.
struct ReplayProgress {
    /// Whether there is a terminal to show it on.
    static let isShown = isatty(STDERR_FILENO) == 1
    /// Takes the line away, and goes back to its beginning.
    static let erasure = "\r\u{1B}[K"

    private static let interval: Int64 = 500
    /// Between two looks at the clock; a fix takes about seven microseconds.
    private static let stride = 8_192

    private let clock = MonotonicClock.system
    private var next: Int64 = 0
    private var rest = 0

    /// Says how far it is, now and then.
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

    /// Takes the line away.
    func end() { if Self.isShown { self.write(Self.erasure) } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
