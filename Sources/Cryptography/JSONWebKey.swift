/// A public key as it stands in a JSON Web Key Set (RFC 7517), not yet checked.
package struct JSONWebKey: Sendable, Decodable {
    private enum CodingKeys: String, CodingKey {
        case type = "kty"
        case id = "kid"
        case use
        case algorithm = "alg"
        case curve = "crv"
        case modulus = "n"
        case exponent = "e"
        case x
        case y
    }

    /// The key type: `RSA`, `EC` or `OKP`.
    package var type: String
    /// The name of the key within its set.
    package var id: String?
    /// The purpose: `sig`, or absent.
    package var use: String?
    /// The only algorithm of the key, if it names one.
    package var algorithm: String?
    /// The curve of `EC` and `OKP`.
    package var curve: String?
    /// The modulus of `RSA`, base64url.
    package var modulus: String?
    /// The exponent of `RSA`, base64url.
    package var exponent: String?
    /// The first coordinate of `EC`, or the key of `OKP`, base64url.
    package var x: String?
    /// The second coordinate of `EC`, base64url.
    package var y: String?
}
