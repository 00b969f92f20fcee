package import MusterCore

/// Why a frame or a request was refused, as the client is told.
///
/// This is an answer rather than a defect of the program, so it says nothing of where in the source it arose.
package struct FrameError: Error, Sendable, Equatable {
    /// The kind of failure.
    package var code: ErrorCode
    /// One English sentence for the client's developer; names the field that is wrong.
    package var message: String
    /// With `badRequest` and `badFix`: the path of the field that is wrong, such as `settings.radius`.
    package var field: String?
    /// The mark of the request, when it could be read.
    package var tag: RequestTag?
    /// With `badFix`: the number of the fix, when it had one.
    package var sequence: Int64?
    /// With `badFix`: where the fix stood in its batch, from 0; nil when it came alone.
    package var index: Int?
    /// Milliseconds after which the same request may succeed.
    package var retryAfter: Int64?
    /// With `conflict`: what stands.
    package var standing: StandingState?

    /// Creates an error.
    package init(
        _ code: ErrorCode,
        message: String,
        field: String? = nil,
        tag: RequestTag? = nil,
        sequence: Int64? = nil,
        index: Int? = nil,
        retryAfter: Int64? = nil,
        standing: StandingState? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.tag = tag
        self.sequence = sequence
        self.index = index
        self.retryAfter = retryAfter
        self.standing = standing
    }

    /// Says a refusal of the world in the words of the wire.
    package init(_ refusal: WorldRefusal, tag: RequestTag?) {
        switch refusal {
        case .notMember:
            self.init(.notMember, message: "You are not a member of this group.", tag: tag)
        case .notFound:
            self.init(.notFound, message: "This person is not in the group.", tag: tag)
        case .noPosition:
            self.init(
                .badRequest,
                message: "center must be a place: nobody knows where you are.",
                field: "center",
                tag: tag
            )
        case .rateLimited(let retryAfter):
            self.init(.rateLimited, message: "You asked a moment ago.", tag: tag, retryAfter: retryAfter)
        }
    }

    /// Says that a report holds no fix that is well-formed.
    package static func noFix(tag: RequestTag? = nil) -> FrameError {
        FrameError(.badFix, message: "fixes holds no fix that is well-formed.", field: "fixes", tag: tag)
    }

    /// Says that the world's clock found a fix malformed.
    package static func badFix(_ fault: FixFault, sequence: Int64?, tag: RequestTag? = nil) -> FrameError {
        FrameError(.badFix, message: fault.reason, field: fault.field.rawValue, tag: tag, sequence: sequence)
    }
}

extension FrameError: CustomStringConvertible {
    package var description: String { "\(self.code.rawValue): \(self.message)" }
}
