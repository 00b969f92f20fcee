import Foundation
import MusterTestSupport
import Testing

@testable import MusterWire

/// A temporary folder for traces, and the output of `muster replay` for them.
///
/// The folder is deleted with the object.
final class TraceFolder {
    static let start = 1_732_060_800_000

    private let path = FileManager.default.temporaryDirectory.appending(path: "muster-trace-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: self.path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: self.path) }

    /// Writes lines to a file and returns its path.
    func write(_ lines: [String], to name: String = "trace.jsonl") throws -> String {
        let file = self.path.appending(path: name)
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
        return file.path
    }

    /// Replays lines and returns the output.
    func replay(_ lines: [String], _ options: [String] = []) throws -> String {
        let run = try MusterProcess.run(["replay", try self.write(lines)] + options, within: 300_000)
        #expect(run.status == 0, "\(run.log)")
        return run.output
    }

    /// The lines of an output.
    static func objects(_ output: String) throws -> [JSONDocument] {
        try output.split(separator: "\n").map { try JSONDocument(Array($0.utf8)) }
    }

    /// The explanations in an output, each with its second since the start.
    static func reasons(_ output: String) throws -> [String] {
        try self.objects(output).filter { $0["type"].string == "explanation" }.map { line in
            "\(((line["at"].int ?? 0) - Int64(Self.start)) / 1000) \(line["what"].string ?? "")"
        }
    }

    /// A fix of a user, this many seconds after the start and this many metres north of the café.
    ///
    /// `more` holds further fields.
    static func fix(_ user: String, _ second: Int, north: Double, _ more: String = "") -> String {
        Self.fix(user, second, latitude: 48.2082 + north / 111_195, more)
    }

    /// A fix of a user on the meridian of the café, this many seconds after the start.
    static func fix(_ user: String, _ second: Int, latitude: Double, _ more: String = "") -> String {
        let at = Self.start + second * 1000
        return #"{"user":"\#(user)","at":\#(at),"lat":\#(latitude),"lon":16.37,"accuracy":8\#(more)}"#
    }

    /// A sharing choice of a user, this many seconds after the start.
    static func sharing(_ user: String, _ second: Int, _ mode: String) -> String {
        #"{"user":"\#(user)","at":\#(Self.start + second * 1000),"sharing":"\#(mode)"}"#
    }

    /// A group with a dwell of two minutes.
    static func group(_ members: String..., settings: String = #""dwell":120"#) -> String {
        let names = members.map { #""\#($0)""# }.joined(separator: ",")
        return #"{"group":{"id":"g","members":[\#(names)],"settings":{\#(settings)}}}"#
    }
}
