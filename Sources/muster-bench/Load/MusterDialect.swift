import EventLoop
import MusterCore
import MusterWire

/// Muster's frames: `location` out, `update` and `ack` in.
///
/// An update carries states: a receiver of a member's state also has everything older of that member.
final class MusterDialect: FanoutDialect {
    /// The real parser also reads one of this many frames.
    private static let sampling = 997

    let acknowledgements = Acknowledgements.each
    private let index: IdentityIndex
    private let clock = MonotonicClock.system
    private var framesToSample = 0

    /// Reads the ids of a population.
    init(_ population: BenchPopulation) {
        self.index = IdentityIndex(population.people.map(\.user.rawValue))
    }

    func begin(total: Int) {}

    func write(_ fix: LoadFix, into text: inout FrameText) {
        text.clear()
        text.append(#"{"type":"location","seq":"#)
        text.append(fix.sequence)
        text.append(#","lat":"#)
        text.append(degrees: fix.place.latitude)
        text.append(#","lon":"#)
        text.append(degrees: fix.place.longitude)
        text.append(#","accuracy":8,"at":"#)
        text.append(fix.at)
        text.append(#","speed":1.4,"course":270,"battery":0.81,"trigger":"move"}"#)
    }

    func read(_ frame: UnsafeRawBufferPointer, by session: Int, into stats: inout DeliveryStats) {
        switch UpdateScanner.kind(of: frame) {
        case .update:
            let now = self.clock.nanoseconds
            UpdateScanner.members(of: frame) { user, at in
                stats.deliver(self.index[user], upTo: at, receiver: session, now: now)
            }
            self.framesToSample -= 1
            if self.framesToSample <= 0 {
                self.framesToSample = Self.sampling
                if !Self.scannerAgrees(on: frame) { stats.tally.misreadFrames += 1 }
            }
        case .ack:
            self.readAcknowledgement(frame, of: session, into: &stats)
        case .error:
            stats.tally.errors += 1
            stats.tally.lastError = String(decoding: frame, as: UTF8.self)
        case .other:
            break
        }
    }

    private func readAcknowledgement(
        _ frame: UnsafeRawBufferPointer,
        of session: Int,
        into stats: inout DeliveryStats
    ) {
        guard let sequence = UpdateScanner.number(after: #""seq":"#, in: frame) else { return }
        stats.acknowledged(upTo: sequence, of: session, now: self.clock.nanoseconds)
        if frame.count > 60, String(decoding: frame, as: UTF8.self).contains(#""reason""#) {
            stats.tally.rejections += 1
            stats.tally.lastError = String(decoding: frame, as: UTF8.self)
        }
    }

    /// Whether the scanner and the real parser agree.
    private static func scannerAgrees(on frame: UnsafeRawBufferPointer) -> Bool {
        guard let document = try? JSONDocument(Array(frame)) else { return false }
        var scanned: [[Int64]] = []
        UpdateScanner.members(of: frame) { scanned.append([$0, $1]) }
        let parsed = document["members"].elements.compactMap { member -> [Int64]? in
            guard let user = member["user"].string.flatMap({ Int64($0) }), let at = member["at"].int else { return nil }
            return [user, at]
        }
        return document["type"].string == "update" && scanned == parsed
    }
}

@available(*, unavailable)
extension MusterDialect: Sendable {}
