import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct PolylineTests {
    @Test("lines are written and read as Google's documentation shows")
    func documented() {
        let line = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(Polyline.text(line) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(Polyline.points("_p~iF~ps|U_ulLnnqC_mqNvxq`@") == line)
        #expect(Polyline.points("") == [])
    }

    @Test(
        "what is no line is refused",
        arguments: ["_", "_p~iF", "_p~iF~ps|", "a b", "~~~~~~~~~~~~", "é", "_________p~iF~ps|U", "_gejaW??"]
    )
    func refuses(_ text: String) {
        #expect(Polyline.points(text) == nil)
    }
}
