import Foundation
import MusterCore
import MusterWire
import WebSocketGateway

/// A request with the parameters in the path of its route.
struct RouteRequest: Sendable {
    /// The request of the gateway.
    let base: HTTPRequest
    private let parameters: [String: String]

    /// Creates a request; for the table, and for tests of handlers.
    init(_ base: HTTPRequest, parameters: [String: String] = [:]) {
        self.base = base
        self.parameters = parameters
    }

    /// The headers by name.
    var headers: HTTPHeaders { self.base.headers }

    /// The value of a parameter in the route's path.
    func parameter(_ name: String) -> String {
        guard let value = self.parameters[name] else { preconditionFailure("the route's path names no {\(name)}") }
        return value
    }

    /// A path parameter as an id.
    ///
    /// - Throws: `badRequest` with the name of the parameter.
    func id<Subject>(_ name: String) throws(FrameError) -> Identifier<Subject> {
        guard let id = Identifier<Subject>(self.parameter(name)) else {
            throw FrameError(.badRequest, message: "The \(name) must be an id.", field: name)
        }
        return id
    }

    /// The first value of the query's field `name`.
    func query(_ name: String) -> String? { self.base.queryValue(name) }

    /// Reads a JSON object by the rules of frames.
    ///
    /// A body without the content type of JSON is refused, because a page of any origin may send plain text without a
    /// preflight request.
    ///
    /// - Throws: `unsupportedMediaType`, `badJSON`, or `badRequest` with the name of the field.
    func json<Body>(_ read: (JSONFields) throws(FrameError) -> Body) throws(FrameError) -> Body {
        let type = (self.headers["content-type"] ?? "").split(separator: ";", maxSplits: 1).first ?? ""
        let isJSON = type.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
        guard isJSON || self.base.body.isEmpty else {
            let message = "The body must be JSON, with Content-Type: application/json."
            throw FrameError(.unsupportedMediaType, message: message)
        }
        return try JSONFields.reading(self.base.body, read)
    }

    /// The next bytes of a streamed body; nil at its end.
    ///
    /// - Throws: an error when the body is incomplete. The client has been notified then, or has disconnected.
    func readBody() async throws -> [UInt8]? {
        guard let stream = self.base.stream else { preconditionFailure("the route takes its body whole") }
        do throws(RequestBody.Failure) {
            return try await stream.read()
        } catch {
            switch error {
            case .tooLarge: throw FrameError(.tooLarge, message: "The body is too long.")
            case .incomplete, .malformed: throw FrameError(.badRequest, message: "The body is incomplete or malformed.")
            }
        }
    }

    /// The device key in `?device=`; nil when there is none.
    ///
    /// - Throws: `badRequest` when it is invalid.
    func deviceKey() throws(FrameError) -> String? {
        try self.query("device").map(Self.deviceKey)
    }

    /// Validates a text as a device key.
    ///
    /// - Throws: `badRequest` when it is invalid.
    static func deviceKey(_ text: String) throws(FrameError) -> String {
        guard (1...64).contains(text.unicodeScalars.count), !text.unicodeScalars.contains("\0") else {
            throw FrameError(.badRequest, message: "device must have 1 to 64 characters.", field: "device")
        }
        return text
    }

    /// The token in `Authorization: Bearer …`.
    ///
    /// - Throws: `unauthorized` when there is none.
    func bearerToken() throws(FrameError) -> String {
        let parts = (self.headers["authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw FrameError(
                .unauthorized,
                message: "The header Authorization must be Bearer and the token of a login."
            )
        }
        return String(parts[1])
    }
}
