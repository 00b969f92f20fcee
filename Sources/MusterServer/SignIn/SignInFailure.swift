import MusterWire

/// The reason why a sign-in did not succeed.
///
/// The client learns its kind, and the log the reason.
enum SignInFailure: Error, Equatable {
    /// What the provider sent is not accepted.
    case refused(String)
    /// The provider does not answer, or not as a provider does.
    case unavailable(String)

    /// The error for the client.
    var frameError: FrameError {
        switch self {
        case .refused:
            FrameError(.unauthorized, message: "The sign-in was refused; begin it again.")
        case .unavailable:
            FrameError(
                .unavailable,
                message: "The sign-in provider does not answer; try again later.",
                retryAfter: 10_000
            )
        }
    }

    /// The reason for the log, without data of the user.
    var reason: String {
        switch self {
        case .refused(let reason), .unavailable(let reason): reason
        }
    }
}
