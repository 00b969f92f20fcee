import Cryptography
import EventLoop
import Foundation
import MusterCore
import MusterWire
import OutboundHTTP
import Synchronization

/// Sends pushes to browsers' push services, to the gateways of apps and to webhooks.
final class PushSender: Sendable {
    private struct Token {
        let text: String
        let until: Int64
    }

    /// How long a signature for a push service is valid, and how long it is used, in seconds.
    private static let tokenLifetime: Int64 = 43_200
    private static let tokenUse: Int64 = 21_600
    /// The maximum number of push services whose signatures are kept.
    private static let tokenLimit = 1000

    private let keys: PushKeys
    private let configuration: PushConfiguration
    private let contact: String
    private let strangers: StrangerClient
    private let operators: OutboundClient?
    private let clock: MonotonicClock
    private let tokens = Mutex<[String: Token]>([:])

    /// The heartbeats of the HTTP clients.
    var heartbeats: [Heartbeat] { [self.strangers.heartbeat] + (self.operators.map { [$0.heartbeat] } ?? []) }

    /// Creates a sender and starts the threads of its HTTP clients.
    init(keys: PushKeys, configuration: PushConfiguration, contact: String, userAgent: String, clock: MonotonicClock) {
        self.keys = keys
        self.configuration = configuration
        self.contact = contact
        self.clock = clock
        self.strangers = StrangerClient(userAgent: userAgent, clock: clock, allowance: configuration.allowance)
        self.operators = configuration.apps.isEmpty ? nil : OutboundClient(userAgent: userAgent, clock: clock)
    }

    /// Sends a message once.
    ///
    /// - Parameters:
    ///   - message: the content.
    ///   - address: the target.
    ///   - expiresAt: the end of its use.
    ///   - id: the id of the push, the same in each attempt.
    /// - Returns: the answer; nil when the server is shutting down.
    func send(
        _ message: PushMessage,
        to address: PushAddress,
        until expiresAt: Timestamp,
        id: Int64
    ) async -> PushAnswer? {
        let left = max(0, (expiresAt.milliseconds - self.clock.wallMilliseconds) / 1_000)
        do throws(OutboundError) {
            switch address.kind {
            case .webpush: return try await self.sendToBrowser(message, address, secondsLeft: left)
            case .gateway: return try await self.sendToGateway(message, address)
            case .webhook: return try await self.sendToWebhook(message, address, id: id)
            }
        } catch {
            switch error.code {
            case .cancelled: return nil
            case .forbidden: return .forbidden
            case .timeout, .queueTimeout, .unreachable, .tooLarge, .busy: return .silence
            }
        }
    }

    // MARK: Browsers

    private func sendToBrowser(
        _ message: PushMessage,
        _ address: PushAddress,
        secondsLeft: Int64
    ) async throws(OutboundError) -> PushAnswer {
        guard let url = try? StrangerURL(address.address, allowance: self.configuration.allowance),
            let encryption = address.encryption
        else { return .forbidden }
        var short = message
        if message.json.count > WebPushMessage.longestText { short.isWithoutBody = true }
        let push = NotificationKind.named(message.content.kind)?.push
        let headers = [
            ("TTL", String(secondsLeft)), ("Urgency", (push?.urgency ?? .high).rawValue),
            ("Topic", self.topic(of: message, for: address)), ("Content-Encoding", "aes128gcm"),
            ("Content-Type", "application/octet-stream"),
            ("Authorization", "vapid t=\(self.token(for: url.origin)), k=\(urlSafeText(self.keys.signer.publicBytes))"),
        ]
        let request = StrangerRequest(url, body: encryption.seal(short.json), headers: headers)
        let response = try await self.strangers.send(request)
        return .status(response.status, retryAfter: response.retryAfter)
    }

    /// The name under which a push service keeps only the newest message, which says nothing about its subject.
    private func topic(of message: PushMessage, for address: PushAddress) -> String {
        self.keys.code(of: "topic \(message.content.pushTag) \(urlSafeText(address.hash))")
    }

