package import MusterCore

/// The refusal of a frame or a request, as sent to the client.
///
/// It is a response and not a defect of the program, so it contains no source location.
package struct FrameError: Error, Sendable, Equatable {
    /// The kind of failure.
    package var code: ErrorCode
    /// One English sentence for the client's developer, which names the invalid field.
    package var message: String
    /// With `badRequest` and `badFix`: the path of the invalid field, such as `settings.radius`.
    package var field: String?
    /// The tag of the request, if it could be read.
    package var tag: RequestTag?
    /// With `badFix`: the sequence number of the fix, if it had one.
    package var sequence: Int64?
    /// With `badFix`: the index of the fix in its batch, from 0; nil for a single fix.
    package var index: Int?
    /// Milliseconds after which the same request may succeed.
    package var retryAfter: Int64?
    /// With `conflict`: the current state.
    package var conflict: ConflictState?
    /// With `unauthorized`: whether the token is good, and only the proof of who uses it is too old.
    package var needsNewLogin = false

    /// Creates an error.
    package init(
        _ code: ErrorCode,
        message: String,
        field: String? = nil,
        tag: RequestTag? = nil,
        sequence: Int64? = nil,
        index: Int? = nil,
        retryAfter: Int64? = nil,
        conflict: ConflictState? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.tag = tag
        self.sequence = sequence
        self.index = index
        self.retryAfter = retryAfter
        self.conflict = conflict
    }

    /// Creates the wire error of a refusal of the world.
    package init(_ refusal: WorldRefusal, tag: RequestTag?) {
        switch refusal {
        case .notMember:
            self.init(.notMember, message: "You are not a member of this group.", tag: tag)
        case .notFound:
            self.init(.notFound, message: "This user is not a member of the group.", tag: tag)
        case .noPosition:
            self.init(
                .badRequest,
                message: "center is required, because your position is unknown.",
                field: "center",
                tag: tag
            )
        case .rateLimited(let retryAfter):
            self.init(
                .rateLimited,
                message: "This request came too soon after your last one; wait retryAfter milliseconds.",
                tag: tag,
                retryAfter: retryAfter
            )
        }
    }

    /// Creates the error of a report without a well-formed fix.
    package static func noFix(tag: RequestTag? = nil) -> FrameError {
        FrameError(.badFix, message: "fixes must contain at least one valid fix.", field: "fixes", tag: tag)
    }

    /// Creates the error of a fix whose time is malformed.
    package static func badFix(_ reason: String, sequence: Int64?, tag: RequestTag? = nil) -> FrameError {
        FrameError(.badFix, message: reason, field: "at", tag: tag, sequence: sequence)
    }
}

extension FrameError: CustomStringConvertible {
    package var description: String { "\(self.code.rawValue): \(self.message)" }
}
