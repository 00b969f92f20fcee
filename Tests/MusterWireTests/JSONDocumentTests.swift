import MusterWire
import Testing

@testable import MusterServer

@Suite struct JSONDocumentTests {
    @Test("looks into what a server sent")
    func reading() throws {
        let document = try JSONDocument(
            Array(
                #"{"type":"roster","version":17,"full":true,"gathering":null,"members":[{"lat":40.5},{}],"a":"b"}"#.utf8
            )
        )
        #expect(document["type"].string == "roster")
        #expect(document["version"].int == 17)
        #expect(document["version"].double == 17)
        #expect(document["full"].bool == true)
        #expect(document["gathering"].isNull)
        #expect(!document["gathering"].isAbsent)
        #expect(document["members"].count == 2)
        #expect(document["members"][0]["lat"].double == 40.5)
        #expect(document["members"][0]["lat"].int == nil)
        #expect(document["members"].elements.map(\.count) == [1, 0])
        #expect(document.root.fields.map(\.key) == ["type", "version", "full", "gathering", "members", "a"])
    }

    @Test("what is not there is absent at any depth, never a failure")
    func absence() throws {
        let document = try JSONDocument(Array(#"{"list":[1],"text":"t"}"#.utf8))
        let strangers = [
            document["nothing"], document["list"][1], document["list"][-1], document["list"]["x"], document["text"][0],
            document["text"]["x"], document["nothing"]["deeper"][3]["still"],
        ]
        for value in strangers {
            #expect(value.isAbsent)
            #expect(!value.isNull)
            #expect(value.string == nil && value.int == nil && value.double == nil && value.bool == nil)
            #expect(value.elements.isEmpty && value.fields.isEmpty)
            #expect(value.count == 0)
        }
    }

    @Test("a value keeps its document alive")
    func lifetime() throws {
        func inner() throws -> JSONValue { try JSONDocument(Array(#"{"a":["kept"]}"#.utf8))["a"][0] }
        #expect(try inner().string == "kept")
    }

    @Test("what is not JSON is refused", arguments: ["", "{", "[1,]", "nul"])
    func refusal(text: String) {
        #expect {
            _ = try JSONDocument(Array(text.utf8))
        } throws: {
            ($0 as? FrameError)?.code == .badJSON
        }
    }
}
