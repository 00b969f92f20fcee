import EventLoop

/// A plain relay's frames: messages reach the other members verbatim, one or several per frame.
final class RelayDialect: FanoutDialect {
    let acknowledgements = Acknowledgements.none
    private let message: MessageTemplate
    private let marker: [UInt8]
    private let clock = MonotonicClock.system
    /// The number of the run's first message; earlier numbers belong to previous runs.
    private var base = 0
    private var total = 0

    /// Reads the format of messages.
    init(_ protocolOfRelay: RelayProtocol) {
        self.message = protocolOfRelay.message
        self.marker = protocolOfRelay.numberMarker
    }

    func begin(total: Int) {
        self.base += self.total
        self.total = total
    }

    func write(_ fix: LoadFix, into text: inout FrameText) {
        self.message.write(
            LoadFix(
                number: self.base + fix.number,
                session: fix.session,
                sequence: fix.sequence,
                group: fix.group,
                place: fix.place,
                at: fix.at
            ),
            into: &text
        )
    }

    func read(_ frame: UnsafeRawBufferPointer, by session: Int, into stats: inout DeliveryStats) {
        let now = self.clock.nanoseconds
        self.marker.withUnsafeBytes { marker in
            var rest = frame
            while let found = ByteScanner.number(after: marker, in: rest) {
                // Messages of an earlier run do not count.
                if found.value >= self.base { stats.delivered(Int(found.value) - self.base, to: session, now: now) }
                rest = UnsafeRawBufferPointer(rebasing: rest[found.end...])
            }
        }
    }
}

@available(*, unavailable)
extension RelayDialect: Sendable {}
