import Foundation
import MusterCore
import MusterServer
import MusterWire

/// A receiver of a replay's decisions.
protocol ReplayOutput: AnyObject {
    /// A gathering began, changed or ended.
    func gathering(_ record: GatheringRecord, names: IdentityNames)
    /// A user was alerted.
    func alert(_ alert: NumberedNotification, names: IdentityNames)
    /// The error of the output; nil if there is none.
    var failure: ReplayError? { get }
    /// A decision about the explained user was explained.
    func explanation(_ explanation: Explanation, names: IdentityNames)
}

extension ReplayOutput {
    var failure: ReplayError? { nil }
    func explanation(_ explanation: Explanation, names: IdentityNames) {}
}

/// Writes decisions as JSON lines.
///
/// The lines are the frames of public/docs/protocol.md#gatherings, for a gathering with the time of the decision, for
/// an alert with its `user`.
final class ReplayLines: ReplayOutput {
    private let descriptor: Int32
    /// Whether the progress line is on the same terminal, so that it must be erased before each line.
    private let isBesideProgress: Bool
    /// The error of the output; nil if there is none.
    private(set) var failure: ReplayError?

    /// Creates an output to a descriptor, which stays open.
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
