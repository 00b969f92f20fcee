/// Why a request failed: the word on the wire, the HTTP status that goes with it, and whether to try again.
///
/// This file is the catalogue of every error code that the protocol knows (PROTOCOL 9).
package enum ErrorCode: String, Sendable, Codable, CaseIterable {
    /// The frame or body is not JSON.
    case badJSON = "bad_json"
    /// A field is missing or is not what it has to be; the error names it.
    case badRequest = "bad_request"
    /// No frame of this type exists.
    case unknownType = "unknown_type"
    /// A fix is malformed and was not stored.
    case badFix = "bad_fix"
    /// Nobody is logged in by this token, name or password.
    case unauthorized
    /// The one who asks may not do this.
    case forbidden
    /// What was named does not exist, or is not for the one who asks to know of.
    case notFound = "not_found"
    /// The one who asks is not in the group.
    case notMember = "not_member"
    /// It contradicts what is already there, such as a name that is taken.
    case conflict
    /// It existed and does not any more, such as an invite that was used up.
    case gone
    /// Asked too often; the error may say how long to wait.
    case rateLimited = "rate_limited"
    /// More than the protocol allows at once.
    case tooLarge = "too_large"
    /// A watch covers more than 64 tiles.
    case tooManyTiles = "too_many_tiles"
    /// The path takes other methods than that of the request; HTTP only.
    case methodNotAllowed = "method_not_allowed"
    /// The body is of another kind than the path takes; HTTP only.
    case unsupportedMediaType = "unsupported_media_type"
    /// Something that the server depends on is away.
    case unavailable
    /// A defect of the server.
    case `internal`

    /// The status of the HTTP answer whose problem document carries the code.
    package var httpStatus: Int {
        switch self {
        case .badJSON, .badRequest, .unknownType, .tooManyTiles: 400
        case .unauthorized: 401
        case .forbidden, .notMember: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .conflict: 409
        case .gone: 410
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .badFix: 422
        case .rateLimited: 429
        case .internal: 500
        case .unavailable: 503
        }
    }

    /// Whether the same request may succeed later: the `retry` of an error frame.
    package var mayRetry: Bool {
        switch self {
        case .rateLimited, .unavailable: true
        case .badJSON, .badRequest, .unknownType, .badFix, .unauthorized, .forbidden, .notFound, .notMember,
            .conflict, .gone, .tooLarge, .tooManyTiles, .methodNotAllowed, .unsupportedMediaType, .internal:
            false
        }
    }
}
