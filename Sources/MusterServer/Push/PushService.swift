import Cryptography
import EventLoop
import MusterCore
import OutboundHTTP

/// Notifications to people whose app is closed.
///
/// A trigger of the database puts each new notification into the outbox. Any number of servers plan and send what is
/// there; each push is leased by one of them. A push whose answer was lost is sent again, and replaces the first on the
/// device.
final class PushService: Sendable {
    /// The maximum number of requests at once.
    private static let concurrency = 64

    let keys: PushKeys
    let configuration: PushConfiguration
    let statistics = PushStatistics()
    private let sender: PushSender
    private let clock: MonotonicClock
    private let logger: Logger

    /// The key for subscriptions of browsers, in URL-safe base64.
    var publicKey: String { urlSafeText(self.keys.signer.publicBytes) }
    /// The heartbeats of the HTTP clients.
    var heartbeats: [Heartbeat] { self.sender.heartbeats }

    /// Creates the service; nil without the operator's contact, which push services require.
    init?(_ configuration: ServerConfiguration, clock: MonotonicClock, logger: Logger) {
        guard let contact = configuration.providers.contact else { return nil }
        self.keys = PushKeys(configuration.secretKey)
        self.configuration = configuration.push
        self.sender = PushSender(
            keys: self.keys,
            configuration: configuration.push,
            contact: contact,
            userAgent: Providers.userAgent(contact),
            clock: clock
        )
        self.clock = clock
        self.logger = logger
    }

    /// Plans and sends until the task is cancelled.
    func run(_ directory: Directory) async {
        var failures = FailureLog()
        while !Task.isCancelled {
            var isBusy = false
            do {
                let planned = try await directory.planPushes()
                let sent = try await self.sendDue(directory)
                isBusy = planned == Directory.pushesAtATime || sent == Directory.pushesAtATime
                if !isBusy { self.statistics.note(pending: try await directory.pendingPushes()) }
            } catch {
                if Task.isCancelled { return }
                let event = failures.failed(at: self.clock.milliseconds) {
                    LogEvent(.warning, "notifications cannot be pushed", [("error", String(reflecting: error))])
                }
                if let event { self.logger.log(event, component: "push") }
            }
            if !isBusy { try? await Task.sleep(for: .milliseconds(500)) }
        }
    }

    /// Sends the pushes that are due.
    ///
    /// - Returns: the number of pushes that were leased.
    /// - Throws: `unavailable`.
    func sendDue(_ directory: Directory) async throws -> Int {
        let leases = try await directory.leasePushes()
        guard !leases.isEmpty else { return 0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, lease) in leases.enumerated() {
                if index >= Self.concurrency { try await group.next() }
                group.addTask { try await self.process(lease, directory) }
            }
            try await group.waitForAll()
        }
        return leases.count
    }

    private func process(_ lease: PushLease, _ directory: Directory) async throws {
        guard let push = try await directory.leasedPush(lease) else { return self.statistics.count("withdrawn") }
        switch self.check(push) {
        case .drop(let reason):
            try await directory.dropPush(lease)
            self.statistics.count(reason.rawValue)
        case .wait(let until):
            try await directory.postponePush(lease, until: until)
            self.statistics.count("in_foreground")
        case .send:
            try await self.send(push, directory)
        }
    }

    private func check(_ push: LeasedPush) -> PushCheck.Decision {
        guard let kind = NotificationKind.named(push.content.kind) else {
            // A test is not a kind of notification, and is sent whatever the user has chosen.
            return push.now < push.expiresAt ? .send : .drop(.expired)
        }
        var check = PushCheck(kind, group: push.content.group, at: push.content.at, expiresAt: push.expiresAt)
        check.isSeen = push.isSeen
        check.isMember = push.isMember
        check.isInForeground = push.isInForeground
        check.hasWaited = push.hasWaited
        check.settings = push.settings
        check.minute = push.settings.quiet?.minute(at: push.now) ?? 0
        return check.decide(at: push.now)
    }

    private func send(_ push: LeasedPush, _ directory: Directory) async throws {
        guard let address = PushAddress.open(push.secret, self.keys) else {
            // Sealed with another secret key: the device must subscribe anew.
            try await directory.finishPush(push, .gone, trouble: "key")
            return self.statistics.count("gone")
        }
        var message = PushMessage(content: push.content, number: push.number, language: push.language)
        message.isWithoutBody = push.isWithoutBody
        if let subject = message.subject {
            let right = PushAction(
                target: push.target,
                user: push.user,
                kind: push.content.kind,
                subject: subject,
                expiresAt: push.expiresAt + PushAction.lateness
            )
            message.act = right.code(self.keys)
        }
        guard let answer = await self.sender.send(message, to: address, until: push.expiresAt, id: push.lease.id)
        else { return }
        let outcome = PushOutcome(
            answer,
            attempt: Int(push.lease.attempt),
            isWithoutBody: push.isWithoutBody,
            random: .random(in: 0...1)
        )
        try await directory.finishPush(push, outcome, trouble: Self.trouble(answer, outcome))
        self.statistics.count(Self.label(outcome))
        if outcome == .sent {
            let late = self.clock.wallMilliseconds - push.dueAt.milliseconds
            self.statistics.observe(delay: Double(late) / 1_000)
        }
    }

    private static func label(_ outcome: PushOutcome) -> String {
        switch outcome {
        case .sent: "sent"
        case .gone: "gone"
        case .retry: "retried"
        case .failed: "failed"
        }
    }

    private static func trouble(_ answer: PushAnswer, _ outcome: PushOutcome) -> String? {
        guard outcome != .sent else { return nil }
        return switch answer {
        case .status(let status, _): "status_\(status)"
        case .silence: "no_answer"
        case .forbidden: "forbidden_address"
        case .rejected: "rejected"
        }
    }
}
