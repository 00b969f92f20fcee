import Foundation
import MusterTestSupport
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite struct ContractTests {
    @Test("every golden frame is as the published contract says")
    func goldenFrames() throws {
        let sent = GoldenFrames.client.map { #"{"direction":"sent","frame":\#($0.json)}"# }
        let received =
            (GoldenFrames.server.map(\.json) + GoldenFrames.answers.map(\.json)
            + [RosterFrameTests.full, RosterFrameTests.difference, RosterFrameTests.update])
            .map { #"{"direction":"received","frame":\#($0)}"# }
        let lines = (sent + received).joined(separator: "\n") + "\n"

        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let validator = try Tool.run(root.appending(path: "scripts/validate-frames").path, input: lines)
        #expect(validator.status == 0, "\(validator.output)")
        #expect(validator.output.hasPrefix("\(sent.count + received.count) frames"))
    }
}
