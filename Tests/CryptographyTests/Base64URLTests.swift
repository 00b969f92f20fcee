import Cryptography
import Testing

@Suite("Base64 for URLs")
struct Base64URLTests {
    @Test(
        "encodes as RFC 4648, section 10, without padding",
        arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("foobar", "Zm9vYmFy")]
    )
    func examples(_ text: String, _ encoded: String) {
        #expect(Base64URL.encoded(Array(text.utf8)) == encoded)
        #expect(Base64URL.decoded(encoded) == Array(text.utf8))
    }

    @Test("uses the alphabet for URLs")
    func alphabet() {
        #expect(Base64URL.encoded([0xfb, 0xff]) == "-_8")
        #expect(Base64URL.decoded("-_8") == [0xfb, 0xff])
    }

    @Test("refuses what no encoder writes", arguments: ["Zg==", "Zh", "Z", "Zm9v\n", "Zm+v", "Zm/v", "Zm9vA", "é"])
    func refused(_ text: String) {
        #expect(Base64URL.decoded(text) == nil)
    }
}
