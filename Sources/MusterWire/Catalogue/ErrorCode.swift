/// An error code of a request: the word on the wire, the matching HTTP status, and whether a retry is useful.
///
/// This file is the catalogue of all error codes of the protocol (`public/docs/protocol.md#errors`).
package enum ErrorCode: String, Sendable, Codable, CaseIterable {
    /// The frame or body is not JSON.
    case badJSON = "bad_json"
    /// A field is missing or invalid; the error names it.
    case badRequest = "bad_request"
    /// The frame type does not exist.
    case unknownType = "unknown_type"
    /// A fix is malformed and was not stored.
    case badFix = "bad_fix"
    /// The token, name or password is invalid.
    case unauthorized
    /// The user has no permission.
    case forbidden
    /// The object does not exist, or is not visible to the user.
    case notFound = "not_found"
    /// The user is not a member of the group.
    case notMember = "not_member"
    /// The request contradicts the current state, for example by a name that is taken.
    case conflict
    /// The object no longer exists, such as an invite that was used up.
    case gone
    /// Too many requests; the error may contain a waiting time.
    case rateLimited = "rate_limited"
    /// The request exceeds a limit of the protocol.
    case tooLarge = "too_large"
    /// A tile subscription covers more than 64 tiles.
    case tooManyTiles = "too_many_tiles"
    /// The path does not support the request's method; HTTP only.
    case methodNotAllowed = "method_not_allowed"
    /// The path does not support the media type of the body; HTTP only.
    case unsupportedMediaType = "unsupported_media_type"
    /// A dependency of the server is unavailable.
    case unavailable
    /// A defect of the server.
    case `internal`

    /// The status of the HTTP response whose problem document contains the code.
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

    /// Whether the same request may succeed later: the `retry` field of an error frame.
    package var mayRetry: Bool {
        switch self {
        case .rateLimited, .unavailable: true
        case .badJSON, .badRequest, .unknownType, .badFix, .unauthorized, .forbidden, .notFound, .notMember,
            .conflict, .gone, .tooLarge, .tooManyTiles, .methodNotAllowed, .unsupportedMediaType, .internal:
            false
        }
    }
}
