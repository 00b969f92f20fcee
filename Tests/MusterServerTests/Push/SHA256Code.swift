import Cryptography
import Foundation

/// The authentication code of a text, in base64.
enum SHA256Code {
    static func of(_ text: String, key: [UInt8]) -> String {
        Data(SHA256.authenticationCode(of: Array(text.utf8), key: key)).base64EncodedString()
    }
}
