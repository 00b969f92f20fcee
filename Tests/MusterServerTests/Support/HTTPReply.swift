import MusterClient
import MusterWire

/// The answer to an HTTP request, with its JSON.
struct HTTPReply {
    let status: Int
    let headers: [String: String]
    /// The body as text.
    let text: String
    /// The body as JSON, when it is that.
    let json: Frame?

    init(_ answer: HTTPAnswer) {
        self.status = answer.status
        self.headers = answer.headers
        self.text = String(decoding: answer.body, as: UTF8.self)
        let isJSON = answer.headers["content-type"]?.contains("json") ?? false
        self.json = isJSON ? try? Frame(answer.body) : nil
    }

    /// The code of a problem document.
    var code: String { self.json?["code"].string ?? "" }
}
