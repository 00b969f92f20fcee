import Foundation
import MusterWire
import WebSocketGateway

extension HTTPResponse {
    /// A JSON response that no cache stores.
    static func json(_ body: some Encodable, status: Int = 200, type: String = "application/json") -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(body) else {
            preconditionFailure("a body of ours cannot be encoded as JSON")
        }
        return HTTPResponse(
            status: status,
            headers: [("content-type", type), ("cache-control", "no-store")],
            body: Array(data)
        )
    }

    /// A plain text response.
    static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("content-type", type), ("cache-control", "no-store")],
            body: Array(text.utf8)
        )
    }

    /// The response for an error, as `application/problem+json`.
    static func problem(_ error: FrameError, _ status: Int? = nil) -> HTTPResponse {
        let status = status ?? error.code.httpStatus
        let body = ProblemBody(
            title: HTTPResponse(status: status).phrase,
            status: status,
            detail: error.message,
            code: error.code.rawValue,
            field: error.field,
            retryAfter: error.retryAfter,
            reauth: error.needsNewLogin ? true : nil
        )
        var response = Self.json(body, status: status, type: "application/problem+json")
        if let milliseconds = error.retryAfter {
            response.headers.append(("retry-after", String((milliseconds + 999) / 1000)))
        }
        if status == 401 { response.headers.append(("www-authenticate", "Bearer")) }
        return response
    }
}
