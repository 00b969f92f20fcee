import Cryptography
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test("equals the published examples")
    func digests() {
        // FIPS 180-4, the examples of NIST's Cryptographic Toolkit.
        #expect(hex(SHA256.digest(of: [])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hex(SHA256.digest(of: Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }

    @Test("authenticates as RFC 4231, test case 2, does")
    func codes() {
        let code = SHA256.authenticationCode(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
