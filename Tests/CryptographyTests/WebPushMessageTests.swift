import Foundation
import Testing

@testable import Cryptography

@Suite("Encryption for browsers")
struct WebPushMessageTests {
    /// The example of RFC 8291, 5, whose values are those of its appendix A.
    private static let receiver =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    @Test("equals the example of RFC 8291")
    func example() throws {
        let receiver = try #require(P256PublicKey(bytes(Self.receiver)))
        let sender = try #require(P256PrivateKey(scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        #expect(
            sender.publicBytes
                == bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        )
        let message = try #require(WebPushMessage(to: receiver, secret: bytes(Self.secret)))
        let text = Array("When I grow up, I want to be a watermelon".utf8)
        let sealed = message.seal(
            text,
            from: sender,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
            paddedTo: text.count + 1
        )
        #expect(
            sealed
                == bytes(
                    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
                        + "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
                )
        )
    }

    @Test(
        "shows only which of three lengths a text has, and never encrypts two texts alike",
        arguments: [0, 511, 512, 2047]
    )
    func lengths(_ count: Int) throws {
        let receiver = try #require(P256PublicKey(bytes(Self.receiver)))
        let message = try #require(WebPushMessage(to: receiver, secret: bytes(Self.secret)))
        let text = [UInt8](repeating: 65, count: count)
        let sealed = message.seal(text)
        let record = sealed.count - 16 - 4 - 1 - 65 - AES128GCM.tagCount
        #expect(record == (count < 512 ? 512 : count < 1024 ? 1024 : 2048))
        #expect(sealed.prefix(16) != message.seal(text).prefix(16))
        #expect(sealed.dropFirst(21).prefix(65) != message.seal(text).dropFirst(21).prefix(65))
    }

    @Test(
        "refuses a key that is no uncompressed point on the curve",
        arguments: [
            ("infinity", "AA"),
            ("compressed", "AyVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"),
            ("64 bytes", "JXGyvs3942BVGq8e0PTNNmwRzr5VX4m8t7GGpTM5FzFo7OLr4BhZe9MEebhuPI-OztV3ylkYfpJGmQ22ggCLDg"),
            (
                "off the curve",
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8"
            ),
            (
                "the origin",
                "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            ),
        ]
    )
    func badKeys(_ name: String, _ key: String) { #expect(P256PublicKey(bytes(key)) == nil) }

    @Test("refuses a secret that has not 16 bytes", arguments: [0, 15, 17])
    func badSecrets(_ count: Int) throws {
        let receiver = try #require(P256PublicKey(bytes(Self.receiver)))
        #expect(WebPushMessage(to: receiver, secret: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("signs so that only the right key confirms only the right message")
    func signatures() throws {
        let signer = P256PrivateKey()
        let key = try #require(P256PublicKey(signer.publicBytes))
        let other = try #require(P256PublicKey(P256PrivateKey().publicBytes))
        let message = Array("header.payload".utf8)
        for _ in 0..<50 {
            let signature = signer.signature(of: message)
            #expect(signature.count == 64)
            #expect(key.isSignature(signature, of: message))
            #expect(!key.isSignature(signature, of: message + [0]))
            #expect(!other.isSignature(signature, of: message))
        }
    }

    @Test("accepts scalars only below the order of the curve")
    func scalars() {
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 255, count: 32)) == nil)
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(P256PrivateKey(scalar: [UInt8](repeating: 1, count: 32)) != nil)
    }

    private func bytes(_ text: String) -> [UInt8] {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Array(Data(base64Encoded: padded) ?? Data())
    }
}
