import CSodium
import Foundation
import MusterCore

/// The key by which OwnTracks encrypts reports and reads their answers: XSalsa20-Poly1305 (secretbox of NaCl).
///
/// It is derived from the server's secret and the device, and so is not stored.
struct TrackerSecret: Sendable {
    /// The key as it is typed into the app: 32 characters, whose bytes are the key.
    let text: String

    /// Derives the key of a device.
    init(of device: DeviceID, key: SecretKey) {
        let context = Array("owntracks \(device.rawValue)".utf8)
        var hash = [UInt8](repeating: 0, count: 24)
        let status = crypto_generichash(&hash, hash.count, context, UInt64(context.count), key.bytes, key.bytes.count)
        precondition(status == 0, "BLAKE2b takes any input")
        self.text = urlSafeText(hash)
    }

    private var key: [UInt8] { Array(self.text.utf8) }

    /// Opens a message.
    ///
    /// - Parameter sealed: base64 of the nonce and the sealed text.
    /// - Returns: the text; nil when it was not sealed with this key.
    func open(_ sealed: String) -> [UInt8]? {
        guard let bytes = Data(base64Encoded: sealed, options: .ignoreUnknownCharacters).map(Array.init),
            bytes.count >= Int(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES)
        else { return nil }
        let nonce = Array(bytes.prefix(Int(crypto_secretbox_NONCEBYTES)))
        let box = Array(bytes.dropFirst(nonce.count))
        var text = [UInt8](repeating: 0, count: box.count - Int(crypto_secretbox_MACBYTES))
        guard crypto_secretbox_open_easy(&text, box, UInt64(box.count), nonce, self.key) == 0 else { return nil }
        return text
    }

    /// Seals a message under a new nonce.
    ///
    /// - Returns: base64 of the nonce and the sealed text.
    func seal(_ text: [UInt8]) -> String {
        let nonce = randomBytes(count: Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](repeating: 0, count: text.count + Int(crypto_secretbox_MACBYTES))
        let status = crypto_secretbox_easy(&box, text, UInt64(text.count), nonce, self.key)
        precondition(status == 0, "secretbox takes any text")
        return Data(nonce + box).base64EncodedString()
    }
}
