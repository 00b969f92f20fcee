import Foundation
import MusterTestSupport

/// All messages between clients and server in a test, for `scripts/validate-frames`.
final class Transcript {
    private var lines: [String] = []

    /// Records a frame sent by a client; an intentionally malformed one is `invalid`.
    func sent(_ text: String, isValid: Bool) {
        self.lines.append(
            isValid ? #"{"direction":"sent","frame":\#(text)}"# : #"{"direction":"sent","invalid":true}"#
        )
    }

    /// Records a frame received by a client.
    func received(_ text: String) { self.lines.append(#"{"direction":"received","frame":\#(text)}"#) }

    /// Records the answer to an HTTP request; `body` is JSON or empty.
    func answered(_ method: String, _ path: String, status: Int, body: String) {
        let head = #""method":"\#(method)","path":"\#(path)","status":\#(status)"#
        // A line break in JSON is never part of a value.
        let line = body.isEmpty ? "null" : body.replacing("\n", with: " ")
        self.lines.append(#"{"direction":"answered",\#(head),"body":\#(line)}"#)
    }

    /// Validates all messages against the contract.
    ///
    /// - Returns: the problems, or nil.
    func problems() throws -> String? {
        guard !self.lines.isEmpty else { return nil }
        let validator = try Tool.run(
            MusterProcess.checkout.appending(path: "scripts/validate-frames").path,
            input: self.lines.joined(separator: "\n")
        )
        return validator.status == 0 ? nil : validator.output
    }
}
