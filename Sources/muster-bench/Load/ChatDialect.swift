import EventLoop
import MusterCore

/// The frames of Muster's rooms: `chat.send` out, `chat` and the answers in.
///
/// Every message must reach each other member once, in order.
final class ChatDialect: FanoutDialect {
    let acknowledgements = Acknowledgements.each
    private let groups: [GroupID]
    private let clock = MonotonicClock.system
    /// The number of the run's first message; earlier numbers belong to previous runs.
    private var base = 0
    private var total = 0
    private let sessions: Int

    /// Reads the rooms of a population.
    init(_ population: BenchPopulation) {
        self.groups = population.groups
        self.sessions = population.people.count
    }

    func begin(total: Int) {
        self.base += self.total
        self.total = total
    }

    func write(_ fix: LoadFix, into text: inout FrameText) {
        text.clear()
        text.append(#"{"type":"chat.send","id":"#)
        text.append(fix.sequence)
        text.append(#","room":""#)
        text.append(self.groups[fix.group].rawValue)
        text.append(#"","key":"b"#)
        text.append(Int64(self.base + fix.number))
        text.append(#"","text":"On my way, ten minutes"}"#)
    }

    func read(_ frame: UnsafeRawBufferPointer, by session: Int, into stats: inout DeliveryStats) {
        let now = self.clock.nanoseconds
        if ByteScanner.begins(frame, with: #"{"type":"chat","#) {
            let marker: StaticString = #""key":"b"#
            let sought = UnsafeRawBufferPointer(start: marker.utf8Start, count: marker.utf8CodeUnitCount)
            var rest = frame
            while let found = ByteScanner.number(after: sought, in: rest) {
                let number = Int(found.value) - self.base
                // Messages of an earlier run do not count, nor does the sender's own copy.
                if number >= 0, number % self.sessions != session { stats.delivered(number, to: session, now: now) }
                rest = UnsafeRawBufferPointer(rebasing: rest[found.end...])
            }
        } else if ByteScanner.begins(frame, with: #"{"type":"ok","#) {
            guard let sequence = UpdateScanner.number(after: #""id":"#, in: frame) else { return }
            stats.acknowledged(upTo: sequence, of: session, now: now)
        } else if ByteScanner.begins(frame, with: #"{"type":"error""#) {
            stats.tally.errors += 1
            stats.tally.lastError = String(decoding: frame, as: UTF8.self)
        } else if ByteScanner.begins(frame, with: #"{"type":"chat_gap""#) {
            stats.tally.misreadFrames += 1
        }
    }
}

@available(*, unavailable)
extension ChatDialect: Sendable {}
