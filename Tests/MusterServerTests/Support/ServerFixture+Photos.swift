import Foundation
import MusterTestSupport

@testable import MusterClient
@testable import MusterWire

extension ServerFixture {
    /// Uploads a photo or an invalid file; the answer is recorded in the transcript.
    func upload(_ bytes: [UInt8], by person: Account, use: String? = nil) throws -> HTTPReply {
        let path = "/v1/photos" + (use.map { "?use=\($0)" } ?? "")
        let answer = try BlockingHTTP(port: self.server.port).request(
            "POST",
            path,
            headers: [("Authorization", "Bearer \(person.token)"), ("Content-Type", "image/jpeg")],
            body: bytes,
            timeout: 60_000
        )
        let reply = HTTPReply(answer)
        self.transcript.answered("POST", path, status: reply.status, body: reply.text)
        return reply
    }

    /// Uploads a small photo and returns its id.
    func photo(by person: Account, use: String? = nil) throws -> String {
        let reply = try self.upload(SamplePicture.png(40, 30), by: person, use: use)
        guard reply.status == 201, let id = reply.json?["id"].string else {
            throw TestFailure("an upload was answered \(reply.status) \(reply.text)")
        }
        return id
    }

    /// The file at an address, requested without a login.
    func file(_ address: String, method: String = "GET", headers: [(String, String)] = []) throws -> HTTPAnswer {
        try BlockingHTTP(port: self.server.port).request(method, address, headers: headers.map { ($0.0, $0.1) })
    }

    /// The server's child processes that decode pictures.
    func imagingProcesses() throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[text.index(after: end)...].split(separator: " ")
            let isOurs = fields[0] != "Z" && fields[1] == "\(self.server.processIdentifier)"
            return isOurs && text.contains("(muster-imaging)")
        }
    }
}
