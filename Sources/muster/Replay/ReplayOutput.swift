import Foundation
import MusterCore
import MusterWire

/// What a replay gives its decisions to.
protocol ReplayOutput: AnyObject {
    /// A gathering began, changed or ended.
    func gathering(_ record: GatheringRecord, names: IdentityNames)
    /// Somebody is told.
    func alert(_ alert: NumberedNotification, names: IdentityNames)
    /// Why nothing can be given any more; nil while all is well.
    var failure: ReplayError? { get }
    /// Why something was decided about the person who is to be explained.
    func explanation(_ explanation: Explanation, names: IdentityNames)
}

extension ReplayOutput {
    var failure: ReplayError? { nil }
    func explanation(_ explanation: Explanation, names: IdentityNames) {}
}

/// Writes decisions as JSON lines: the frames of PROTOCOL 5, a gathering with when it was decided, an alert with its `user`.
final class ReplayLines: ReplayOutput {
    private let descriptor: Int32
    /// Whether a line begins where the progress stands, on the same terminal.
    private let isBesideProgress: Bool
    /// Why nothing can be written any more; nil while all is well.
    private(set) var failure: ReplayError?

    /// Writes to a descriptor, which stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        self.isBesideProgress = ReplayProgress.isShown && isatty(descriptor) == 1
    }

    func gathering(_ record: GatheringRecord, names: IdentityNames) {
        self.write(record.status.frame(of: record.group) + ["at": record.instant], names)
    }

    func alert(_ alert: NumberedNotification, names: IdentityNames) {
        self.write(alert.frame(isLate: false) + ["user": alert.user], names)
    }

    func explanation(_ explanation: Explanation, names: IdentityNames) { self.write(explanation.line, names) }

    private func write(_ frame: Frame<FieldList>, _ names: IdentityNames) {
        var line = self.isBesideProgress ? Array(ReplayProgress.erasure.utf8) : []
        line += WireEncoder.encode(frame, names: names) + [UInt8(ascii: "\n")]
        guard self.failure == nil else { return }
        do throws(ReplayError) { try line.write(to: self.descriptor) } catch { self.failure = error }
    }
}

@available(*, unavailable)
extension ReplayLines: Sendable {}
