import MusterWire
import Testing

@testable import MusterServer

@Suite struct LoneSurrogateTests {
    @Test(
        "half of a surrogate pair becomes U+FFFD in its place, and nothing else changes",
        arguments: [
            (#"["x\ud83d"]"#, #"["x\ufffd"]"#),
            (#"["\uDC00x"]"#, #"["\ufffdx"]"#),
            (#"["\ud83d\ud83d\ude00"]"#, #"["\ufffd\ud83d\ude00"]"#),
            (#"["\ude00\ud83d"]"#, #"["\ufffd\ufffd"]"#),
            (#"["\ud83d\u0041"]"#, #"["\ufffd\u0041"]"#),
            (#"["\ud83d\\ude00"]"#, #"["\ufffd\\ude00"]"#),
            (#"["\\\ud83d"]"#, #"["\\\ufffd"]"#),
            (#"{"\ud83d":"\n\udfff"}"#, #"{"\ufffd":"\n\ufffd"}"#),
        ]
    )
    func replaced(text: String, expected: String) {
        #expect(Array(text.utf8).replacingLoneSurrogates().map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(
        "a text with whole characters is left alone",
        arguments: [
            "", "[]", "\\", #"["\ud83d\ude00"]"#, #"["\\ud83d"]"#, #"["\ud83"]"#, #"["\ue000\ud7ff"]"#, #"["\ud8zz"]"#,
            #"["x\"#, #"["\u"#,
        ]
    )
    func untouched(text: String) {
        #expect(Array(text.utf8).replacingLoneSurrogates() == nil)
    }
}
