package import EventLoop
import Synchronization

/// A filter that admits a log line once a minute, and counts its repetitions meanwhile.
///
/// For lines that clients can cause at any rate. Lines that differ only in numbers count as the same kind. Kinds beyond
/// the limit share one entry, so neither the log nor the memory can be filled.
struct RepeatFilter {
    private struct Seen {
        var until: Int64
        var dropped = 0
    }

    /// Milliseconds between two admitted lines of one kind.
    static let interval: Int64 = 60_000
    /// The maximum number of distinct kinds.
    static let maximumKinds = 64

    private var seen: [String: Seen] = [:]

    /// Decides about a line at `now` (milliseconds).
    ///
    /// - Returns: the number of lines of its kind dropped since the last admitted one; nil to drop this one.
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

    /// Returns the line with all words that contain digits replaced, such as addresses and lengths.
    private static func kind(of line: String) -> String {
        line.split(separator: " ").map { $0.utf8.contains { $0 >= 0x30 && $0 <= 0x39 } ? "#" : $0 }
            .joined(separator: " ")
    }
}

/// A thread-safe `RepeatFilter`.
package final class RepeatGate: Sendable {
    private let filter = Mutex(RepeatFilter())
    private let clock: MonotonicClock

    /// Creates an empty gate.
    package init(clock: MonotonicClock) { self.clock = clock }

    /// Returns whether a line may be logged now.
    package func admits(_ line: String) -> Bool {
        let now = self.clock.milliseconds
        return self.filter.withLock { $0.admit(line, now: now) } != nil
    }
}
