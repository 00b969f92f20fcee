import Foundation
import MusterWire
import WebSocketGateway

extension HTTPRequest {
    /// The body as JSON of a known shape.
    ///
    /// - Throws: `badJSON`, or `badRequest` naming the field.
    func decode<Body: Decodable>(_ type: Body.Type) throws(FrameError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: Data(self.body))
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Self.badField(context.codingPath + [key], "is missing")
        } catch DecodingError.typeMismatch(_, let context) {
            throw Self.badField(context.codingPath, "has the wrong type")
        } catch DecodingError.valueNotFound(_, let context) {
            throw Self.badField(context.codingPath, "must not be null")
        } catch {
            throw FrameError(.badJSON, message: "The body is not JSON.")
        }
    }

    /// The secret of `Authorization: Bearer …`.
    ///
    /// - Throws: `unauthorized` when there is none.
    func bearerToken() throws(FrameError) -> String {
        let parts = (self.headers.authorization ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw FrameError(.unauthorized, message: "Send Authorization: Bearer with the token of a login.")
        }
        return String(parts[1])
    }

    private static func badField(_ path: [any CodingKey], _ what: String) -> FrameError {
        let field = path.map(\.stringValue).joined(separator: ".")
        guard !field.isEmpty else {
            return FrameError(.badRequest, message: "The body must be a JSON object.")
        }
        return FrameError(.badRequest, message: "\(field) \(what).", field: field)
    }
}
