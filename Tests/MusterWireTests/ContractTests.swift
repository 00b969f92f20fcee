import Foundation
import MusterCore
import MusterWire
import Testing

@Suite struct ContractTests {
    @Test("every golden frame is as the published contract says")
    func goldenFrames() throws {
        let sent = GoldenFrames.client.map { #"{"direction":"sent","frame":\#($0.json)}"# }
        let received =
            (GoldenFrames.server.map(\.json)
            + [RosterFrameTests.full, RosterFrameTests.difference, RosterFrameTests.update])
            .map { #"{"direction":"received","frame":\#($0)}"# }
        let lines = (sent + received).joined(separator: "\n") + "\n"

        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let validator = Process()
        validator.executableURL = root.appending(path: "scripts/validate-frames")
        let input = Pipe()
        let output = Pipe()
        validator.standardInput = input
        validator.standardOutput = output
        validator.standardError = output
        try validator.run()
        // Less than a pipe holds is written, so nobody waits in a circle.
        input.fileHandleForWriting.write(Data(lines.utf8))
        try input.fileHandleForWriting.close()
        let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        validator.waitUntilExit()
        #expect(validator.terminationStatus == 0, "\(told)")
        #expect(told.hasPrefix("\(sent.count + received.count) frames"))
    }
}
