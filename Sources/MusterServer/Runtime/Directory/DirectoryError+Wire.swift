import MusterCore
import MusterWire

extension DirectoryError {
    /// The error code on the wire.
    var wireCode: ErrorCode {
        switch self.code {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .notMember: .notMember
        case .conflict: .conflict
        case .gone: .gone
        case .rateLimited: .rateLimited
        case .unavailable: .unavailable
        case .internal: .internal
        }
    }

    /// The invalid field of `badRequest`.
    package var field: String? {
        if case .badRequest(let field) = self.code { field } else { nil }
    }

    /// The delay in milliseconds before a retry, for `rateLimited`.
    var retryAfter: Int64? {
        if case .rateLimited(let milliseconds) = self.code { milliseconds } else { nil }
    }
}

extension DirectoryError {
    /// The message as a sentence; the name of a field at its start is not capitalised.
    fileprivate var sentence: String {
        if let field, self.message.hasPrefix(field) { return "\(self.message)." }
        return "\(self.message.prefix(1).uppercased())\(self.message.dropFirst())."
    }
}

extension FrameError {
    /// Converts a directory error to a frame.
    init(_ error: DirectoryError, tag: RequestTag?) {
        self.init(
            error.wireCode,
            message: error.sentence,
            field: error.field,
            tag: tag,
            retryAfter: error.retryAfter
        )
    }
}
