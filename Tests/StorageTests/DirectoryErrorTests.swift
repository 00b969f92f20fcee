import Testing

@testable import MusterServer
@testable import MusterWire

@Suite("Errors of the directory")
struct DirectoryErrorTests {
    @Test(
        "on the wire the message is a sentence, and a field keeps its name",
        arguments: [
            (DirectoryError(.notFound, "there is no such spot"), "There is no such spot."),
            (
                DirectoryError(.badRequest(field: "until"), "until must be in the future"),
                "until must be in the future."
            ),
        ]
    )
    func sentences(error: DirectoryError, message: String) {
        #expect(FrameError(error, tag: nil).message == message)
    }
}
