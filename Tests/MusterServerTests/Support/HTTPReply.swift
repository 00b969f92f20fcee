@testable import MusterClient
@testable import MusterWire

/// The answer to an HTTP request, with its JSON.
struct HTTPReply {
    let status: Int
    let headers: [String: String]
    /// The body as text.
    let text: String
    /// The body as JSON, if it is JSON.
    let json: Frame?

    init(_ answer: HTTPAnswer) {
        self.status = answer.status
        self.headers = answer.headers
        self.text = String(decoding: answer.body, as: UTF8.self)
        let isJSON = answer.headers["content-type"]?.contains("json") ?? false
        self.json = isJSON ? try? Frame(answer.body) : nil
    }

    /// Sends a request on a new connection, and records the answer in the transcript if there is one.
    static func request(
        _ method: String,
        _ path: String,
        token: String? = nil,
        body: String? = nil,
        port: UInt16,
        transcript: Transcript?
    ) throws -> HTTPReply {
        var headers = [(name: "Content-Type", value: "application/json")]
        if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
        let answer = try BlockingHTTP(port: port)
            .request(method, path, headers: headers, body: body.map { Array($0.utf8) }, timeout: 15_000)
        let reply = HTTPReply(answer)
        transcript?.answered(method, path, status: reply.status, body: reply.json == nil ? "" : reply.text)
        return reply
    }

    /// The code of a problem document.
    var code: String { self.json?["code"].string ?? "" }
}