    /// The signature for a push service (RFC 8292, 2), made anew every six hours.
    func token(for origin: String) -> String {
        let now = self.clock.wallMilliseconds / 1_000
        return self.tokens.withLock { tokens in
            if let known = tokens[origin], now < known.until, known.until <= now + Self.tokenUse { return known.text }
            if tokens.count >= Self.tokenLimit { tokens.removeAll() }
            let head = urlSafeText(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
            let claims: FieldList = ["aud": origin, "exp": now + Self.tokenLifetime, "sub": self.contact]
            let signed = "\(head).\(urlSafeText(WireEncoder.encode(claims)))"
            let text = "\(signed).\(urlSafeText(self.keys.signer.signature(of: Array(signed.utf8))))"
            tokens[origin] = Token(text: text, until: now + Self.tokenUse)
            return text
        }
    }

    // MARK: Apps

    /// The request of the Matrix Push Gateway API, version 1; it contains ids and no texts.
    private func sendToGateway(_ message: PushMessage, _ address: PushAddress) async throws(OutboundError) -> PushAnswer
    {
        guard let app = address.app, let url = self.configuration.apps[app], let operators else { return .forbidden }
        let urgency = NotificationKind.named(message.content.kind)?.push.urgency ?? .high
        let data = address.data.flatMap { try? JSONDocument(Array($0.utf8)) }.map { NotificationPayload($0.root).list }
        let device: FieldList = ["app_id": app, "pushkey": address.address, "data": data]
        let notification: FieldList = [
            "event_id": message.subject.map { String($0) }, "room_id": message.content.group,
            "type": "muster.\(message.content.kind)", "prio": urgency == .high ? "high" : "low", "devices": [device],
        ]
        let body: FieldList = ["notification": notification]
        var request = OutboundRequest(url, method: .postBytes(WireEncoder.encode(body)))
        request.headers = [("Content-Type", "application/json")]
        request.timeout = 10_000
        request.bodyLimit = 65_536
        request.concurrency = 8
        let response = try await operators.send(request)
        let rejected = (try? JSONDocument(response.body))?["rejected"].elements.contains {
            $0.string == address.address
        }
        if response.status == 200, rejected == true { return .rejected }
        return .status(response.status, retryAfter: response.retryAfter)
    }

    // MARK: Webhooks

    private func sendToWebhook(
        _ message: PushMessage,
        _ address: PushAddress,
        id: Int64
    ) async throws(OutboundError) -> PushAnswer {
        guard self.configuration.allowsWebhooks,
            let url = try? StrangerURL(address.address, allowance: self.configuration.allowance)
        else { return .forbidden }
        let (body, headers) =
            address.format == .ntfy
            ? self.ntfy(message, address) : self.signed(message, address, id: id)
        let response = try await self.strangers.send(StrangerRequest(url, body: body, headers: headers))
        return .status(response.status, retryAfter: response.retryAfter)
    }

    /// The body and the headers of Standard Webhooks 1.0, signed with the current secret and for a day with the former.
    private func signed(
        _ message: PushMessage,
        _ address: PushAddress,
        id: Int64
    ) -> (body: [UInt8], headers: [(name: String, value: String)]) {
        let now = self.clock.wallMilliseconds
        let body = message.json
        let head = "push_\(id).\(now / 1_000)."
        var secrets = [address.secret]
        if let until = address.formerUntil, now < until { secrets.append(address.formerSecret) }
        let signatures = secrets.compactMap { $0 }.map { secret in
            let code = SHA256.authenticationCode(of: Array(head.utf8) + body, key: secret)
            return "v1,\(Data(code).base64EncodedString())"
        }
        return (
            body,
            [
                ("Content-Type", "application/json"), ("webhook-id", "push_\(id)"),
                ("webhook-timestamp", String(now / 1_000)), ("webhook-signature", signatures.joined(separator: " ")),
            ]
        )
    }

    /// The text and the headers of an ntfy server; the title is encoded, because headers are ASCII.
    private func ntfy(
        _ message: PushMessage,
        _ address: PushAddress
    ) -> (body: [UInt8], headers: [(name: String, value: String)]) {
        let urgency = NotificationKind.named(message.content.kind)?.push.urgency ?? .high
        let priority = urgency == .high ? "high" : urgency == .low ? "low" : "default"
        let title = "=?UTF-8?B?\(Data(message.title.utf8).base64EncodedString())?="
        var headers = [("Content-Type", "text/plain; charset=utf-8"), ("Title", title), ("Priority", priority)]
        if let token = address.token { headers.append(("Authorization", "Bearer \(token)")) }
        return (Array((message.isWithoutBody ? "" : message.body).utf8), headers)
    }
}
