import ImagingWire
import Testing

@Suite("Messages between the server and its children")
struct ImagingMessageTests {
    @Test("a request and its replies arrive as they were")
    func roundTrip() throws {
        let request = ImagingRequest(.face, [1, 2, 3])
        #expect(ImagingLength.read(request.encoded, upTo: 100) == request.encoded.count - 4)
        #expect(ImagingRequest(decoding: Array(request.encoded[4...])) == request)
        let pictures = [Picture(width: 1600, height: 1, bytes: [7, 8]), Picture(width: 320, height: 2, bytes: [])]
        for reply in [ImagingReply.made(pictures), .made([])] + ImagingRefusal.allCases.map({ .refused($0) }) {
            #expect(ImagingReply(decoding: Array(reply.encoded[4...])) == reply)
        }
    }

    @Test("what a child says that cannot be is no reply, however it is cut or changed")
    func nonsense() {
        let whole = Array(ImagingReply.made([Picture(width: 2, height: 2, bytes: [1, 2, 3])]).encoded[4...])
        for count in 0..<whole.count { #expect(ImagingReply(decoding: Array(whole.prefix(count))) == nil) }
        #expect(ImagingReply(decoding: whole + [0]) == nil)
        #expect(ImagingReply(decoding: [99]) == nil)
        #expect(ImagingRequest(decoding: [3, 0x61, 0x62, 0x63, 1]) == nil, "there is no such operation")
        #expect(ImagingRequest(decoding: [200, 1]) == nil)
        #expect(ImagingLength.read([0xFF, 0xFF, 0xFF, 0xFF], upTo: ImagingReply.longest) == nil)
    }
}
