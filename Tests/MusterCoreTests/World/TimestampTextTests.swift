import Foundation
import Testing

@testable import MusterCore

@Suite("Moments as people write them")
struct TimestampTextTests {
    @Test("they are written as Foundation writes them, and come back")
    func text() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var random = SeededGenerator(seed: 7)
        // Not before 1589: until 1582 Foundation uses the Julian calendar.
        for _ in 0..<2_000 {
            let moment = Timestamp(
                milliseconds: Int64.random(in: -12_000_000_000_000...250_000_000_000_000, using: &random)
            )
            let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
            #expect(moment.text.dropLast(5) == date.formatted(style).dropLast(5), "\(moment.milliseconds)")
            #expect(Timestamp(text: moment.text) == moment)
        }
        #expect(Timestamp(milliseconds: 1_709_208_000_007).text == "2024-02-29T12:00:00.007Z")
    }

    @Test(
        "nothing else is a moment",
        arguments: ["", "2024-02-29", "2024-13-01T00:00:00.000Z", "2024-02-29T12:00:00.007+"]
    )
    func damaged(text: String) { #expect(Timestamp(text: text) == nil) }

    @Test(
        "an owner is warned of a radius that is too small for the members' positions",
        arguments: [(20.0, [25.0, 25, 25], true), (100, [25, 25, 25], false), (37, [25], true), (38, [25], false)]
    )
    func warning(radius: Double, accuracies: [Double], isWarned: Bool) {
        #expect((GroupSettings(radius: radius).warning(accuracies: accuracies) != nil) == isWarned)
        #expect(GroupSettings(radius: radius).warning(accuracies: []) == nil)
    }
}
