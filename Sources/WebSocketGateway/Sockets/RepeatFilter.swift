package import EventLoop
import Synchronization

/// Lets a line through once a minute, and counts how often it came meanwhile.
///
/// For lines that strangers can cause as often as they like. Lines that differ in numbers alone are the same one, and
/// those of more kinds than are remembered share one place, so neither the log nor the memory can be filled.
struct RepeatFilter {
    private struct Seen {
        var until: Int64
        var dropped = 0
    }

    /// Milliseconds for which a line is not let through again.
    static let interval: Int64 = 60_000
    /// Kinds of lines that are told apart.
    static let maximumKinds = 64

    private var seen: [String: Seen] = [:]

    /// Decides about a line that comes at `now` (milliseconds).
    ///
    /// - Returns: how many lines of its kind were dropped since the last that was let through; nil to drop this one.
    mutating func admit(_ line: String, now: Int64) -> Int? {
        var kind = Self.kind(of: line)
        if self.seen[kind] == nil, self.seen.count >= Self.maximumKinds {
            self.seen = self.seen.filter { $0.value.until > now || $0.value.dropped > 0 }
            if self.seen.count >= Self.maximumKinds { kind = "" }
        }
        if let entry = self.seen[kind], now < entry.until {
            self.seen[kind]?.dropped += 1
            return nil
        }
        let dropped = self.seen[kind]?.dropped ?? 0
        self.seen[kind] = Seen(until: now + Self.interval)
        return dropped
    }

    /// The line without its words that hold digits, such as addresses and lengths.
    private static func kind(of line: String) -> String {
        line.split(separator: " ").map { $0.utf8.contains { $0 >= 0x30 && $0 <= 0x39 } ? "#" : $0 }
            .joined(separator: " ")
    }
}

/// A `RepeatFilter` that threads share.
package final class RepeatGate: Sendable {
    private let filter = Mutex(RepeatFilter())
    private let clock: MonotonicClock

    /// Creates a gate that has let nothing through.
    package init(clock: MonotonicClock) { self.clock = clock }

    /// Whether a line may be logged now.
    package func admits(_ line: String) -> Bool {
        let now = self.clock.milliseconds
        return self.filter.withLock { $0.admit(line, now: now) } != nil
    }
}
