import ImagingWire
import MusterWire

/// The reason why an operation made no picture; its name is a label of the metrics.
enum ImagingFailure: Error, Sendable, Hashable {
    /// The child refused the picture.
    case refused(ImagingRefusal)
    /// The input crashed the child, or took too long.
    case deadly
    /// Too many pictures wait.
    case busy
    /// No child is available, for a reason on the server's side.
    case unavailable

    /// All failures.
    static let all: [ImagingFailure] =
        ImagingRefusal.allCases.map { .refused($0) } + [.deadly, .busy, .unavailable]

    /// The reason in metrics and logs.
    var reason: String {
        switch self {
        case .refused(.notAPicture): "not_a_picture"
        case .refused(.damaged): "damaged"
        case .refused(.tooManyPixels): "too_many_pixels"
        case .refused(.tooNarrow): "too_narrow"
        case .deadly: "deadly"
        case .busy: "busy"
        case .unavailable: "unavailable"
        }
    }

    /// The error for the sender of the picture, about the field `field`.
    func frameError(field: String) -> FrameError {
        switch self {
        case .refused(.notAPicture): Self.bad(field, "must be a JPEG, a PNG or a WebP.")
        case .refused(.damaged): Self.bad(field, "is damaged: it cannot be decoded to its end.")
        case .refused(.tooNarrow): Self.bad(field, "is too narrow to be cropped to a square.")
        case .refused(.tooManyPixels): FrameError(.tooLarge, message: "The \(field) has too many pixels.", field: field)
        case .deadly: Self.bad(field, "must be a picture that can be decoded.")
        case .busy:
            FrameError(
                .unavailable,
                message: "Too many pictures are being processed; try again soon.",
                retryAfter: 2000
            )
        case .unavailable:
            FrameError(.unavailable, message: "Pictures cannot be processed now; try again later.", retryAfter: 10_000)
        }
    }

    private static func bad(_ field: String, _ rule: String) -> FrameError {
        FrameError(.badRequest, message: "The \(field) \(rule)", field: field)
    }
}
