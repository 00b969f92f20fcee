import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct ServerFrameTests {
    @Test("a frame is exactly these bytes", arguments: GoldenFrames.server)
    func encoding(golden: Golden<ServerFrame>) {
        #expect(String(decoding: golden.frame.encoded, as: UTF8.self) == golden.json)
    }

    @Test("an answer is exactly these bytes", arguments: GoldenFrames.answers)
    func answers(golden: Golden<[UInt8]>) {
        #expect(String(decoding: golden.frame, as: UTF8.self) == golden.json)
    }

    @Test("every error says whether the same request may succeed later", arguments: ErrorCode.allCases)
    func retry(code: ErrorCode) throws {
        let frame = try JSONDocument(ServerFrame.error(FrameError(code, message: "m")).encoded)
        #expect(frame["code"].string == code.rawValue)
        #expect(frame["retry"].bool == [.unavailable, .rateLimited].contains(code))
        #expect((400..<600).contains(code.httpStatus))
    }
}
