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
    private var line: [UInt8] = []
    /// Why nothing can be written any more; nil while all is well.
    private(set) var failure: ReplayError?

    /// Writes to a descriptor, which stays open.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        self.isBesideProgress = ReplayProgress.isShown && isatty(descriptor) == 1
    }

    func gathering(_ record: GatheringRecord, names: IdentityNames) {
        ServerFrame.gathering(record.status, group: record.group).append(to: &self.line, names: names)
        self.line.removeLast()
        self.line.append(json: #","at":"#)
        self.line.append(time: record.instant)
        self.line.append(json: "}")
        self.write()
    }

    func alert(_ alert: NumberedNotification, names: IdentityNames) {
        ServerFrame.notification(alert, isLate: false).append(to: &self.line, names: names)
        self.line.removeLast()
        self.line.append(json: #","user":"#)
        self.line.append(string: names.users[alert.user] ?? alert.user.description)
        self.line.append(json: "}")
        self.write()
    }

    func explanation(_ explanation: Explanation, names: IdentityNames) {
        explanation.append(to: &self.line, names: names)
        self.write()
    }

    private func write() {
        if self.isBesideProgress { self.line.insert(contentsOf: ReplayProgress.erasure.utf8, at: 0) }
        self.line.append(UInt8(ascii: "\n"))
        defer { self.line.removeAll(keepingCapacity: true) }
        guard self.failure == nil else { return }
        do throws(ReplayError) { try self.line.write(to: self.descriptor) } catch { self.failure = error }
    }
}

@available(*, unavailable)
extension ReplayLines: Sendable {}
