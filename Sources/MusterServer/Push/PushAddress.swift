import Cryptography
import Foundation
import MusterCore
import MusterWire
import OutboundHTTP

/// The address of a target with its secrets, as it is sealed in the database.
struct PushAddress: Codable, Sendable, Equatable {
    /// The kind of a target.
    enum Kind: String, Codable, Sendable, CaseIterable {
        case webpush
        case gateway
        case webhook
    }

    /// The format of a webhook's requests.
    enum Format: String, Codable, Sendable, CaseIterable {
        /// JSON, with the signature of Standard Webhooks.
        case muster
        /// The headers and the text of an ntfy server.
        case ntfy
    }

    var kind: Kind
    /// The URL of the browser's push service or of the webhook, or the key of the app's device.
    var address: String
    /// The browser's public key.
    var key: [UInt8]?
    /// The secret that the browser shares with this server, or that of the webhook's signatures.
    var secret: [UInt8]?
    /// The name of the app.
    var app: String?
    /// What the app's gateway gets besides, as JSON.
    var data: String?
    var format: Format?
    /// The token of the ntfy server.
    var token: String?
    /// The secret of a webhook before the current one, and its end in milliseconds.
    var formerSecret: [UInt8]?
    var formerUntil: Int64?

    /// The maximum number of bytes of an app's data.
    private static let dataLimit = 1024
    /// How long the former secret of a webhook signs too, in milliseconds.
    static let secretOverlap: Int64 = 86_400_000

    /// What identifies the target among all.
    var hash: [UInt8] {
        SHA256.digest(of: Array("\(self.kind.rawValue) \(self.app ?? "") \(self.address)".utf8))
    }

    /// Whether another address has the same keys.
    func hasKeys(of other: PushAddress) -> Bool {
        self.key == other.key && (self.key == nil || self.secret == other.secret)
    }

    /// The sealed form.
    func sealed(_ keys: PushKeys) -> [UInt8] {
        guard let data = try? JSONEncoder().encode(self) else { preconditionFailure("an address can be encoded") }
        return keys.seal(Array(data))
    }

    /// Opens the sealed form; nil when it was sealed with another key.
    static func open(_ sealed: [UInt8], _ keys: PushKeys) -> PushAddress? {
        keys.open(sealed).flatMap { try? JSONDecoder().decode(PushAddress.self, from: Data($0)) }
    }

    /// The encryption for the browser; the key was checked when the target was registered.
    var encryption: WebPushMessage? {
        guard let key, let secret, let receiver = P256PublicKey(key, isChecked: true) else { return nil }
        return WebPushMessage(to: receiver, secret: secret)
    }

    // MARK: Reading

    /// Reads a subscription of a browser.
    ///
    /// - Throws: `badRequest` with the name of the field.
    static func browser(_ fields: JSONFields, _ allowance: OutboundAllowance) throws(FrameError) -> PushAddress {
        let endpoint = try fields.required("endpoint", fields.string("endpoint"))
        do throws(StrangerURL.Problem) {
            _ = try StrangerURL(endpoint, allowance: allowance)
        } catch {
            throw fields.error("endpoint", error.description)
        }
        let keys = try fields.required("keys", fields.object("keys"))
        let key = Self.bytes(try keys.required("p256dh", keys.string("p256dh")))
        guard let key, P256PublicKey(key) != nil else {
            throw keys.error("p256dh", "must be an uncompressed point of P-256 in URL-safe base64")
        }
        let secret = Self.bytes(try keys.required("auth", keys.string("auth")))
        guard let secret, secret.count == WebPushMessage.secretCount else {
            throw keys.error("auth", "must be 16 bytes in URL-safe base64")
        }
        return PushAddress(kind: .webpush, address: endpoint, key: key, secret: secret)
    }

    /// Reads a device of an app with a gateway.
    ///
    /// - Throws: `badRequest` with the name of the field.
    static func app(_ fields: JSONFields, _ configuration: PushConfiguration) throws(FrameError) -> PushAddress {
        let app = try fields.required("app", fields.string("app", length: 1...64))
        guard configuration.apps[app] != nil else { throw fields.error("app", "must be an app that this server knows") }
        let key = try fields.required("pushkey", fields.string("pushkey", length: 1...512))
        let data = try fields.string("data", length: 0...Self.dataLimit)
        if let data {
            guard data.utf8.count <= Self.dataLimit, (try? JSONDocument(Array(data.utf8)))?.root.fields.isEmpty == false
            else { throw fields.error("data", "must be a JSON object of at most \(Self.dataLimit) bytes, as a string") }
        }
        return PushAddress(kind: .gateway, address: key, app: app, data: data)
    }

    /// Reads a webhook, and makes its secret.
    ///
    /// - Throws: `badRequest` with the name of the field.
    static func webhook(_ fields: JSONFields, _ configuration: PushConfiguration) throws(FrameError) -> PushAddress {
        guard configuration.allowsWebhooks else {
            throw fields.error("type", "must be webpush or gateway: this server allows no webhooks")
        }
        let url = try fields.required("url", fields.string("url"))
        do throws(StrangerURL.Problem) {
            _ = try StrangerURL(url, allowance: configuration.allowance)
        } catch {
            throw fields.error("url", error.description)
        }
        let token = try fields.string("token", length: 1...512)
        if let token, !token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
            throw fields.error("token", "must contain only ASCII characters and no spaces")
        }
        return PushAddress(
            kind: .webhook,
            address: url,
            secret: randomBytes(count: 32),
            format: try fields.choice("format") ?? .muster,
            token: token
        )
    }

    /// The bytes of URL-safe base64, with or without padding; nil for another text.
    private static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.prefix { $0 != "=" }
        guard text.utf8.count <= 256, text.dropFirst(plain.count).count <= 2,
            text.dropFirst(plain.count).allSatisfy({ $0 == "=" }),
            plain.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") })
        else { return nil }
        let usual = plain.replacing("-", with: "+").replacing("_", with: "/")
        let padded = usual + String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Data(base64Encoded: String(padded)).map { Array($0) }
    }
}
